/* toytree.c - an engine whose every answer is known beforehand. */
#include "tests/model/toytree.h"

#include "common/base/prng.h"
#include "common/shogi/movegen.h"

#include <stdlib.h>
#include <string.h>

static const char *const starts[] = {
    "k8/9/K8/9/9/9/9/9/9 b G 1",     /* mate in 1 */
    "4k4/9/4P4/9/9/9/9/9/9 b G 1",   /* mate in 1, no king of our own */
    "7lk/9/8N/7N1/9/9/9/9/K8 b - 1", /* knights only */
    "4k4/9/9/9/9/9/9/9/4K4 b - 1",   /* no check in sight: no mate */
    "4k4/4p4/9/9/9/9/9/4P4/4K4 w - 1", "4k4/3g5/9/9/9/9/9/5S3/4K4 b - 1",      "4k4/9/9/9/9/9/9/9/R3K4 b - 1",
    "ln2k4/9/9/9/9/9/9/9/4K2NL w - 7", "4k4/2p1p4/9/9/9/9/9/4P1P2/4K4 b - 31",
};
enum { START_COUNT = sizeof starts / sizeof starts[0], TSUME_COUNT = 4 };

const char *toy_start(unsigned index) { return starts[index % START_COUNT]; }
unsigned toy_start_count(void) { return START_COUNT; }
unsigned toy_tsume_count(void) { return TSUME_COUNT; }

int toy_depth(const struct position *pos)
{
    size_t moves = movegen_count_legal(pos);
    return moves > 40 ? 2 : moves > 14 ? 3 : TOY_DEPTH_MAX;
}

/* ---- minimax ---------------------------------------------------------------------------------------------------- */

enum { MATE = 30000 };

static int leaf(const struct position *pos)
{
    struct prng prng = prng_make(position_key(pos));
    return (int)prng_below(&prng, 1801) - 900;
}

/* What has been worked out in this process. A subtree is worth the same wherever it is met: mates count from its root.
 */
struct memory {
    uint64_t key, nodes;
    int depth, score, length;
    Move line[TOY_LINE_MAX];
};
enum { MEMORY_SIZE = 1 << 18 };
static struct memory memory[MEMORY_SIZE];

static uint64_t memory_key(const struct position *pos) { return position_key(pos) ^ (uint64_t)pos->king[BLACK] << 57; }

/* One move further from the mate. */
static int further(int score) { return score > MATE - 100 ? score - 1 : score < 100 - MATE ? score + 1 : score; }

/* To be read before the next call. */
static const struct memory *minimax(struct position *pos, int depth);

/* Only these moves are tried here. */
static struct memory minimax_among(struct position *pos, int depth, const Move *moves, size_t count)
{
    struct memory best = {.nodes = 1, .depth = depth, .score = -MATE};
    for (size_t i = 0; i < count; i++) {
        struct undo undo;
        position_do(pos, moves[i], &undo);
        const struct memory *below = minimax(pos, depth - 1);
        position_undo(pos, &undo);
        best.nodes += below->nodes;
        int score = further(-below->score);
        if (i > 0 && score <= best.score) continue;
        best.score = score;
        best.line[0] = moves[i];
        memcpy(best.line + 1, below->line, (size_t)below->length * sizeof *below->line);
        best.length = below->length + 1;
    }
    return best;
}

static const struct memory *minimax(struct position *pos, int depth)
{
    static struct memory end = {.nodes = 1};
    if (depth == 0) {
        end.score = position_has_legal_move(pos) ? leaf(pos) : -MATE;
        return &end;
    }
    uint64_t key = memory_key(pos);
    struct memory *m = &memory[(key + (uint64_t)depth * 0x9e3779b9u) % MEMORY_SIZE];
    if (m->depth == depth && m->key == key) return m;
    Move moves[MOVES_MAX];
    struct memory found = minimax_among(pos, depth, moves, movegen_legal(pos, moves));
    found.key = key;
    *m = found;
    return m;
}

static struct toy_truth truth_of(const struct memory *last, uint64_t nodes)
{
    struct toy_truth truth = {.best = MOVE_NONE, .length = last->length, .nodes = nodes};
    memcpy(truth.line, last->line, (size_t)last->length * sizeof *last->line);
    if (truth.length) truth.best = truth.line[0];
    truth.mate = abs(last->score) > MATE - 100;
    truth.score = !truth.mate ? last->score : last->score > 0 ? MATE - last->score : -(MATE + last->score);
    return truth;
}

struct toy_truth toy_truth_among(const struct position *pos, int depth, const Move *allowed, size_t count)
{
    struct position copy = *pos;
    struct memory last = {0};
    uint64_t nodes = 0;
    for (int d = 1; d <= depth; d++) {
        last = minimax_among(&copy, d, allowed, count);
        nodes += last.nodes;
    }
    return truth_of(&last, nodes);
}

struct toy_truth toy_truth(const struct position *pos, int depth)
{
    struct position copy = *pos;
    struct memory last = {0};
    uint64_t nodes = 0;
    for (int d = 1; d <= depth; d++) {
        last = *minimax(&copy, d);
        nodes += last.nodes;
    }
    return truth_of(&last, nodes);
}

/* ---- mate ------------------------------------------------------------------------------------------------------- */

static int mate_in(struct position *pos, int plies, Move *line, bool *any_check)
{
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    int found = 0;
    for (size_t i = 0; i < count && !found; i++) {
        if (!position_gives_check(pos, moves[i])) continue;
        *any_check = true;
        struct undo undo;
        position_do(pos, moves[i], &undo);
        Move replies[MOVES_MAX], below[3];
        size_t reply_count = movegen_legal(pos, replies);
        bool good = reply_count == 0 || plies >= 3;
        int length = 1;
        for (size_t j = 0; j < reply_count && good; j++) {
            struct undo reply;
            bool ignored = false;
            position_do(pos, replies[j], &reply);
            int rest = mate_in(pos, plies - 2, below, &ignored);
            position_undo(pos, &reply);
            good = rest > 0;
            if (!good) break;
            line[1] = replies[j];
            line[2] = below[0];
            length = 3;
        }
        position_undo(pos, &undo);
        if (!good) continue;
        line[0] = moves[i];
        found = length;
    }
    return found;
}

int toy_mate(const struct position *pos, Move line[3])
{
    struct position copy = *pos;
    bool any_check = false;
    int length = mate_in(&copy, 1, line, &any_check);
    if (!length) length = mate_in(&copy, 3, line, &any_check);
    return length ? length : any_check ? 0 : -1;
}
