/* check_tree.c - the strategies `tree` and `root`, with workers whose every answer is known beforehand: whatever they
 * are given, in whatever order they answer, whoever is lost, the result is that of brute force. */
#include "common/base/prng.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "coordinator/core/split.h"
#include "tests/model/playout.h"
#include "tests/model/toytree.h"
#include "tests/unit/check_main.h"

enum { WORKERS_MAX = 8, SEED_DEPTH = 2, NO_JOB = 0 };

static struct split split;
static struct position root;
static struct history game;
static Move choices[MOVES_MAX];
static struct toy_worker {
    bool busy, begun; /* begun: the plain search has told its iteration */
    struct split_job job;
    Move path[TREE_SPINE_MAX], moves[SPLIT_BATCH_MAX];
} workers[WORKERS_MAX];
static unsigned parts, scouts_low, scouts_high;

static void begin(const char *name, const char *sfen, uint32_t depth, unsigned count)
{
    root = playout_position(sfen);
    history_start(&game, &root);
    size_t moves = movegen_legal(&root, choices);
    memset(workers, 0, sizeof workers);
    split_begin(&split, split_find(name),
                &(struct split_task){.depth_max = depth,
                                     .multipv = 1,
                                     .workers = count,
                                     .root = &root,
                                     .game = &game,
                                     .choices = choices,
                                     .choice_count = moves,
                                     .grain_ms = 1});
}

static Score score_of(const struct toy_truth *t)
{
    return !t->mate ? t->score : t->score > 0 ? score_mate_in(t->score) : score_mated_in(-t->score);
}

static struct merge_line line_of(const struct toy_truth *t, uint32_t depth)
{
    struct merge_line line = {.depth = depth, .seldepth = depth, .multipv = 1, .score = t->score};
    line.score_kind = t->mate ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
    for (int i = 0; i < t->length; i++) line.pv.moves[line.pv.count++] = t->line[i];
    return line;
}

static struct merge_line held; /* deepest line told about the root */
static bool in_parts;          /* it came from parts */

static void tell(unsigned w, const struct split_report *report)
{
    struct merge_line line;
    bool part = split.ops->is_part(&split, w, workers[w].job.job);
    if (!split.ops->report(&split, w, workers[w].job.job, report, &line)) return;
    if (line.depth < held.depth) return;
    if (part && line.depth > held.depth) { /* an iteration is finished: nothing deeper may have got into its score */
        struct toy_truth truth = toy_truth(&root, (int)line.depth);
        ck_assert_int_eq(merge_score(line.score_kind, line.score), score_of(&truth));
    }
    held = line;
    in_parts = part;
}

/* One thing that the worker does: the plain search tells its iteration and goes on until it is stopped. */
static void work(unsigned w)
{
    struct toy_worker *worker = &workers[w];
    const struct split_job *job = &worker->job;
    struct split_report report = {.elapsed_ms = 10, .nodes = 5000};
    struct toy_truth truth;
    if (!job->part) {
        if (worker->begun) return;
        worker->begun = true;
        truth = toy_truth(&root, SEED_DEPTH);
        report.line = line_of(&truth, SEED_DEPTH);
        tell(w, &report);
        return;
    }
    parts++;
    struct position pos = root;
    for (size_t i = 0; i < job->path_count; i++) {
        struct undo undo;
        position_do(&pos, worker->path[i], &undo);
    }
    int depth = (int)job->depth_max;
    truth = job->move_count ? toy_truth_among(&pos, depth, worker->moves, job->move_count) : toy_truth(&pos, depth);
    Score score = score_of(&truth);
    report.over = true;
    report.line = line_of(&truth, job->depth_max);
    report.line.bound = score <= job->alpha ? WIRE_UPPER : score >= job->beta ? WIRE_LOWER : WIRE_EXACT;
    scouts_low += job->beta - job->alpha == 1 && report.line.bound == WIRE_UPPER;
    scouts_high += job->beta - job->alpha == 1 && report.line.bound == WIRE_LOWER;
    tell(w, &report);
    split.ops->done(&split, w, job->job);
    worker->busy = false;
}

