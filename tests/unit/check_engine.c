/* check_engine.c - the facade: limits, stopping, threads, lines, odd roots. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "worker/engine/engine.h"

enum { LINES_MAX = 4096 };

struct line {
    int depth_plies;
    unsigned multipv;
    Score score;
    size_t pv_count;
    Move pv[ENGINE_PV_MAX];
};

struct recorder {
    struct position root;
    struct line lines[LINES_MAX];
    size_t line_count;
    struct line lead; /* the last one; of an unfinished iteration */
    unsigned lead_count;
    int done_count, info_after_done;
    struct engine_result result;
};

static void on_info(void *context, const struct engine_info *info)
{
    struct recorder *r = context;
    r->info_after_done += r->done_count;
    ck_assert_uint_ge(info->pv_count, 1);
    ck_assert_uint_le(info->pv_count, ENGINE_PV_MAX);
    /* what leaves the engine is centipawns or a mate, nothing in between */
    ck_assert(score_is_mate(info->score) || (info->score <= SCORE_CP_MAX && info->score >= -SCORE_CP_MAX));
    struct position pos = r->root;
    for (size_t i = 0; i < info->pv_count; i++) {
        struct undo undo;
        Move legal[MOVES_MAX];
        size_t count = movegen_legal(&pos, legal), k = 0;
        while (k < count && legal[k] != info->pv[i]) k++;
        ck_assert_msg(k < count, "move %zu of a line is not legal", i);
        position_do(&pos, info->pv[i], &undo);
    }
    bool leads = info->bound == BOUND_LOWER;
    if (!leads && r->line_count == LINES_MAX) return;
    struct line *line = leads ? &r->lead : &r->lines[r->line_count++];
    r->lead_count += leads;
    *line = (struct line){
        .depth_plies = info->depth_plies, .multipv = info->multipv, .score = info->score, .pv_count = info->pv_count};
    memcpy(line->pv, info->pv, info->pv_count * sizeof line->pv[0]);
}

static void on_done(void *context, const struct engine_result *result)
{
    struct recorder *r = context;
    r->done_count++;
    r->result = *result;
}

static struct recorder rec;
static struct history game;
static const struct engine_sink sink = {.context = &rec, .info = on_info, .done = on_done};

static struct engine_options options(unsigned threads)
{
    return (struct engine_options){.hash_bytes = 4 << 20, .threads = threads, .rule = RULE_CSA27};
}

static void start(struct engine *engine, const char *sfen, const struct engine_limits *limits)
{
    memset(&rec, 0, sizeof rec);
    rec.root = playout_position(sfen);
    history_start(&game, &rec.root);
    ck_assert_int_eq(engine_go(engine, &rec.root, &game, limits), ST_OK);
}

static void search(struct engine *engine, const char *sfen, const struct engine_limits *limits)
{
    start(engine, sfen, limits);
    engine_wait(engine);
    ck_assert_int_eq(rec.done_count, 1);
    ck_assert_int_eq(rec.info_after_done, 0);
}

static void search_once(const char *sfen, const struct engine_options *o, const struct engine_limits *limits)
{
    struct engine *engine = engine_new(o, &sink);
    ck_assert_ptr_nonnull(engine);
    search(engine, sfen, limits);
    engine_free(engine);
}

static Move move_of(const char *usi) { return movetext_from_usi(&rec.root, usi, strlen(usi)); }

#define STARTPOS   "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define MIDDLEGAME "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"

/* What takes the lead in the middle of an iteration is what the search would answer from then on. */
START_TEST(a_move_that_takes_the_lead_is_said_at_once)
{
    struct engine_options o = options(1);
    unsigned leads = 0, last_words = 0;
    for (uint64_t nodes = 500; nodes <= 20000; nodes += 500) {
        search_once(MIDDLEGAME, &o, &(struct engine_limits){.nodes = nodes, .multipv = 1});
        leads += rec.lead_count;
        if (rec.lead_count == 0) continue;
        const struct line *last = &rec.lines[rec.line_count - 1];
        ck_assert_int_le(rec.lead.depth_plies, last->depth_plies + 1);
        if (rec.lead.depth_plies <= last->depth_plies) continue;
        last_words++;
        ck_assert_int_eq(rec.result.best, rec.lead.pv[0]);
    }
    ck_assert_uint_gt(leads, 0);
    ck_assert_uint_gt(last_words, 0);
    search_once(MIDDLEGAME, &o, &(struct engine_limits){.depth_plies = 9, .multipv = 2});
    ck_assert_uint_eq(rec.lead_count, 0); /* the order of several lines is known when the iteration is over */
}
END_TEST

