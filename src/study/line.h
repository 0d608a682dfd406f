/* A gate along one constant, piece by piece: where it changes its answer. A gate is num / den
 * compared with 0; on a piece both are linear in the constant's ticks, or nothing is known but the
 * answer at the piece's one value. */
#ifndef KS_STUDY_LINE_H
#define KS_STUDY_LINE_H

#include "base/exact.h"
#include "base/status.h"

typedef enum ks_gate_state { KS_GATE_FAILS, KS_GATE_HOLDS, KS_GATE_UNKNOWN } ks_gate_state;
/* "fail", "pass", "unknown" */
const char *ks_gate_state_name(ks_gate_state state);
/* `op` as in a study file; order: the sign of left - right. */
ks_gate_state ks_gate_compared(const char *op, int order);

typedef struct ks_piece {
    uint64_t last;  /* last value of the piece in the direction that was asked for */
    bool is_linear; /* else `last` is the value that was asked for, and `state` its answer */
    ks_gate_state state;
    ks_exact num, den;             /* at the value that was asked for */
    ks_exact num_slope, den_slope; /* per tick */
} ks_piece;
void ks_piece_free(ks_piece *piece);

typedef struct ks_line {
    void *self;
    const char *op;
    uint64_t low, high, step; /* ticks; step: distance of neighbours */
    /* The piece that begins at `value`, upward or downward, not past low or high. */
    ks_status (*at)(void *self, uint64_t value, bool is_upward, ks_piece *piece, ks_error *error);
} ks_line;

/* Between `below` and `above`, neighbours (of a sample: a bracket), the answer changes. */
typedef struct ks_flip {
    uint64_t below, above; /* ticks */
    ks_gate_state state_below, state_above;
    bool has_root; /* the change is at `root` exactly, in units of the constant */
    ks_exact root;
} ks_flip;

typedef struct ks_flips {
    ks_flip *items; /* ascending; owned */
    size_t count, room;
    uint64_t from, to; /* every flip between these two is there */
    uint64_t pieces;   /* that were looked at */
} ks_flips;
void ks_flips_free(ks_flips *flips);

/* Walks from `base` up and down to the line's ends, or until `budget` pieces were looked at: then
 * from and to say how far. */
KS_CHECKED ks_status ks_line_walk(const ks_line *line, uint64_t base, uint64_t budget,
                                  ks_flips *out, ks_error *error);
/* Adds flips beyond from and to that `count` further values and bisection find; at least these. */
KS_CHECKED ks_status ks_line_sample(const ks_line *line, uint64_t count, ks_flips *flips,
                                    ks_error *error);

#endif
