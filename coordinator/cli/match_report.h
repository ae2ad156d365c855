/* match_report.h - what a match found: a line for the way, a page for the end, JSON for programs. */
#ifndef MURAKUMO_CLI_MATCH_REPORT_H
#define MURAKUMO_CLI_MATCH_REPORT_H

#include "coordinator/cli/match_run.h"

#include <stdio.h>

/* "12/100  +5 =1 -6  45.8 %  Elo -29 +-180  LOS 38 %  ..." */
void match_report_line(const struct match_config *config, const struct match_totals *totals, char *out,
                       size_t out_bytes);
void match_report_text(FILE *file, const struct match_config *config, const struct match_totals *totals,
                       const struct match_outcome *outcome);
void match_report_json(FILE *file, const struct match_config *config, const struct match_totals *totals,
                       const struct match_outcome *outcome);

#endif