START_TEST(the_node_limit_of_one_thread_is_exact)
{
    static const uint64_t limits[] = {1, 2, 100, 1023, 1024, 1025, 5000, 20001};
    struct engine_options o = options(1);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        search_once(MIDDLEGAME, &o, &(struct engine_limits){.nodes = limits[i], .multipv = 1});
        ck_assert_uint_eq(rec.result.nodes, limits[i]);
        ck_assert(move_is_real(rec.result.best));
        ck_assert(!rec.result.stopped);
    }
}
END_TEST

START_TEST(the_same_search_is_the_same_to_the_node)
{
    struct engine_options o = options(1);
    struct line first[LINES_MAX];
    search_once(MIDDLEGAME, &o, &(struct engine_limits){.depth_plies = 9, .multipv = 2});
    size_t count = rec.line_count;
    uint64_t nodes = rec.result.nodes;
    memcpy(first, rec.lines, count * sizeof first[0]);
    struct engine *engine = engine_new(&o, &sink);
    for (int i = 0; i < 2; i++) { /* and after a new game again */
        search(engine, MIDDLEGAME, &(struct engine_limits){.depth_plies = 9, .multipv = 2});
        ck_assert_uint_eq(rec.result.nodes, nodes);
        ck_assert_uint_eq(rec.line_count, count);
        for (size_t k = 0; k < count; k++) {
            ck_assert_int_eq(rec.lines[k].score, first[k].score);
            ck_assert_mem_eq(rec.lines[k].pv, first[k].pv, first[k].pv_count * sizeof(Move));
        }
        ck_assert_int_eq(engine_new_game(engine), ST_OK);
    }
    engine_free(engine);
}
END_TEST

START_TEST(every_depth_up_to_the_limit_is_reported_once)
{
    struct engine_options o = options(1);
    search_once(STARTPOS, &o, &(struct engine_limits){.depth_plies = 8, .multipv = 1});
    ck_assert_uint_eq(rec.line_count, 8);
    for (size_t i = 0; i < 8; i++) ck_assert_int_eq(rec.lines[i].depth_plies, (int)i + 1);
    ck_assert_int_eq(rec.result.depth_plies, 8);
    ck_assert_int_eq(rec.result.best, rec.lines[7].pv[0]);
    ck_assert_int_eq(rec.result.ponder, rec.lines[7].pv[1]);
}
END_TEST

START_TEST(lines_are_distinct_and_sorted)
{
    struct engine_options o = options(1);
    search_once(MIDDLEGAME, &o, &(struct engine_limits){.depth_plies = 7, .multipv = 6});
    ck_assert_uint_eq(rec.line_count, 7 * 6);
    for (size_t d = 0; d < 7; d++)
        for (size_t i = 0; i < 6; i++) {
            const struct line *line = &rec.lines[d * 6 + i];
            ck_assert_uint_eq(line->multipv, i + 1);
            for (size_t k = 0; k < i; k++) {
                ck_assert_int_ne(rec.lines[d * 6 + k].pv[0], line->pv[0]);
                ck_assert_int_ge(rec.lines[d * 6 + k].score, line->score);
            }
        }
}
END_TEST

START_TEST(more_lines_than_moves_are_as_many_as_moves)
{
    struct engine_options o = options(1);
    /* White's king on 1a has two squares */
    search_once("8k/9/9/9/9/9/9/4R4/4K4 w - 1", &o, &(struct engine_limits){.depth_plies = 3, .multipv = 500});
    ck_assert_uint_eq(rec.line_count, 3 * 3);
}
END_TEST

