#include "report/adr_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define BEGIN(table) "<!-- kernsweep:begin table=" table " -->\n"
#define END "<!-- kernsweep:end -->\n"

static ks_adr_page page_of(const char *text) {
    ks_adr_page page;
    ks_error error = {""};
    if (ks_adr_page_parse("p.md", text, strlen(text), &page, &error)) fail_msg("%s", error.text);
    return page;
}

static void blocks_are_found_by_their_table(void **state) {
    (void)state;
    ks_adr_page page = page_of("text\n" BEGIN(
        "a") "inside\n" END "between\n"
             "<!-- kernsweep:begin table=b results=0123456789ab block=ba9876543210 -->\n" END);
    assert_int_equal(page.count, 2);
    const ks_adr_span *a = ks_adr_page_find(&page, "a"), *b = ks_adr_page_find(&page, "b");
    assert_int_equal(a->begin_line, 2);
    assert_int_equal(a->end - a->begin, strlen("inside\n"));
    assert_memory_equal(page.bytes + a->begin, "inside\n", a->end - a->begin);
    assert_string_equal(a->block, "");
    assert_int_equal(b->end, b->begin);
    assert_string_equal(b->results, "0123456789ab");
    assert_string_equal(b->block, "ba9876543210");
    assert_null(ks_adr_page_find(&page, "c"));
    ks_adr_page_free(&page);
}

static void a_page_without_markers_is_one(void **state) {
    (void)state;
    ks_adr_page page = page_of("kernsweep:begin in a text\n<!-- another comment -->");
    assert_int_equal(page.count, 0);
    ks_adr_page_free(&page);
    page = page_of("");
    ks_adr_page_free(&page);
}

static void broken_markers_are_refused_with_their_line(void **state) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"x\n" BEGIN("a") "y\n", "p.md:2: found no end of the block of table=a"},
        {"x\n" END, "p.md:2: found an end marker '<!-- kernsweep:end -->', expected a begin"},
        {BEGIN("a") END END, "p.md:3: found an end marker"},
        {BEGIN("a") BEGIN("b") END END,
         "p.md:2: found a begin marker inside of the block of table=a, expected its end first (it "
         "begins at line 1)"},
        {BEGIN("a") END "x\n" BEGIN("a") END,
         "p.md:4: found a second block of table=a, expected one (the first begins at line 1)"},
        {"<!-- kernsweep:begin -->\n" END, "p.md:1: found a begin marker"},
        {"<!-- kernsweep:begin table= -->\n" END, "p.md:1: found a begin marker"},
        {"<!-- kernsweep:begin table=a results=0123 block=0123 -->\n" END, "found a begin marker"},
        {"<!-- kernsweep:begin table=a results=0123456789ab -->\n" END, "found a begin marker"},
        {"<!-- kernsweep:begin table=a results=0123456789aB block=0123456789ab -->\n" END,
         "found a begin marker"},
        {"<!-- kernsweep:begin table=a --> \n" END, "found a begin marker"},
        {" " BEGIN("a") END, "p.md:1: found a marker"},
        {BEGIN("a") "<!-- kernsweep:end-->\n", "p.md:2: found a marker"},
        {BEGIN("a") "x <!-- kernsweep:end -->\n", "p.md:2: found a marker"},
        {"<!-- kernsweep:start table=a -->\n", "p.md:1: found a marker"},
        {"x\r\n" BEGIN("a") END, "p.md:1: found CR in the line ends"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_adr_page page;
        ks_error error = {""};
        assert_int_equal(
            ks_adr_page_parse("p.md", cases[i].text, strlen(cases[i].text), &page, &error),
            KS_INPUT);
        if (!strstr(error.text, cases[i].message))
            fail_msg("case %zu: '%s' has not '%s'", i, error.text, cases[i].message);
        ks_adr_page_free(&page);
    }
}

static void replacing_a_block_keeps_every_byte_outside(void **state) {
    static const char *const afters[] = {"", "last line\n", "no line feed", "\n\n"};
    (void)state;
    for (size_t i = 0; i < COUNT(afters); i++) {
        ks_text text = {0}, block = {0}, again = {0};
        ks_text_add_format(&text, "before\n\n" BEGIN("a") "old\n" END "%s", afters[i]);
        ks_adr_page page = page_of(text.data);
        const ks_digest results = ks_digest_of("r", 1);
        ks_adr_block_wrap(&block, "a", &results, "new\n", 4);
        ks_adr_page_replace(&again, &page, ks_adr_page_find(&page, "a"), block.data);
        assert_int_equal(strncmp(again.data, "before\n\n<!-- kernsweep:begin table=a results=", 43),
                         0);
        const char *end = strstr(again.data, " -->\nnew\n" END);
        assert_non_null(end);
        assert_string_equal(end + strlen(" -->\nnew\n" END), afters[i]);
        ks_adr_page_free(&page);
        ks_text_free(&text);
        ks_text_free(&block);
        ks_text_free(&again);
    }
}

static void the_markers_carry_digests_of_results_and_text(void **state) {
    char hex[KS_ADR_SHORT_HEX];
    ks_text block = {0};
    const ks_digest results = ks_digest_of("r", 1), text = ks_digest_of("new\n", 4);
    (void)state;
    ks_adr_block_wrap(&block, "a", &results, "new\n", 4);
    ks_adr_page page = page_of(block.data);
    const ks_adr_span *span = ks_adr_page_find(&page, "a");
    ks_adr_short_hex(hex, &results);
    assert_string_equal(span->results, hex);
    ks_adr_short_hex(hex, &text);
    assert_string_equal(span->block, hex);
    ks_adr_page_free(&page);
    ks_text_free(&block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_found_by_their_table),
        cmocka_unit_test(a_page_without_markers_is_one),
        cmocka_unit_test(broken_markers_are_refused_with_their_line),
        cmocka_unit_test(replacing_a_block_keeps_every_byte_outside),
        cmocka_unit_test(the_markers_carry_digests_of_results_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
