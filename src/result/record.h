/* A point's row with the texts that go beside it in reports. Texts are the giver's. */
#ifndef KS_RESULT_RECORD_H
#define KS_RESULT_RECORD_H

#include "result/change.h"
#include "result/row.h"

typedef struct ks_record {
    const ks_row *row;
    uint64_t index;    /* in the sweep's full grid */
    const char *key;   /* one line that `show` takes */
    const char *label; /* models, joined by `|`; "" */
    const char *kernel;
    const char *params;      /* `,cell` for every parameter that points.csv has a column for */
    const char *detail;      /* what a person should read about a verdict; "" */
    const char *why;         /* of the sweep's rule that expected the verdict; "" */
    const char *cells;       /* what a golden pins of it, as text; "": no golden is wanted */
    bool is_red_alone;       /* makes the run fail, whatever its golden says... */
    bool is_red;             /* ...or for its golden too */
    const ks_change *change; /* from its golden; NULL: equal, or not compared */
} ks_record;

#endif