START_TEST(only_searchmoves_are_searched)
{
    struct engine_options o = options(1);
    struct engine *engine = engine_new(&o, &sink);
    rec.root = playout_position(STARTPOS);
    Move moves[2] = {move_of("1g1f"), move_of("9g9f")};
    search(engine, STARTPOS,
           &(struct engine_limits){.depth_plies = 6, .multipv = 4, .searchmoves = moves, .searchmoves_count = 2});
    ck_assert_uint_eq(rec.line_count, 6 * 2);
    for (size_t i = 0; i < rec.line_count; i++)
        ck_assert(rec.lines[i].pv[0] == moves[0] || rec.lines[i].pv[0] == moves[1]);

    Move wrong[2] = {moves[0], move_make(square_make(5, 9), square_make(5, 5))};
    memset(&rec.line_count, 0, sizeof rec.line_count);
    ck_assert_int_eq(engine_go(engine, &rec.root, &game,
                               &(struct engine_limits){.depth_plies = 1, .searchmoves = wrong, .searchmoves_count = 2}),
                     ST_ILLEGAL);
    engine_wait(engine);
    ck_assert_int_eq(rec.done_count, 1);
    engine_free(engine);
}
END_TEST

START_TEST(a_pointless_non_promotion_can_be_asked_for)
{
    struct engine_options o = options(1);
    struct engine *engine = engine_new(&o, &sink);
    const char *sfen = "8k/9/9/4P4/9/9/9/9/K8 b - 1";
    rec.root = playout_position(sfen);
    Move quiet = move_of("5d5c");
    search(engine, sfen,
           &(struct engine_limits){.depth_plies = 4, .multipv = 1, .searchmoves = &quiet, .searchmoves_count = 1});
    ck_assert_int_eq(rec.result.best, quiet);
    search(engine, sfen, &(struct engine_limits){.depth_plies = 4, .multipv = 1});
    ck_assert_int_eq(rec.result.best, move_of("5d5c+"));
    engine_free(engine);
}
END_TEST

START_TEST(a_stop_at_once_still_gives_a_legal_move)
{
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct engine_options o = options(threads);
        struct engine *engine = engine_new(&o, &sink);
        for (int i = 0; i < 30; i++) {
            start(engine, MIDDLEGAME, &(struct engine_limits){.multipv = 1});
            engine_stop(engine);
            engine_wait(engine);
            ck_assert_int_eq(rec.done_count, 1);
            ck_assert(rec.result.stopped);
            ck_assert(position_pseudo_legal(&rec.root, rec.result.best) && position_legal(&rec.root, rec.result.best));
        }
        engine_free(engine);
    }
}
END_TEST

START_TEST(a_second_go_while_searching_is_refused)
{
    struct engine_options o = options(2);
    struct engine *engine = engine_new(&o, &sink);
    start(engine, STARTPOS, &(struct engine_limits){.multipv = 1});
    ck_assert_int_eq(engine_go(engine, &rec.root, &game, &(struct engine_limits){.multipv = 1}), ST_STATE);
    ck_assert_int_eq(engine_new_game(engine), ST_STATE);
    ck_assert_int_eq(engine_configure(engine, &o), ST_STATE);
    engine_stop(engine);
    engine_wait(engine);
    ck_assert_int_eq(rec.done_count, 1);
    engine_free(engine);
}
END_TEST

START_TEST(the_dead_man_limit_ends_a_forgotten_search)
{
    struct engine_options o = options(2);
    struct engine *engine = engine_new(&o, &sink);
    search(engine, STARTPOS, &(struct engine_limits){.time_ms = 50, .multipv = 1});
    ck_assert_int_ge(rec.result.elapsed_ms, 50);
    ck_assert(!rec.result.stopped);
    engine_free(engine);
}
END_TEST

START_TEST(freeing_a_searching_engine_stops_it)
{
    struct engine_options o = options(2);
    struct engine *engine = engine_new(&o, &sink);
    start(engine, STARTPOS, &(struct engine_limits){.multipv = 1});
    engine_free(engine);
    ck_assert_int_eq(rec.done_count, 1);
    engine_free(NULL);
}
END_TEST

