/* What is said of points together: gates, winners, and the account of a run. */
#ifndef KS_RESULT_TALLY_H
#define KS_RESULT_TALLY_H

#include "base/exact.h"
#include "base/status.h"
#include "result/row.h"

typedef enum ks_gate_answer { KS_GATE_yes, KS_GATE_no, KS_GATE_doubt } ks_gate_answer;
const char *ks_gate_answer_name(ks_gate_answer answer);

/* A line of gates.csv. A gate is one comparison: value and limit are its sides. */
typedef struct ks_gate_line {
    const char *gate, *group, *op;
    bool has_sides; /* false (doubt): value and limit are empty cells */
    double value, limit;
    const ks_exact *exact_value, *exact_limit; /* until `take` returns; NULL in a doubt */
    ks_gate_answer answer;                     /* raw, before `expect` */
    bool is_red;                               /* after it */
    const char *why;                           /* of the gate in the sweep file, or of a doubt */
} ks_gate_line;

/* A line of winners.csv. */
typedef struct ks_winner_line {
    const char *group, *kernel, *policy;
    bool has_tile; /* false: a bench */
    uint64_t tile, total_ticks;
} ks_winner_line;

/* Mode data: inputs with their references, and results, made and taken from another point. */
#define KS_SHARE_MAP(X) X(numbers_made) X(numbers_shared) X(results_made) X(results_shared)
typedef enum ks_share {
#define X(name) KS_SHARE_##name,
    KS_SHARE_MAP(X)
#undef X
        KS_SHARE_COUNT
} ks_share;
const char *ks_share_name(ks_share share);

/* Every planned point is in exactly one verdict. */
typedef struct ks_account {
    uint64_t planned;
    uint64_t verdicts[KS_VERDICT_COUNT];
    uint64_t red;                  /* points that make the run fail */
    uint64_t goldens[4];           /* by ks_golden_state, of the points that ran */
    uint64_t paths[KS_PATH_COUNT]; /* of the points that are neither infeasible nor an error */
    uint64_t golden_stale;         /* goldens that were made for something else */
    uint64_t golden_orphans;       /* rows of goldens that are no point */
    uint64_t golden_required;      /* points that must have a golden and have none */
    uint64_t golden_unused;        /* sweeps that want a golden, and nothing was compared */
    uint64_t skipped_invariants;   /* points of which not every invariant was asked */
    uint64_t bare_points;          /* that ran, and no golden, number or op_log was checked */
    uint64_t gate_groups[3];       /* by ks_gate_answer */
    uint64_t gates_red, gates_not_asked;
    uint64_t shares[KS_SHARE_COUNT]; /* which point was first depends on the threads */
} ks_account;

/* planned = sum of verdicts. */
bool ks_account_adds_up(const ks_account *account);
void ks_account_join(ks_account *into, const ks_account *from);
/* 0 clean, 1 a check failed or nothing ran, 3 incomplete, 4 points without a wanted golden. */
int ks_account_exit_code(const ks_account *account);
/* Points ran, and neither a golden nor a number, an op_log or a gate of any of them was checked. */
bool ks_account_is_bare(const ks_account *account);

#endif
