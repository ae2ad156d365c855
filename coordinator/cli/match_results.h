/* match_results.h - the results file of a match: one JSON object a line, written as each game ends.
 *
 * The first line names the match (fingerprint). A later start with the same command reads the games back and goes on
 * behind them; a different match is refused. A last line that a kill has cut short is taken off. Each line is one
 * write() followed by fdatasync(): a game that was counted is on the disk.
 */
#ifndef MURAKUMO_CLI_MATCH_RESULTS_H
#define MURAKUMO_CLI_MATCH_RESULTS_H

#include "common/base/text.h"
#include "coordinator/cli/match_totals.h"

struct match_results {
    int fd; /* -1: none */
    const char *path;
};

typedef void (*match_results_sink)(void *context, const struct game_record *record);

/* Opens or makes the file and hands every game in it to `sink`. False: one line is on stderr. */
bool match_results_open(struct match_results *results, const char *path, const char *fingerprint,
                        match_results_sink sink, void *context);
/* False when the disk does not take it (one line on stderr). Does nothing without a file. */
bool match_results_append(struct match_results *results, const struct game_record *record, const char *sfen,
                          const char *moves);
void match_results_close(struct match_results *results);

/* A JSON string with its quotes; anything that is not well-formed UTF-8 is replaced. */
void match_put_json_string(struct text_buffer *buffer, const char *string);

#endif