START_TEST(threads_and_table_can_be_changed_between_searches)
{
    struct engine_options o = options(1);
    struct engine *engine = engine_new(&o, &sink);
    for (unsigned threads = 1; threads <= 4; threads++) {
        o.threads = threads;
        o.hash_bytes = (size_t)threads << 20;
        ck_assert_int_eq(engine_configure(engine, &o), ST_OK);
        search(engine, MIDDLEGAME, &(struct engine_limits){.nodes = 20000, .multipv = 1});
        ck_assert_uint_ge(rec.result.nodes, 20000);
    }
    struct engine_options huge = o;
    huge.hash_bytes = (size_t)1 << 60;
    ck_assert_int_eq(engine_configure(engine, &huge), ST_NO_MEMORY);
    search(engine, MIDDLEGAME, &(struct engine_limits){.nodes = 1000, .multipv = 1}); /* the old table is still there */
    engine_free(engine);
}
END_TEST

START_TEST(mated_is_resign)
{
    struct engine_options o = options(1);
    /* gold on 1b, guarded: no move left */
    search_once("8k/8G/8G/9/9/9/9/9/K8 w - 1", &o, &(struct engine_limits){.depth_plies = 5, .multipv = 1});
    ck_assert_int_eq(rec.result.best, MOVE_RESIGN);
    ck_assert_int_eq(score_mate_plies(rec.result.score), 0);
    ck_assert_uint_eq(rec.line_count, 0);
}
END_TEST

START_TEST(a_won_entering_king_position_is_declared)
{
    struct engine_options o = options(1);
    /* Black: king in the zone, 10 pieces there, R+B+B+R = 20, 8 small ones = 28 points */
    const char *sfen = "K+R+R6/+B+B+P+P+P+P3/+P+P7/9/9/9/9/9/7k1 b 2P 1";
    search_once(sfen, &o, &(struct engine_limits){.depth_plies = 5, .multipv = 1});
    ck_assert_int_eq(rec.result.best, MOVE_WIN);
    ck_assert_int_eq(score_mate_plies(rec.result.score), 1);
    o.rule = RULE_NONE;
    search_once(sfen, &o, &(struct engine_limits){.depth_plies = 3, .multipv = 1});
    ck_assert_int_ne(rec.result.best, MOVE_WIN);
}
END_TEST

START_TEST(one_legal_move_is_no_reason_to_be_silent)
{
    struct engine_options o = options(1);
    search_once("8k/9/8G/9/9/9/9/9/K7R w - 1", &o, &(struct engine_limits){.depth_plies = 3, .multipv = 1});
    ck_assert(rec.result.best == move_of("1a2a"));
    ck_assert_uint_ge(rec.line_count, 1);
}
END_TEST

/* on_info replays every line: among them those of threads that share a table too small for them. */
START_TEST(lines_of_all_positions_replay_with_a_tiny_table_and_two_threads)
{
    struct engine_options o = options(2);
    o.hash_bytes = 1 << 20;
    struct engine *engine = engine_new(&o, &sink);
    ck_assert_ptr_nonnull(engine);
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    size_t searched = 0;
    for (size_t i = 0; i < starts.count; i++) {
        const struct position *pos = &starts.positions[i];
        if (pos->king[BLACK] == SQUARE_NONE || pos->king[WHITE] == SQUARE_NONE || !position_has_legal_move(pos))
            continue;
        memset(&rec, 0, sizeof rec);
        rec.root = *pos;
        history_start(&game, pos);
        struct engine_limits limits = {.nodes = 6000, .multipv = 1 + (unsigned)i % 3};
        ck_assert_int_eq(engine_go(engine, pos, &game, &limits), ST_OK);
        engine_wait(engine);
        ck_assert_int_eq(rec.done_count, 1);
        searched++;
    }
    ck_assert_uint_gt(searched, 50);
    playout_starts_free(&starts);
    engine_free(engine);
}
END_TEST

START_TEST(the_deepest_search_of_a_small_position_ends)
{
    struct engine_options o = options(1);
    /* Bare kings: 127 plies of moving about end by the table, the repetitions and the ply limit. */
    search_once("k8/9/9/9/9/9/9/9/8K b - 1", &o,
                &(struct engine_limits){.depth_plies = 1000, .nodes = 3000000, .multipv = 1});
    ck_assert(move_is_real(rec.result.best));
    /* A forced line of checks. */
    search_once("k8/9/P8/9/9/9/9/9/8K b R2G 1", &o,
                &(struct engine_limits){.depth_plies = 1000, .nodes = 3000000, .multipv = 1});
    ck_assert(score_is_mate(rec.result.score));
}
END_TEST

