/* match.c - see match.h. */
#include "tests/sim/simulate/match.h"

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "coordinator/core/fallback.h"
#include "coordinator/core/match_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { RESIGN_CP = 1500, RESIGN_PLIES = 6, MOVES_OF_A_GAME_MAX = 320, MANY = 0, ONE = 1 };

static const struct referee_rules rules = {.max_moves = MOVES_OF_A_GAME_MAX,
                                           .entering_king = RULE_CSA27,
                                           .resign_score_cp = RESIGN_CP,
                                           .resign_plies = RESIGN_PLIES};

const struct referee_rules *match_rules(void) { return &rules; }

/* The coordinator has heard nothing: it plays what it holds in its hand. */
static Move hand_move(const struct position *pos)
{
    static struct fallback fallback; /* large */
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    fallback_start(&fallback, pos, moves, count);
    fallback_run(&fallback, FALLBACK_NODES_FIRST);
    return fallback.best;
}

static struct referee_verdict play_move(const struct match_sides *sides, unsigned side, bool first_move,
                                        struct referee *referee, struct match_row *row)
{
    static struct cluster_report report; /* large */
    static const struct cluster_search alone = {0};
    struct cluster_search search = side == MANY ? *sides->search : alone;
    search.keeps_tables = !first_move;
    int64_t time_us = side == MANY ? sides->move_us : sides->move_us * sides->odds_percent / 100;
    Move move;
    if (declaration_wins(&referee->position, rules.entering_king, &move)) return referee_play(referee, "win", 3, NULL);
    cluster_run(side == MANY ? sides->many : sides->one, &referee->position, &referee->history, &search,
                &(struct cluster_limits){.time_us_max = time_us}, &report);
    const struct cluster_answer *answer = report.answer_count ? &report.answers[report.answer_count - 1] : NULL;
    row->moves[side]++;
    row->depth_sum[side] += (uint64_t)cluster_depth_plies(&report);
    row->node_sum[side] += report.nodes;
    char text[MOVETEXT_BYTES_MAX];
    movetext_to_usi(answer ? answer->move : hand_move(&referee->position), text);
    int score_cp = answer ? answer->score : 0;
    return referee_play(referee, text, strlen(text), answer ? &score_cp : NULL);
}

/* Half points of the many. */
static unsigned play_game(const struct match_sides *sides, const char *opening, Color many_color,
                          struct referee *referee, struct match_row *row)
{
    if (referee_start(referee, &rules, opening, strlen(opening), NULL) != ST_OK) abort(); /* it was checked */
    bool first_move[2] = {true, true};
    while (referee->verdict.end == GAME_RUNNING) {
        unsigned side = referee->position.side == many_color ? MANY : ONE;
        play_move(sides, side, first_move[side], referee, row);
        first_move[side] = false;
    }
    return referee->verdict.winner == REFEREE_NOBODY ? 1 : referee->verdict.winner == many_color ? 2 : 0;
}

void match_play(const struct match_sides *sides, const struct match_openings *openings, uint64_t seed, uint32_t first,
                uint32_t count, struct match_row *row, const volatile sig_atomic_t *interrupted,
                void (*done)(void *context), void *context)
{
    struct match_plan plan;
    uint32_t *order = calloc(openings->count, sizeof *order);
    struct referee *referee = calloc(1, sizeof *referee);
    assert(order && referee);
    match_plan_init(&plan, order, openings->count, seed);
    unsigned points_before = 0;
    for (uint32_t game = first; game < first + count && !*interrupted; game++) {
        struct match_pairing pairing = match_plan_game(&plan, game);
        Color many_color = pairing.black_engine == MANY ? BLACK : WHITE;
        unsigned points = play_game(sides, openings->lines[pairing.opening], many_color, referee, row);
        match_score_add_game(&row->score, points);
        if (game % 2 == 1 && game > first) match_score_add_pair(&row->score, points_before, points);
        points_before = points;
        if (done) done(context);
    }
    free(order);
    free(referee);
}
