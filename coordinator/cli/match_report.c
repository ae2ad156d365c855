#include "coordinator/cli/match_report.h"

#include <inttypes.h>
#include <math.h>

static const char *stop_text(enum match_stop stop)
{
    switch (stop) {
    case MATCH_STOP_COMPLETE:
        return "all games played";
    case MATCH_STOP_SPRT:
        return "the SPRT has decided";
    case MATCH_STOP_INTERRUPT:
        return "interrupted";
    case MATCH_STOP_ENGINE:
        return "an engine does not work";
    case MATCH_STOP_LIMITS:
        return "an engine does not understand its limits";
    case MATCH_STOP_IO:
        return "input or output failed";
    }
    return "?";
}

static const char *stop_word(enum match_stop stop)
{
    static const char *const words[] = {"complete", "sprt", "interrupted", "engine_failed", "limits", "io_failed"};
    return words[stop];
}

static const char *sprt_word(enum sprt_verdict verdict)
{
    return verdict == SPRT_ACCEPT_H1 ? "H1 accepted" : verdict == SPRT_ACCEPT_H0 ? "H0 accepted" : "undecided";
}

static void elo_text(const struct match_estimate *estimate, char out[64])
{
    if (isfinite(estimate->elo_error) && isfinite(estimate->elo))
        snprintf(out, 64, "%+.1f +-%.1f", estimate->elo, estimate->elo_error);
    else if (isfinite(estimate->elo_low))
        snprintf(out, 64, "above %+.0f", estimate->elo_low);
    else if (isfinite(estimate->elo_high))
        snprintf(out, 64, "below %+.0f", estimate->elo_high);
    else
        snprintf(out, 64, "unknown");
}

void match_report_line(const struct match_config *config, const struct match_totals *totals, char *out,
                       size_t out_bytes)
{
    const struct match_score *score = &totals->score;
    struct match_estimate estimate = match_stats_estimate(score);
    char elo[64];
    elo_text(&estimate, elo);
    int length = snprintf(out, out_bytes, "+%" PRIu32 " =%" PRIu32 " -%" PRIu32 "  %.1f %%  Elo %s", score->wins,
                          score->draws, score->losses, 100 * estimate.score, elo);
    if (config->sprt_on && length > 0 && (size_t)length < out_bytes) {
        struct sprt_state state = match_stats_sprt(score, &config->sprt);
        snprintf(out + length, out_bytes - (size_t)length, "  LLR %.2f (%.2f, %.2f)", state.llr, state.lower,
                 state.upper);
    }
}

/* Processor time by thinking time: 1 for each thread that runs all the time; more if it thinks when it should not. */
static double cpu_share(const struct engine_totals *engine)
{
    return engine->cpu_time_us > 0 ? (double)engine->cpu_ms * 1000 / (double)engine->cpu_time_us : NAN;
}

static void engine_text(FILE *file, const struct match_config *config, const struct match_totals *totals,
                        const struct match_outcome *outcome, unsigned i)
{
    const struct engine_totals *engine = &totals->engines[i];
    char limits[160];
    match_limits_text(&config->engines[i].limits, limits, sizeof limits);
    fprintf(file, "%s\n", config->engines[i].name);
    fprintf(file, "  command    %s\n", config->engines[i].command);
    if (outcome->profiles[i])
        fprintf(file, "  engine     %s (profile %s: %s)\n", outcome->id_names[i], outcome->profiles[i]->name,
                outcome->profiles[i]->note);
    fprintf(file, "  limits     %s, %u thread%s\n", limits, config->engines[i].threads,
            config->engines[i].threads == 1 ? "" : "s");
    if (engine->moves > 0) {
        double seconds = (double)engine->time_us / 1e6;
        fprintf(file, "  moves      %" PRIu64 ", mean %.1f ms", engine->moves,
                (double)engine->time_us / 1e3 / (double)engine->moves);
        if (engine->nodes > 0)
            fprintf(file, ", %.0f nodes, %.0f nodes/s", (double)engine->nodes / (double)engine->moves,
                    seconds > 0 ? (double)engine->nodes / seconds : 0.0);
        if (engine->depth_moves > 0)
            fprintf(file, ", depth %.1f", (double)engine->depth_plies_sum / (double)engine->depth_moves);
        fputc('\n', file);
    }
    if (engine->cpu_time_us > 0) {
        double share = cpu_share(engine);
        fprintf(file, "  processor  %.0f %% of its thinking time%s\n", 100 * share,
                share < 0.9 ? ": the machine was busy with other things; mind this with time limits" : "");
    }
    if (engine->lateness.moves > 0)
        fprintf(file,
                "  late       %" PRIu32 " of %" PRIu32 " answers after the limit; p99 %" PRIu32
                " ms, max %.1f ms; %" PRIu32 " beyond the network delay of %" PRId64 " ms\n",
                engine->lateness.late, engine->lateness.moves, lateness_quantile_ms(&engine->lateness, 0.99),
                (double)engine->lateness.max_us / 1000, engine->lateness.overruns, config->network_delay_ms);
    fprintf(file, "  lost by    ");
    static const enum game_end bad_ends[] = {GAME_TIME, GAME_HANG, GAME_CRASH, GAME_ILLEGAL_MOVE,
                                             GAME_FALSE_DECLARATION};
    for (size_t k = 0; k < sizeof bad_ends / sizeof *bad_ends; k++)
        fprintf(file, "%s%s %" PRIu32, k ? ", " : "", game_end_word(bad_ends[k]), engine->lost_by[bad_ends[k]]);
    fprintf(file, "; restarts %" PRIu32 ", deaths between games %" PRIu32 "\n", outcome->restarts[i],
            outcome->idle_crashes[i]);
    fprintf(file, "  protocol   ");
    for (unsigned k = 0; k < DIALOGUE_FAULT_COUNT; k++)
        fprintf(file, "%s%s %" PRIu32, k ? ", " : "", dialogue_fault_name((enum dialogue_fault)k), engine->faults[k]);
    fprintf(file, ", no_bestmove %" PRIu32 "\n", engine->lost_by[GAME_HANG] + engine->lost_by[GAME_CRASH]);
}

