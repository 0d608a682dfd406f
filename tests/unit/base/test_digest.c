#include "base/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void known_answers_of_xxh3_128(void **state) {
    (void)state;
    char hex[KS_DIGEST_HEX];
    const ks_digest empty = ks_digest_of("", 0), abc = ks_digest_of("abc", 3);
    ks_digest_print(hex, &empty);
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    ks_digest_print(hex, &abc);
    assert_string_equal(hex, "06b05ab6733a618578af5f94892f3950");
}

/* XXH3 changes its ways at 16, 128, 240 bytes and at blocks of 1024. */
static void pieces_give_the_digest_of_the_whole(void **state) {
    (void)state;
    unsigned char data[5000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 37 + i / 251);
    static const size_t lengths[] = {0, 1, 3, 16, 17, 128, 129, 240, 241, 1024, 1025, 5000};
    ks_digester *digester = ks_digester_new();
    assert_non_null(digester);
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        ks_digester_reset(digester);
        for (size_t at = 0, piece = 1; at < lengths[l]; at += piece, piece = piece * 2 + 1) {
            if (piece > lengths[l] - at) piece = lengths[l] - at;
            ks_digester_add(digester, data + at, piece);
        }
        const ks_digest whole = ks_digest_of(data, lengths[l]), joined = ks_digester_end(digester);
        assert_memory_equal(&whole, &joined, sizeof whole);
    }
    ks_digester_free(digester);
    ks_digester_free(NULL);
}

static void one_bit_gives_another_digest(void **state) {
    (void)state;
    unsigned char data[64] = {0};
    const ks_digest zero = ks_digest_of(data, sizeof data);
    data[63] = 1;
    const ks_digest one = ks_digest_of(data, sizeof data);
    assert_memory_not_equal(&zero, &one, sizeof zero);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_of_xxh3_128),
        cmocka_unit_test(pieces_give_the_digest_of_the_whole),
        cmocka_unit_test(one_bit_gives_another_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