static void hand_out(unsigned count)
{
    for (unsigned w = 0; w < count; w++) {
        struct toy_worker *worker = &workers[w];
        if (worker->busy && split.ops->obsolete(&split, w)) {
            split.ops->lost(&split, w, worker->job.job, false);
            worker->busy = false;
        }
        if (worker->busy || !split.ops->next(&split, w, &worker->job)) continue;
        worker->busy = true;
        worker->begun = false;
        ck_assert_uint_le(worker->job.move_count, SPLIT_BATCH_MAX);
        if (worker->job.part) ck_assert_int_lt(worker->job.alpha, worker->job.beta);
        if (worker->job.path_count) memcpy(worker->path, worker->job.path, worker->job.path_count * sizeof(Move));
        if (worker->job.move_count) memcpy(worker->moves, worker->job.moves, worker->job.move_count * sizeof(Move));
    }
}

/* Until the depth is reached; `losses` permille of the steps lose a worker's work. */
static void play(const char *name, const char *sfen, uint32_t depth, unsigned count, uint64_t seed, uint32_t losses)
{
    struct prng prng = prng_make(seed);
    begin(name, sfen, depth, count);
    held = (struct merge_line){0};
    unsigned steps = 0;
    while (!split.ops->finished(&split)) {
        ck_assert_msg(++steps < 200000, "%s with %u workers does not end (seed %u)", name, count, (unsigned)seed);
        hand_out(count);
        unsigned w = prng_below(&prng, count);
        if (!workers[w].busy) continue;
        if (workers[w].job.part && prng_chance(&prng, losses)) {
            split.ops->lost(&split, w, workers[w].job.job, false);
            workers[w].busy = false;
        } else if (prng_chance(&prng, losses)) {
            split.ops->lost(&split, w, workers[w].job.job, true); /* suspect; it answers later all the same */
        } else {
            work(w);
        }
    }
    struct toy_truth truth = toy_truth(&root, (int)depth);
    Move best = held.pv.moves[0];
    struct toy_truth own = toy_truth_among(&root, (int)depth, &best, 1);
    ck_assert_uint_eq(held.depth, depth);
    ck_assert_int_eq(merge_score(held.score_kind, held.score), score_of(&truth));
    ck_assert_int_eq(score_of(&own), score_of(&truth)); /* the move is as good as it says */
    ck_assert(in_parts);
}

static const char *const positions[] = {"4k4/4p4/9/9/9/9/9/4P4/4K4 w - 1", "ln2k4/9/9/9/9/9/9/9/4K2NL w - 7",
                                        "4k4/9/9/9/9/9/9/9/R3K4 b - 1"};

START_TEST(more_workers_find_what_one_finds)
{
    parts = scouts_low = scouts_high = 0;
    for (unsigned count = 2; count <= WORKERS_MAX; count *= 2)
        for (uint64_t seed = 0; seed < 12; seed++) {
            const char *sfen = positions[seed % 3];
            uint32_t depth = seed % 3 == 2 ? 3 : 4;
            play("tree", sfen, depth, count, seed, 0);
            play("root", sfen, depth, count, seed, 0);
        }
    ck_assert_uint_gt(scouts_low, 100);
    ck_assert_uint_gt(scouts_high, 10);
}
END_TEST

/* What is known of the next iteration while this one waits for somebody. */
START_TEST(work_done_ahead_does_not_change_an_iteration)
{
    for (uint64_t seed = 100; seed < 160; seed++)
        play("tree", positions[seed % 2], 5, 2 + (unsigned)(seed % 5), seed, 20);
}
END_TEST

START_TEST(lost_and_doubted_work_is_done_by_others)
{
    for (uint64_t seed = 0; seed < 24; seed++)
        play(seed % 2 ? "tree" : "root", positions[seed % 2], 4, 2 + (unsigned)(seed % 3) * 3, seed, 200);
}
END_TEST

