/* Which verbs and options there are; for options.c, which holds them, and option_parse.c. */
#ifndef KS_CLI_OPTION_TABLE_H
#define KS_CLI_OPTION_TABLE_H

#include "cli/options.h"

enum { KS_MOST_VERBS = 16, KS_MOST_OPTIONS = 64 };

typedef struct ks_verb_info {
    const char *name;
    ks_verb_id id;
    bool is_built;
    size_t least, most; /* arguments */
    const char *arguments, *about;
} ks_verb_info;

typedef ks_status ks_option_setter(ks_options *options, const char *value, ks_error *error);

typedef struct ks_option_info {
    const char *name;
    int letter; /* 0: none */
    int verbs;
    const char *value;     /* NULL: takes none */
    ks_option_setter *set; /* NULL: not built yet */
    const char *about;
} ks_option_info;

extern const ks_verb_info ks_verb_table[];
extern const size_t ks_verb_count;
extern const ks_option_info ks_option_table[];
extern const size_t ks_option_count;

#endif
