/* match_config.h - what `murakumo match` was asked to do: the command line as a struct.
 *
 * Limits and options before the first engine are for both; after an engine they are for that one. The strings point
 * into argv, which must live as long as the config; what had to be copied is freed by match_config_free().
 */
#ifndef MURAKUMO_CLI_MATCH_CONFIG_H
#define MURAKUMO_CLI_MATCH_CONFIG_H

#include "coordinator/cli/match_stats.h"
#include "coordinator/core/match_clock.h"
#include "coordinator/core/match_profile.h"
#include "coordinator/core/referee.h"

#include <stdbool.h>
#include <stdint.h>

enum { MATCH_OPTIONS_MAX = 64, MATCH_ARGS_MAX = 64, MATCH_CONCURRENCY_MAX = 128, MATCH_GAMES_MAX = 1000000 };

struct match_engine_config {
    const char *command;
    char *words; /* owned: the command cut into arguments, which argv points into */
    char *argv[MATCH_ARGS_MAX + 1];
    char name[64];                    /* --name, or the program's file name; made different from the other one's */
    char *options[MATCH_OPTIONS_MAX]; /* "Name=Value" */
    unsigned option_count;
    unsigned threads, hash_mb; /* hash_mb 0 = the engine's default */
    struct match_limits limits;
};

struct match_config {
    struct match_engine_config engines[2];
    uint32_t games; /* 0: every opening once from both sides */
    unsigned concurrency;
    uint64_t seed;
    struct referee_rules rules;
    int64_t margin_ms;          /* later than the limit by more than this: lost on time */
    int64_t network_delay_ms;   /* later than the limit by more than this: counted as an overrun */
    int64_t start_ms, ready_ms; /* for usiok and readyok */
    int64_t hang_ms;            /* after the limit: no longer waited for */
    int64_t unlimited_ms;       /* the same for searches that only nodes or depth limit */
    bool lenient;               /* late answers are counted and tolerated */
    bool sprt_on;
    struct sprt sprt;
    const char *openings_path, *json_path, *out_path, *results_path, *log_path, *stderr_path;
    int64_t progress_ms; /* between lines when stderr is no terminal */
    bool quiet;
};

enum match_config_result { MATCH_CONFIG_OK, MATCH_CONFIG_HELP, MATCH_CONFIG_WRONG };
/* argv[0] is the command's name. On MATCH_CONFIG_WRONG one line has been written to stderr. Free it in any case. */
enum match_config_result match_config_read(struct match_config *config, int argc, char **argv);
void match_config_free(struct match_config *config);
void match_config_help(void);

/* One line that names everything on which results depend: two parts of a match may be joined only if it is the same.
 * `out` gets what snprintf() would write; returns the full length. */
size_t match_config_fingerprint(const struct match_config *config, uint64_t openings_hash, char *out, size_t out_bytes);
/* "1000 ms byoyomi", "5000 nodes": for people. */
void match_limits_text(const struct match_limits *limits, char *out, size_t out_bytes);

#endif