START_TEST(draw_values_belong_to_colours)
{
    /* Whatever the search says, the values are accepted in full range. */
    struct engine_options o = options(1);
    o.draw_value_black_cp = -30000;
    o.draw_value_white_cp = 30000;
    search_once(STARTPOS, &o, &(struct engine_limits){.depth_plies = 6, .multipv = 1});
    ck_assert(move_is_real(rec.result.best));
}
END_TEST

static void *stop_later(void *engine)
{
    struct timespec wait = {.tv_nsec = 20000000};
    nanosleep(&wait, NULL);
    engine_stop(engine);
    return NULL;
}

START_TEST(any_thread_may_stop_the_search)
{
    struct engine_options o = options(2);
    struct engine *engine = engine_new(&o, &sink);
    for (int i = 0; i < 5; i++) {
        pthread_t id;
        start(engine, STARTPOS, &(struct engine_limits){.multipv = 1});
        ck_assert_int_eq(pthread_create(&id, NULL, stop_later, engine), 0);
        engine_wait(engine);
        pthread_join(id, NULL);
        ck_assert_int_eq(rec.done_count, 1);
        ck_assert(rec.result.stopped);
    }
    engine_free(engine);
}
END_TEST

/* ---- parts of a larger search ---- */

#define QUIET "ln3gknl/2r3s2/ppp1pgbp1/3p2p1p/2P2p3/P1RPS3P/1P4PP1/1B2G1SK1/LN3G1NL b Psp 41"

static struct engine_limits part(int depth_plies, Score alpha, Score beta)
{
    return (struct engine_limits){.depth_plies = depth_plies, .multipv = 1, .part = true, .alpha = alpha, .beta = beta};
}

START_TEST(a_part_with_an_open_window_is_the_plain_search)
{
    struct engine_options o = options(1);
    search_once(QUIET, &o, &(struct engine_limits){.depth_plies = 6, .multipv = 1});
    struct engine_result plain = rec.result;
    struct engine_limits open = part(6, -SCORE_INFINITE, SCORE_INFINITE);
    search_once(QUIET, &o, &open);
    ck_assert_uint_eq(rec.result.nodes, plain.nodes);
    ck_assert_int_eq(rec.result.best, plain.best);
    ck_assert_int_eq(rec.result.score, plain.score);
    ck_assert_int_eq(rec.result.bound, BOUND_EXACT);
}
END_TEST

START_TEST(a_null_window_answers_with_a_bound_on_the_right_side)
{
    struct engine_options o = options(1);
    search_once(QUIET, &o, &(struct engine_limits){.depth_plies = 6, .multipv = 1});
    Score score = rec.result.score;
    for (Score off = -600; off <= 600; off += 400) {
        struct engine_limits scout = part(6, score + off, score + off + 1);
        search_once(QUIET, &o, &scout);
        ck_assert_int_eq(rec.result.depth_plies, 6);
        if (off > 0) {
            ck_assert_int_eq(rec.result.bound, BOUND_UPPER);
            ck_assert_int_le(rec.result.score, score + off);
        } else {
            ck_assert_int_eq(rec.result.bound, BOUND_LOWER);
            ck_assert_int_ge(rec.result.score, score + off + 1);
        }
    }
}
END_TEST

START_TEST(a_part_begins_at_its_first_depth_and_counts_its_moves_as_late)
{
    struct engine_options o = options(1);
    rec.root = playout_position(QUIET);
    Move legal[MOVES_MAX], moves[4];
    size_t count = movegen_legal(&rec.root, legal);
    for (size_t i = 0; i < 4; i++) moves[i] = legal[count - 1 - i];
    struct engine_limits late = part(8, 100, 101);
    late.depth_min_plies = 6;
    late.searchmoves = moves;
    late.searchmoves_count = 4;
    search_once(QUIET, &o, &late);
    ck_assert_uint_eq(rec.line_count, 3);
    ck_assert_int_eq(rec.lines[0].depth_plies, 6);
    ck_assert_int_eq(rec.result.bound, BOUND_UPPER);
    ck_assert_int_le(rec.result.score, 100);
    uint64_t first = rec.result.nodes;
    late.moves_before = 30;
    search_once(QUIET, &o, &late);
    ck_assert_int_eq(rec.result.bound, BOUND_UPPER);
    ck_assert_uint_lt(rec.result.nodes, first); /* late moves are reduced */
}
END_TEST

