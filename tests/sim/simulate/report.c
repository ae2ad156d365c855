/* report.c - see report.h. */
#include "tests/sim/simulate/report.h"

#include "common/shogi/movetext.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void report_table_head(FILE *out)
{
    fprintf(out, "%-14s %7s %10s %8s %15s %8s %15s %8s %6s %6s %10s\n", "strategy", "workers", "latency_ms", "speedup",
            "ci95", "answer", "ci95", "overhead", "idle%", "hint%", "kB/s");
}

void report_table_row(FILE *out, const struct measure_row *r)
{
    char depth[32], answer[32];
    snprintf(depth, sizeof depth, "%.2f-%.2f", r->depth.low, r->depth.high);
    snprintf(answer, sizeof answer, "%.2f-%.2f", r->answer.low, r->answer.high);
    fprintf(out, "%-14s %7u %10.3g %8.2f %15s %8.2f %15s %8.2f %6.1f %6.1f %10.1f", r->strategy, r->workers,
            r->latency_ms, r->depth.mean, depth, r->answer.mean, answer, r->overhead, 100 * r->idle_share,
            100 * r->hint_share, r->bytes_per_s / 1000);
    if (r->unreached > 0) fprintf(out, "  (%zu of %zu broken off)", r->unreached, r->positions);
    fputc('\n', out);
}

static void json_row(FILE *out, const struct measure_row *r)
{
    fprintf(
        out,
        "{\"strategy\":\"%s\",\"workers\":%u,\"latency_ms\":%.6g,\"speedup\":%.4f,\"ci95\":[%.4f,%.4f],"
        "\"positions\":%zu,\"unreached\":%zu,\"answer_speedup\":%.4f,\"answer_ci95\":[%.4f,%.4f],"
        "\"answer_positions\":%zu,\"solved\":%zu,\"overhead\":%.4f,\"idle_share\":%.5f,\"communication_share\":%.5f,"
        "\"messages_per_s\":%.2f,\"bytes_per_s\":%.1f,\"hints_received_per_s\":%.1f,\"hints_dropped\":%" PRIu64 "}",
        r->strategy, r->workers, r->latency_ms, r->depth.mean, r->depth.low, r->depth.high, r->positions, r->unreached,
        r->answer.mean, r->answer.low, r->answer.high, r->answer.count, r->solved, r->overhead, r->idle_share,
        r->hint_share, r->frames_per_s, r->bytes_per_s, r->hints_received_per_s, r->hints_dropped);
}

void report_json(FILE *out, const struct measure_row *rows, size_t count)
{
    fputs("[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",\n " : "", out);
        json_row(out, &rows[i]);
    }
    fputs("]\n", out);
}

void report_csv_head(FILE *out)
{
    fputs("strategy,workers,latency_ms,sfen,depth_first_plies,depth_plies,time_alone_ms,time_ms,reached,speedup,right_"
          "move,"
          "solved,answer_speedup,nodes_alone,nodes,overhead,total_us,idle_us,hint_us,frames,bytes,hints_received,"
          "hints_dropped\n",
          out);
}

void report_csv_rows(FILE *out, const struct measure_row *row, const struct measure_position *positions,
                     const struct measure_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct measure_position *p = &positions[i];
        const struct measure_run *run = &runs[i];
        char right[MOVETEXT_BYTES_MAX];
        if (!run->done) continue;
        movetext_to_usi(p->right, right);
        fprintf(out, "%s,%u,%.6g,%s,%d,%d,%.3f,%.3f,%d,%.6f,", row->strategy, row->workers, row->latency_ms, p->sfen,
                p->depth_first_plies, p->depth_plies, (double)p->time_us / 1000, (double)run->time_us / 1000,
                run->reached, run->speedup);
        fprintf(out, "%s,%d,%.6f,%" PRIu64 ",%" PRIu64 ",%.6f,", right, run->solved, run->answer_speedup, p->nodes,
                run->nodes, run->overhead);
        fprintf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                run->total_us, run->idle_us, run->hint_us, run->frames, run->bytes, run->hints_received,
                run->hints_dropped);
    }
    fflush(out);
}

/* ---- picture --------------------------------------------------------------------------------------------------- */

enum { LEFT = 60, TOP = 30, SIDE = 480, LEGEND = 260 };

static double at_x(double workers, double doublings) { return LEFT + SIDE * log2(workers) / doublings; }
static double at_y(double speedup, double doublings)
{
    double height = log2(speedup > 0.5 ? speedup : 0.5);
    return TOP + SIDE - SIDE * height / doublings;
}

static bool same_line(const struct measure_row *a, const struct measure_row *b)
{
    return strcmp(a->strategy, b->strategy) == 0 && !(a->latency_ms < b->latency_ms) &&
           !(a->latency_ms > b->latency_ms);
}