void match_report_text(FILE *file, const struct match_config *config, const struct match_totals *totals,
                       const struct match_outcome *outcome)
{
    const struct match_score *score = &totals->score;
    struct match_estimate estimate = match_stats_estimate(score);
    uint32_t games = match_score_games(score);
    char elo[64];
    elo_text(&estimate, elo);
    for (unsigned i = 0; i < 2; i++) engine_text(file, config, totals, outcome, i);
    fprintf(file, "\n%s against %s: %" PRIu32 " of %" PRIu32 " games (%s)\n", config->engines[0].name,
            config->engines[1].name, games, totals->games, stop_text(outcome->stop));
    if (games == 0) return;
    fprintf(file, "  result     +%" PRIu32 " =%" PRIu32 " -%" PRIu32 "  %.1f %%  (draws %.1f %%)\n", score->wins,
            score->draws, score->losses, 100 * estimate.score, 100 * estimate.draw_ratio);
    fprintf(file, "  Elo        %s (95 %%: %+.1f to %+.1f, from %s), superiority %.1f %%\n", elo, estimate.elo_low,
            estimate.elo_high, estimate.paired ? "pairs" : "single games", 100 * estimate.superiority);
    fprintf(file,
            "  pairs      %" PRIu32 ": 0-2 %" PRIu32 ", 0.5-1.5 %" PRIu32 ", 1-1 %" PRIu32 ", 1.5-0.5 %" PRIu32
            ", 2-0 %" PRIu32 "\n",
            match_score_pairs(score), score->pairs[0], score->pairs[1], score->pairs[2], score->pairs[3],
            score->pairs[4]);
    if (config->sprt_on) {
        struct sprt_state state = match_stats_sprt(score, &config->sprt);
        fprintf(file, "  SPRT       elo0 %g elo1 %g: LLR %.2f in (%.2f, %.2f): %s\n", config->sprt.elo0,
                config->sprt.elo1, state.llr, state.lower, state.upper, sprt_word(state.verdict));
    }
    uint32_t black_games = totals->engines[0].black_games + totals->engines[1].black_games;
    uint32_t black_points = totals->engines[0].black_half_points + totals->engines[1].black_half_points;
    fprintf(file, "  Black      scored %.1f %%; mean length %.0f plies\n", 50.0 * black_points / black_games,
            (double)totals->plies / games);
    fprintf(file, "  ended by   ");
    const char *separator = "";
    for (unsigned i = 1; i < GAME_END_COUNT; i++) {
        if (totals->ends[i] == 0) continue;
        fprintf(file, "%s%s %" PRIu32, separator, game_end_word((enum game_end)i), totals->ends[i]);
        separator = ", ";
    }
    fputc('\n', file);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------
 */

static void put_number(struct text_buffer *out, const char *key, double value)
{
    if (isfinite(value))
        text_buffer_format(out, "\"%s\":%.6g,", key, value);
    else
        text_buffer_format(out, "\"%s\":null,", key);
}

static void put_engine(struct text_buffer *out, const struct match_config *config, const struct match_totals *totals,
                       const struct match_outcome *outcome, unsigned i)
{
    const struct match_engine_config *engine_config = &config->engines[i];
    const struct engine_totals *engine = &totals->engines[i];
    char limits[160];
    match_limits_text(&engine_config->limits, limits, sizeof limits);
    text_buffer_put_string(out, "{\"name\":");
    match_put_json_string(out, engine_config->name);
    text_buffer_put_string(out, ",\"command\":");
    match_put_json_string(out, engine_config->command);
    text_buffer_put_string(out, ",\"id_name\":");
    match_put_json_string(out, outcome->id_names[i]);
    text_buffer_format(out, ",\"profile\":\"%s\",\"limits\":\"%s\",\"threads\":%u,\"options\":[",
                       outcome->profiles[i] ? outcome->profiles[i]->name : "", limits, engine_config->threads);
    for (unsigned k = 0; k < engine_config->option_count; k++) {
        if (k) text_buffer_put_char(out, ',');
        match_put_json_string(out, engine_config->options[k]);
    }
    text_buffer_format(out, "],\"answers\":%" PRIu64 ",\"nodes\":%" PRIu64 ",\"time_us\":%" PRId64 ",", engine->moves,
                       engine->nodes, engine->time_us);
    put_number(out, "cpu_share", cpu_share(engine));
    put_number(out, "depth_mean",
               engine->depth_moves ? (double)engine->depth_plies_sum / (double)engine->depth_moves : NAN);
    text_buffer_format(out,
                       "\"late\":{\"limited_answers\":%" PRIu32 ",\"late\":%" PRIu32 ",\"overruns\":%" PRIu32
                       ",\"p99_ms\":%" PRIu32 ",\"max_us\":%" PRId64 "},\"lost_by\":{",
                       engine->lateness.moves, engine->lateness.late, engine->lateness.overruns,
                       lateness_quantile_ms(&engine->lateness, 0.99), engine->lateness.max_us);
    for (unsigned k = 1; k < GAME_END_COUNT; k++)
        text_buffer_format(out, "%s\"%s\":%" PRIu32, k > 1 ? "," : "", game_end_word((enum game_end)k),
                           engine->lost_by[k]);
    text_buffer_put_string(out, "},\"faults\":{");
    for (unsigned k = 0; k < DIALOGUE_FAULT_COUNT; k++)
        text_buffer_format(out, "%s\"%s\":%" PRIu32, k ? "," : "", dialogue_fault_name((enum dialogue_fault)k),
                           engine->faults[k]);
    text_buffer_format(out, "},\"restarts\":%" PRIu32 ",\"idle_crashes\":%" PRIu32 "}", outcome->restarts[i],
                       outcome->idle_crashes[i]);
}

void match_report_json(FILE *file, const struct match_config *config, const struct match_totals *totals,
                       const struct match_outcome *outcome)
{
    const struct match_score *score = &totals->score;
    struct match_estimate estimate = match_stats_estimate(score);
    struct text_buffer out;
    text_buffer_init(&out, 1 << 20);
    text_buffer_format(
        &out,
        "{\"stop\":\"%s\",\"games\":%" PRIu32 ",\"games_planned\":%" PRIu32 ",\"wins\":%" PRIu32 ",\"draws\":%" PRIu32
        ",\"losses\":%" PRIu32 ",\"pairs\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],",
        stop_word(outcome->stop), match_score_games(score), totals->games, score->wins, score->draws, score->losses,
        score->pairs[0], score->pairs[1], score->pairs[2], score->pairs[3], score->pairs[4]);
    put_number(&out, "score", estimate.score);
    put_number(&out, "elo", estimate.elo);
    put_number(&out, "elo_low", estimate.elo_low);
    put_number(&out, "elo_high", estimate.elo_high);
    put_number(&out, "elo_error", estimate.elo_error);
    put_number(&out, "superiority", estimate.superiority);
    put_number(&out, "draw_ratio", estimate.draw_ratio);
    if (config->sprt_on) {
        struct sprt_state state = match_stats_sprt(score, &config->sprt);
        text_buffer_format(&out,
                           "\"sprt\":{\"elo0\":%g,\"elo1\":%g,\"alpha\":%g,\"beta\":%g,\"llr\":%.4f,\"lower\":%.4f,"
                           "\"upper\":%.4f,\"verdict\":\"%s\"},",
                           config->sprt.elo0, config->sprt.elo1, config->sprt.alpha, config->sprt.beta, state.llr,
                           state.lower, state.upper, sprt_word(state.verdict));
    }
    text_buffer_format(&out, "\"plies\":%" PRIu64 ",\"ends\":{", totals->plies);
    for (unsigned i = 1; i < GAME_END_COUNT; i++)
        text_buffer_format(&out, "%s\"%s\":%" PRIu32, i > 1 ? "," : "", game_end_word((enum game_end)i),
                           totals->ends[i]);
    text_buffer_put_string(&out, "},");
    put_number(&out, "games_per_second", outcome->games_per_second);
    text_buffer_put_string(&out, "\"engines\":[");
    put_engine(&out, config, totals, outcome, 0);
    text_buffer_put_char(&out, ',');
    put_engine(&out, config, totals, outcome, 1);
    text_buffer_put_string(&out, "]}\n");
    if (out.data) fwrite(out.data, 1, out.length, file);
    text_buffer_free(&out);
}
