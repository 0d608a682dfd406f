/* reseal FILE: stored rows with the check that kernsweep would have written: what another program, or
 * other inputs, would have stored. To standard output. */
#include <stdio.h>

#include "base/csv_seal.h"
#include "base/file.h"

int main(int argc, char **argv) {
    ks_text bytes = {0}, rows = {0}, edits = {0}, sealed = {0};
    ks_error error = {""};
    if (argc != 2 || ks_file_read(argv[1], 1 << 24, &bytes, &error)) {
        fprintf(stderr, "reseal: %s\n", error.text);
        return 2;
    }
    ks_csv_unseal(&rows, argv[1], ks_text_string(&bytes), bytes.length, &edits);
    ks_csv_seal(&sealed, ks_text_string(&rows), rows.length);
    fputs(ks_text_string(&sealed), stdout);
    ks_text_free(&bytes);
    ks_text_free(&rows);
    ks_text_free(&edits);
    ks_text_free(&sealed);
    return 0;
}
