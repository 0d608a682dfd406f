#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/junit.h"
#include "report/xml.h"

static void expect_xml(const char *in, const char *out) {
    ks_text text = {0};
    ks_text_add_xml(&text, in);
    assert_string_equal(ks_text_string(&text), out);
    ks_text_free(&text);
}

static void text_is_valid_whatever_the_bytes(void **state) {
    (void)state;
    expect_xml("a<b>&\"c\"'d'", "a&lt;b&gt;&amp;&quot;c&quot;'d'");
    expect_xml("]]>", "]]&gt;");
    expect_xml("a\nb\tc", "a&#10;b&#9;c");
    expect_xml("\x1b[31m\x01\x7f\r", "\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80");
    /* cut short, overlong, a lone surrogate, past the end, U+FFFE, U+FFFF, C1 controls */
    expect_xml("\xc3", "\xef\xbf\xbd");
    expect_xml("\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_xml("\xc2\x85", "\xef\xbf\xbd\xef\xbf\xbd");
}

typedef struct bench {
    FILE *file;
    ks_junit *junit;
    ks_account account;
} bench;

static bench begin(const char *sweep) {
    bench b = {.file = tmpfile()};
    assert_non_null(b.file);
    b.junit = ks_junit_begin(b.file, sweep);
    assert_non_null(b.junit);
    return b;
}

static void point(bench *b, ks_verdict verdict, bool is_red, const char *why) {
    ks_row row = {.verdict = verdict};
    if (is_red) strcpy(row.reason, "reason a=1");
    const ks_record record = {.row = &row,
                              .key = "kernel=k S=1",
                              .kernel = "k",
                              .detail = is_red ? "a detail" : "",
                              .why = why,
                              .is_red = is_red};
    assert_int_equal(ks_junit_point(b->junit, &record, "kernsweep show"), KS_OK);
    b->account.verdicts[verdict]++;
    b->account.planned++;
}

/* The whole file; the caller frees it. */
static char *end(bench *b, const char *red) {
    assert_int_equal(ks_junit_end(b->junit, &b->account, red), KS_OK);
    ks_junit_free(b->junit);
    const long size = ftell(b->file);
    char *text = calloc((size_t)size + 1, 1);
    rewind(b->file);
    assert_int_equal(fread(text, 1, (size_t)size, b->file), size);
    fclose(b->file);
    return text;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no %s in:\n%s", part, text);
}

/* Not by strstr, which reads all of the text each time under the address sanitizer. */
static size_t count(const char *text, const char *part) {
    const size_t part_bytes = strlen(part);
    size_t found = 0;
    for (const char *end = text + strlen(text); text + part_bytes <= end; text++) {
        text = memchr(text, part[0], (size_t)(end - text));
        if (!text) break;
        found += text + part_bytes <= end && !memcmp(text, part, part_bytes);
    }
    return found;
}

static void verdicts_are_passed_failed_in_error_or_skipped(void **state) {
    (void)state;
    bench b = begin("t.ci");
    point(&b, KS_VERDICT_pass, false, "");
    point(&b, KS_VERDICT_fail, true, "");
    point(&b, KS_VERDICT_xpass, true, "known <bug>");
    point(&b, KS_VERDICT_doubt, true, "");
    point(&b, KS_VERDICT_error, true, "");
    point(&b, KS_VERDICT_timeout, true, "");
    point(&b, KS_VERDICT_xfail, false, "known");
    point(&b, KS_VERDICT_infeasible, false, "");
    point(&b, KS_VERDICT_infeasible, true, "");
    point(&b, KS_VERDICT_error, false, "expected");
    b.account.verdicts[KS_VERDICT_not_run] = 7;
    char *text = end(&b, "");
    has(text, "<testsuite name=\"t.ci\" tests=\"17\" failures=\"4\" errors=\"2\" skipped=\"10\" ");
    has(text, "<testcase classname=\"t.ci.k\" name=\"kernel=k S=1\"/>\n");
    has(text, "<failure message=\"fail: reason a=1\">\na detail\nkernsweep show\n</failure>");
    has(text,
        "<failure message=\"xpass: reason a=1 (known &lt;bug&gt;)\">\na detail\nthe rule says: "
        "known &lt;bug&gt;\nkernsweep show\n</failure>");
    has(text, "<skipped message=\"xfail (known)\"/>");
    has(text, "name=\"7 not run\"><skipped");
    assert_int_equal(count(text, "<testsuite "), 1);
    assert_int_equal(strncmp(text, ks_junit_head, strlen(ks_junit_head)), 0);
    assert_string_equal(text + strlen(text) - strlen(ks_junit_tail), ks_junit_tail);
    free(text);
}

static void properties_stand_ahead_of_the_points(void **state) {
    (void)state;
    bench b = begin("t.ci");
    assert_int_equal(ks_junit_property(b.junit, "excluded 3 points", "a <b>"), KS_OK);
    assert_int_equal(ks_junit_property(b.junit, "excluded 1 point", "c"), KS_OK);
    point(&b, KS_VERDICT_pass, false, "");
    char *text = end(&b, "");
    has(text, ">\n<properties>\n<property name=\"excluded 3 points\" value=\"a &lt;b&gt;\"/>\n"
              "<property name=\"excluded 1 point\" value=\"c\"/>\n</properties>\n<testcase ");
    free(text);
}

static void gates_are_a_suite_of_their_own(void **state) {
    (void)state;
    bench b = begin("t.ci");
    point(&b, KS_VERDICT_pass, false, "");
    const ks_gate_line lines[] = {{.gate = "g",
                                   .group = "S=1",
                                   .op = ">",
                                   .has_sides = true,
                                   .value = 2,
                                   .limit = 1,
                                   .answer = KS_GATE_yes,
                                   .why = ""},
                                  {.gate = "g",
                                   .group = "",
                                   .op = ">",
                                   .answer = KS_GATE_doubt,
                                   .is_red = true,
                                   .why = "no \"side\""}};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(ks_junit_gate(b.junit, &lines[i], "kernsweep run"), KS_OK);
    b.account.gates_not_asked = 3;
    char *text = end(&b, "");
    has(text, "<testsuite name=\"t.ci\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" ");
    has(text,
        "<testsuite name=\"t.ci gates\" tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"3\" ");
    has(text, "<testcase classname=\"t.ci.gates\" name=\"g at S=1\"/>");
    has(text,
        "<failure message=\"gate g: doubt (no &quot;side&quot;)\">\nkernsweep run\n</failure>");
    free(text);
}

static void points_beyond_the_limit_are_counted_by_kernel_and_outcome(void **state) {
    (void)state;
    bench b = begin("t.ci");
    for (int i = 0; i < KS_JUNIT_LISTED + 5; i++) point(&b, KS_VERDICT_pass, false, "");
    for (int i = 0; i < KS_JUNIT_LISTED; i++) point(&b, KS_VERDICT_xpass, true, "");
    point(&b, KS_VERDICT_xpass, true, "");
    char *text = end(&b, "");
    has(text, "tests=\"20006\" failures=\"10001\" errors=\"0\" skipped=\"0\"");
    has(text, "<testcase classname=\"t.ci.k\" name=\"5 more passed\"/>");
    has(text, "name=\"1 more failed\"><failure");
    assert_int_equal(count(text, "<testcase "), 2 * KS_JUNIT_LISTED + 2);
    free(text);
}

static void what_fails_the_run_as_a_whole_is_an_error(void **state) {
    (void)state;
    bench b = begin("a<b");
    point(&b, KS_VERDICT_pass, false, "");
    char *text = end(&b, "3 orphans & more");
    has(text, "<testsuite name=\"a&lt;b\" tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"0\"");
    has(text, "<error message=\"3 orphans &amp; more\">\n3 orphans &amp; more\n</error>");
    free(text);
}

static void a_full_device_is_said(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    ks_junit *junit = ks_junit_begin(full, "t.ci");
    const ks_account account = {0};
    assert_non_null(junit);
    const bool has_failed = ks_junit_end(junit, &account, "") != KS_OK || fflush(full) != 0;
    assert_true(has_failed);
    ks_junit_free(junit);
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_valid_whatever_the_bytes),
        cmocka_unit_test(verdicts_are_passed_failed_in_error_or_skipped),
        cmocka_unit_test(properties_stand_ahead_of_the_points),
        cmocka_unit_test(gates_are_a_suite_of_their_own),
        cmocka_unit_test(points_beyond_the_limit_are_counted_by_kernel_and_outcome),
        cmocka_unit_test(what_fails_the_run_as_a_whole_is_an_error),
        cmocka_unit_test(a_full_device_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