START_TEST(one_worker_keeps_its_plain_search)
{
    begin("tree", positions[0], 0, 1);
    hand_out(1);
    ck_assert(workers[0].busy && !workers[0].job.part);
    ck_assert_uint_eq(workers[0].job.variation, 0);
    ck_assert_uint_eq(workers[0].job.nodes, 0);
    work(0);
    ck_assert(!split.ops->obsolete(&split, 0));
    hand_out(2); /* somebody joins: a plain search, too, until the next iteration */
    ck_assert(workers[1].busy && !workers[1].job.part);
    ck_assert_uint_eq(workers[1].job.variation, 1);
}
END_TEST

START_TEST(what_a_tree_cannot_do_is_done_by_everybody)
{
    begin("tree", positions[0], 0, 4);
    ck_assert_ptr_eq(split.ops, &split_tree);
    struct split_task task = split.task;
    task.nodes = 1000;
    split_begin(&split, &split_tree, &task);
    ck_assert_ptr_eq(split.ops, &split_lazy);
    task.nodes = 0;
    task.multipv = 3;
    split_begin(&split, &split_tree, &task);
    ck_assert_ptr_eq(split.ops, &split_lines_whole);
    split_begin(&split, &split_root, &task);
    ck_assert_ptr_eq(split.ops, &split_lines_dealt);
    task.workers = 1;
    split_begin(&split, &split_root, &task);
    ck_assert_ptr_eq(split.ops, &split_lazy);
}
END_TEST

/* How often does the text name the move? */
static unsigned named(struct wire_str text, Move move)
{
    char word[MOVETEXT_BYTES_MAX];
    size_t length = movetext_to_usi(move, word);
    unsigned count = 0;
    for (uint32_t i = 0, end; i < text.length; i = end + 1) {
        for (end = i; end < text.length && text.bytes[end] != ' ';) end++;
        count += end - i == length && memcmp(text.bytes + i, word, length) == 0;
    }
    return count;
}

START_TEST(for_several_lines_every_move_is_dealt_once_before_and_after_a_loss)
{
    for (unsigned count = 2; count <= COORD_WORKERS_MAX; count += 1 + count / 3) {
        begin("root", positions[0], 0, count);
        struct split_task task = split.task;
        task.multipv = 3;
        split_begin(&split, &split_root, &task);
        unsigned dealt = task.choice_count < count ? (unsigned)task.choice_count : count;
        for (int lost = 0; lost < 2; lost++) {
            struct split_job jobs[COORD_WORKERS_MAX];
            for (unsigned w = (unsigned)lost; w < dealt; w++) ck_assert(split.ops->next(&split, w, &jobs[w]));
            for (size_t i = 0; i < task.choice_count; i++) {
                unsigned times = 0;
                for (unsigned w = (unsigned)lost; w < dealt; w++) times += named(jobs[w].searchmoves, task.choices[i]);
                ck_assert_uint_eq(times, 1);
            }
            for (unsigned w = (unsigned)lost; w < dealt; w++) ck_assert(!split.ops->obsolete(&split, w));
            if (lost || dealt < 3) break;
            split.ops->lost(&split, 0, jobs[0].job, false);
            for (unsigned w = 1; w < dealt; w++) {
                ck_assert(split.ops->obsolete(&split, w)); /* called back */
                split.ops->lost(&split, w, jobs[w].job, false);
            }
        }
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("tree");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, more_workers_find_what_one_finds);
    tcase_add_test(tc, work_done_ahead_does_not_change_an_iteration);
    tcase_add_test(tc, lost_and_doubted_work_is_done_by_others);
    tcase_add_test(tc, one_worker_keeps_its_plain_search);
    tcase_add_test(tc, what_a_tree_cannot_do_is_done_by_everybody);
    tcase_add_test(tc, for_several_lines_every_move_is_dealt_once_before_and_after_a_loss);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("tree", add_cases)