static void draw_line(FILE *out, const struct measure_row *rows, size_t count, size_t first, unsigned number,
                      double doublings)
{
    static const char *const colours[] = {"#1b6ca8", "#c0392b", "#218c54", "#8e44ad", "#d68910", "#566573", "#16a085"};
    const char *colour = colours[number % (sizeof colours / sizeof colours[0])];
    double x_before = at_x(1, doublings), y_before = at_y(1, doublings);
    for (size_t i = first; i < count; i++) {
        const struct measure_row *r = &rows[i];
        if (!same_line(r, &rows[first])) continue;
        double x = at_x(r->workers, doublings), y = at_y(r->depth.mean, doublings);
        fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"2\"/>\n", x_before, y_before, x, y,
                colour);
        fprintf(out, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" opacity=\"0.5\"/>\n", x, at_y(r->depth.low, doublings),
                at_y(r->depth.high, doublings), colour);
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x, y, colour);
        x_before = x;
        y_before = y;
    }
    int y = TOP + 20 + 18 * (int)number;
    fprintf(out, "<path d=\"M%d %dh20\" stroke=\"%s\" stroke-width=\"2\"/><text x=\"%d\" y=\"%d\">%s, %.3g ms</text>\n",
            LEFT + SIDE + 20, y, colour, LEFT + SIDE + 46, y + 4, rows[first].strategy, rows[first].latency_ms);
}

void report_svg(FILE *out, const struct measure_row *rows, size_t count)
{
    unsigned most = 2;
    for (size_t i = 0; i < count; i++)
        if (rows[i].workers > most) most = rows[i].workers;
    double doublings = ceil(log2(most));
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"12\" fill=\"none\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<g "
            "fill=\"black\">\n",
            LEFT + SIDE + LEGEND, TOP + SIDE + 50);
    for (int i = 0; i <= (int)doublings; i++) {
        double x = LEFT + SIDE * i / doublings, y = TOP + SIDE - SIDE * i / doublings;
        fprintf(out, "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/><path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n", x, TOP,
                TOP + SIDE, LEFT, y, LEFT + SIDE);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>", x, TOP + SIDE + 18, 1 << i);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", LEFT - 8, y + 4, 1 << i);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">workers</text>\n", LEFT + SIDE / 2, TOP + SIDE + 38);
    fprintf(out, "<text x=\"%d\" y=\"%d\">speed-up: time to depth, geometric mean, 95 %% intervals</text>\n", LEFT,
            TOP - 10);
    fprintf(out, "<path d=\"M%d %dL%d %d\" stroke=\"#999\" stroke-dasharray=\"4 4\"/>\n", LEFT, TOP + SIDE, LEFT + SIDE,
            TOP);
    unsigned number = 0;
    for (size_t i = 0; i < count; i++) {
        bool drawn = false;
        for (size_t k = 0; k < i && !drawn; k++) drawn = same_line(&rows[k], &rows[i]);
        if (!drawn) draw_line(out, rows, count, i, number++, doublings);
    }
    fputs("</g>\n</svg>\n", out);
}

/* ---- matches --------------------------------------------------------------------------------------------------- */

void report_match_head(FILE *out)
{
    fprintf(out, "%-14s %7s %10s %6s %6s %16s %7s %8s %15s %14s\n", "strategy", "workers", "latency_ms", "odds%",
            "games", "wins/draws/losses", "score%", "elo", "ci95", "depth");
}

static double mean_of(uint64_t sum, uint64_t count) { return count ? (double)sum / (double)count : 0; }

void report_match_row(FILE *out, const struct match_row *r)
{
    struct match_estimate e = match_stats_estimate(&r->score);
    char wins[32], interval[32], depth[32];
    snprintf(wins, sizeof wins, "%" PRIu32 "/%" PRIu32 "/%" PRIu32, r->score.wins, r->score.draws, r->score.losses);
    snprintf(interval, sizeof interval, "%+.0f..%+.0f", e.elo_low, e.elo_high);
    snprintf(depth, sizeof depth, "%.2f : %.2f", mean_of(r->depth_sum[0], r->moves[0]),
             mean_of(r->depth_sum[1], r->moves[1]));
    fprintf(out, "%-14s %7u %10.3g %6u %6" PRIu32 " %17s %7.1f %+8.0f %15s %14s\n", r->strategy, r->workers,
            r->latency_ms, r->odds_percent, match_score_games(&r->score), wins, 100 * e.score, e.elo, interval, depth);
}

static void json_number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        fprintf(out, "\"%s\":%.4g,", key, value);
    else
        fprintf(out, "\"%s\":null,", key); /* every point went one way */
}

void report_match_json(FILE *out, const struct match_row *rows, size_t count)
{
    fputs("[", out);
    for (size_t i = 0; i < count; i++) {
        const struct match_row *r = &rows[i];
        struct match_estimate e = match_stats_estimate(&r->score);
        fprintf(out, "%s{\"strategy\":\"%s\",\"workers\":%u,\"latency_ms\":%.6g,\"odds_percent\":%u,",
                i > 0 ? ",\n " : "", r->strategy, r->workers, r->latency_ms, r->odds_percent);
        fprintf(out, "\"wins\":%" PRIu32 ",\"draws\":%" PRIu32 ",\"losses\":%" PRIu32 ",\"score\":%.4f,", r->score.wins,
                r->score.draws, r->score.losses, e.score);
        json_number(out, "elo", e.elo);
        json_number(out, "elo_low", e.elo_low);
        json_number(out, "elo_high", e.elo_high);
        const uint32_t *pairs = r->score.pairs;
        fprintf(out, "\"pairs\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],", pairs[0], pairs[1],
                pairs[2], pairs[3], pairs[4]);
        fprintf(out, "\"depth\":[%.3f,%.3f],\"nodes_per_move\":[%.0f,%.0f]}", mean_of(r->depth_sum[0], r->moves[0]),
                mean_of(r->depth_sum[1], r->moves[1]), mean_of(r->node_sum[0], r->moves[0]),
                mean_of(r->node_sum[1], r->moves[1]));
    }
    fputs("]\n", out);
}
