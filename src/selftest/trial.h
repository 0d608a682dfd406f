/* Mutations as tables. Seen by selftest/ only. */
#ifndef KS_SELFTEST_TRIAL_H
#define KS_SELFTEST_TRIAL_H

#include "selftest/selftest.h"

/* The sweep that is run, and its points. */
#define KS_SWEEP_NAME "selftest.smoke"
#define KS_SWEEP_FILE KS_SWEEP_NAME ".yaml"
#define KS_POINT_OPT2 "kernel=decode_opt2 G=4 TILE=16 d=16 S=40"
#define KS_POINT_OPT3 "kernel=decode_opt3 G=4 TILE=16 d=16 S=40"
#define KS_POINT_GEMM "kernel=gemm M=17 K=130 N=65"
#define KS_POINT_CHAIN "kernel=gemm_chain M=17 K=130 N=65"
#define KS_POINT_LINEAR "kernel=rmsnorm_linear M=17 K=130 N=65"
#define KS_POINT_LARGE2 "kernel=decode_opt2 G=4 TILE=65536 d=16 S=40"
#define KS_POINT_LARGE3 "kernel=decode_opt3 G=4 TILE=65536 d=16 S=40"

extern const char ks_selftest_sweep[];

/* A change of a file in the folder: `find` stands there once. */
typedef struct ks_edit {
    const char *file; /* NULL: none */
    const char *find, *replace;
} ks_edit;

/* A change of a golden, or of what a run observed. */
typedef enum ks_golden_change {
    KS_SPOIL_NOTHING,
    KS_SPOIL_CELL,    /* cell `from` of the point's row is `to` */
    KS_SPOIL_NUDGE,   /* cell `from` of the point's row has another last letter */
    KS_SPOIL_LOSE,    /* the point's row is lost, */
    KS_SPOIL_DOUBLE,  /* there twice, */
    KS_SPOIL_SWAP,    /* in the place of the next one */
    KS_SPOIL_DEFAULT, /* default `from` is `to` */
    KS_SPOIL_HEAD,    /* cell `number` of the first line is `to` */
    KS_SPOIL_END,     /* the last line is lost */
    KS_SPOIL_REPLACE, /* all `from` are `to` */
    KS_SPOIL_CUT,     /* the last `number` bytes are lost */
    KS_SPOIL_FLIP,    /* a bit of the byte after `number` per cent is flipped */
    KS_SPOIL_EMPTY,
    KS_SPOIL_GONE /* there is no file */
} ks_golden_change;

typedef struct ks_golden_spoil {
    ks_golden_change what;
    bool is_sealed; /* as the program would have done: only the change itself can tell */
    const char *key;
    const char *from, *to;
    int number;
} ks_golden_spoil;

typedef enum ks_trial_call { KS_CALL_RUN, KS_CALL_BLESS, KS_CALL_BLESS_IN_CI } ks_trial_call;

enum { KS_TRIAL_KEYS = 4, KS_TRIAL_EDITS = 2, KS_TRIAL_WORDS = 4 };

typedef struct ks_trial {
    const char *name;
    ks_spoil spoil; /* key NULL: none */
    ks_edit edits[KS_TRIAL_EDITS];
    ks_golden_spoil golden, observed; /* of the golden; of the clean run's observed.csv */
    ks_trial_call call;
    const char *words[KS_TRIAL_WORDS]; /* options, after those that every call has */

    /* What must come of it. */
    int code;
    const char
        *keys[KS_TRIAL_KEYS]; /* points whose rows change; every other row stays byte by byte */
    const char *invariant;    /* that breaks in them; NULL: none does */
    const char *also;         /* those that may break with it, parted by blanks; NULL: none */
    const char *verdict;      /* of them; NULL: fail */
    const char *golden_cell;  /* of them; NULL: it is not looked at */
    const char *gate;         /* whose answers are other than before; NULL: no gate's are */
    const char *says;         /* in what the program says; NULL: nothing is asked */
} ks_trial;

typedef struct ks_trials {
    const ks_trial *trials;
    size_t count;
} ks_trials;

ks_trials ks_trials_of_rows(void);    /* op_logs, trials_rows.c */
ks_trials ks_trials_of_results(void); /* programs, figures, OUT, rows: trials_results.c */
ks_trials ks_trials_of_sweeps(void);  /* sweep files, command lines: trials_sweep.c */
ks_trials ks_trials_of_goldens(void); /* trials_golden.c */
ks_trials ks_trials_of_blesses(void); /* trials_bless.c */

#endif
