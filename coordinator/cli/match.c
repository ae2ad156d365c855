/* match.c - `murakumo match`: reads the command line, joins the pieces, reports. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/match_config.h"
#include "coordinator/cli/match_openings.h"
#include "coordinator/cli/match_report.h"
#include "coordinator/cli/match_results.h"
#include "coordinator/cli/match_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct resume {
    struct match_totals *totals;
    int64_t network_delay_us;
};

static void resume_game(void *context, const struct game_record *record)
{
    struct resume *resume = context;
    match_totals_add(resume->totals, record, resume->network_delay_us);
}

static bool write_json(const struct match_config *config, const struct match_totals *totals,
                       const struct match_outcome *outcome)
{
    FILE *file = fopen(config->json_path, "we");
    if (file) match_report_json(file, config, totals, outcome);
    bool ok = file && !ferror(file);
    if (file && fclose(file) != 0) ok = false;
    if (!ok) fprintf(stderr, "murakumo match: %s: %s\n", config->json_path, strerror(errno));
    return ok;
}

static int run(const struct match_config *config, const struct match_openings *openings, uint32_t game_count)
{
    static char fingerprint[1 << 16];
    int code = CLI_FAILED;
    struct match_totals *totals = calloc(1, sizeof *totals);
    int8_t *half_points = malloc(game_count);
    struct match_results results = {.fd = -1};
    struct match_games games = {0};
    struct match_outcome outcome;
    if (!totals || !half_points) {
        fprintf(stderr, "murakumo match: out of memory\n");
        goto done;
    }
    match_totals_init(totals, half_points, game_count);
    if (match_config_fingerprint(config, openings->hash, fingerprint, sizeof fingerprint) >= sizeof fingerprint) {
        fprintf(stderr, "murakumo match: the command line is too long\n");
        goto done;
    }
    struct resume resume = {totals, config->network_delay_ms * 1000};
    if (!match_results_open(&results, config->results_path, fingerprint, resume_game, &resume)) goto done;
    uint32_t found = match_score_games(&totals->score);
    if (found > 0 && !config->quiet) fprintf(stderr, "%s: %u games are there already\n", config->results_path, found);
    if (game_count > openings->count * 2 && !config->quiet)
        fprintf(
            stderr,
            "%u openings for %u games: from game %u on they come again. Engines that play the same moves again (fixed "
            "nodes, one thread) add nothing new then, and the error bars are too narrow\n",
            openings->count, game_count, openings->count * 2 + 1);
    if (!match_games_open(&games, config->out_path)) goto done;
    match_run(config, openings, &results, &games, totals, &outcome);
    bool json_to_stdout = config->json_path && strcmp(config->json_path, "-") == 0;
    if (json_to_stdout)
        match_report_json(stdout, config, totals, &outcome);
    else
        match_report_text(stdout, config, totals, &outcome);
    code = outcome.stop == MATCH_STOP_COMPLETE || outcome.stop == MATCH_STOP_SPRT ? CLI_DONE
           : outcome.stop == MATCH_STOP_LIMITS                                    ? CLI_USAGE
                                                                                  : CLI_FAILED;
    if (config->json_path && !json_to_stdout && !write_json(config, totals, &outcome)) code = CLI_FAILED;
    if (fflush(stdout) != 0) code = CLI_FAILED;
done:
    if (!match_games_close(&games)) code = CLI_FAILED;
    match_results_close(&results);
    free(half_points);
    free(totals);
    return code;
}

int cli_match(int argc, char **argv)
{
    struct match_config config;
    struct match_openings openings = {0};
    int code = CLI_USAGE;
    switch (match_config_read(&config, argc, argv)) {
    case MATCH_CONFIG_HELP:
        match_config_help();
        code = CLI_DONE;
        break;
    case MATCH_CONFIG_WRONG:
        break;
    case MATCH_CONFIG_OK:
        if (!match_openings_load(&openings, config.openings_path, &config.rules)) break;
        code = run(&config, &openings, config.games ? config.games : openings.count * 2);
        break;
    }
    match_openings_free(&openings);
    match_config_free(&config);
    return code;
}