START_TEST(a_part_does_not_leave_its_bound_as_that_of_the_position)
{
    /* The worst moves score badly; what is remembered of them must not be taken for the position's own score. */
    struct engine_options o = options(1);
    struct engine *engine = engine_new(&o, &sink);
    search(engine, QUIET, &(struct engine_limits){.depth_plies = 1, .multipv = 1});
    Score score = rec.result.score;
    Move legal[MOVES_MAX], worst = MOVE_NONE;
    Score lowest = SCORE_INFINITE;
    size_t count = movegen_legal(&rec.root, legal);
    struct engine_limits limits = part(3, -SCORE_INFINITE, SCORE_INFINITE);
    limits.searchmoves_count = 1;
    for (size_t i = 0; i < count; i++) {
        limits.searchmoves = &legal[i];
        search(engine, QUIET, &limits);
        if (rec.result.score < lowest) {
            lowest = rec.result.score;
            worst = legal[i];
        }
    }
    ck_assert_int_eq(engine_new_game(engine), ST_OK);
    limits.depth_plies = 6;
    limits.searchmoves = &worst;
    search(engine, QUIET, &limits);
    ck_assert_int_lt(rec.result.score, score - 100);
    Score between = (rec.result.score + score) / 2;
    struct engine_limits scout = part(1, between, between + 1);
    scout.continues = true;
    search(engine, QUIET, &scout);
    ck_assert_int_eq(rec.result.bound, BOUND_LOWER);
    engine_free(engine);
}
END_TEST

START_TEST(the_evaluator_has_a_name_and_a_number)
{
    struct engine_options o = options(1);
    struct engine *engine = engine_new(&o, &sink);
    ck_assert_str_eq(engine_eval_name(engine), "classic");
    ck_assert_uint_ne(engine_eval_hash(engine), 0);
    engine_free(engine);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("engine");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, the_node_limit_of_one_thread_is_exact);
    tcase_add_test(tc, a_move_that_takes_the_lead_is_said_at_once);
    tcase_add_test(tc, the_same_search_is_the_same_to_the_node);
    tcase_add_test(tc, every_depth_up_to_the_limit_is_reported_once);
    tcase_add_test(tc, lines_are_distinct_and_sorted);
    tcase_add_test(tc, more_lines_than_moves_are_as_many_as_moves);
    tcase_add_test(tc, only_searchmoves_are_searched);
    tcase_add_test(tc, a_pointless_non_promotion_can_be_asked_for);
    tcase_add_test(tc, a_stop_at_once_still_gives_a_legal_move);
    tcase_add_test(tc, a_second_go_while_searching_is_refused);
    tcase_add_test(tc, the_dead_man_limit_ends_a_forgotten_search);
    tcase_add_test(tc, freeing_a_searching_engine_stops_it);
    tcase_add_test(tc, threads_and_table_can_be_changed_between_searches);
    tcase_add_test(tc, mated_is_resign);
    tcase_add_test(tc, a_won_entering_king_position_is_declared);
    tcase_add_test(tc, one_legal_move_is_no_reason_to_be_silent);
    tcase_add_test(tc, lines_of_all_positions_replay_with_a_tiny_table_and_two_threads);
    tcase_add_test(tc, the_deepest_search_of_a_small_position_ends);
    tcase_add_test(tc, draw_values_belong_to_colours);
    tcase_add_test(tc, any_thread_may_stop_the_search);
    tcase_add_test(tc, a_part_with_an_open_window_is_the_plain_search);
    tcase_add_test(tc, a_null_window_answers_with_a_bound_on_the_right_side);
    tcase_add_test(tc, a_part_begins_at_its_first_depth_and_counts_its_moves_as_late);
    tcase_add_test(tc, a_part_does_not_leave_its_bound_as_that_of_the_position);
    tcase_add_test(tc, the_evaluator_has_a_name_and_a_number);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("engine", add_cases)
