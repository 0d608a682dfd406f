/* Which result columns a study may name. */
#ifndef KS_STUDY_SUBJECT_COLUMNS_H
#define KS_STUDY_SUBJECT_COLUMNS_H

#include "result/row.h"
#include "sweep/study_file.h"

/* That mode dispatch gives: no timeline is needed. */
bool ks_column_is_of_dispatch(ks_column column);

/* For the reader of study files. */
ks_study_options ks_study_columns(void);

#endif
