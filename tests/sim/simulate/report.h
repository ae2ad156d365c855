/* report.h - the rows of a measurement as a table, JSON, CSV and a picture. Units are in the names of the columns. */
#ifndef MURAKUMO_SIMULATE_REPORT_H
#define MURAKUMO_SIMULATE_REPORT_H

#include "tests/sim/simulate/match.h"
#include "tests/sim/simulate/measure.h"

#include <stdio.h>

void report_table_head(FILE *out);
void report_table_row(FILE *out, const struct measure_row *row);
void report_json(FILE *out, const struct measure_row *rows, size_t count); /* a list of objects */
void report_csv_head(FILE *out);
/* One line for each position that was searched. summary.h reads it. */
void report_csv_rows(FILE *out, const struct measure_row *row, const struct measure_position *positions,
                     const struct measure_run *runs, size_t count);
/* Speed-up over workers, one line for each strategy and latency, with bars for the intervals. Logarithmic both ways. */
void report_svg(FILE *out, const struct measure_row *rows, size_t count);

void report_match_head(FILE *out);
void report_match_row(FILE *out, const struct match_row *row);
void report_match_json(FILE *out, const struct match_row *rows, size_t count); /* a list of objects */

#endif
