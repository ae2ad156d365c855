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

/* `allowed`: the moves to try here; NULL = all. */
static int minimax(struct position *pos, int depth, int ply, const Move *allowed, size_t allowed_count, Move *line,
                   int *length, uint64_t *nodes)
{
    ++*nodes;
    *length = 0;
    if (depth == 0) return position_has_legal_move(pos) ? leaf(pos) : ply - MATE;
    Move moves[MOVES_MAX], below[TOY_LINE_MAX];
    size_t count = allowed_count;
    if (allowed)
        memcpy(moves, allowed, count * sizeof *moves);
    else
        count = movegen_legal(pos, moves);
    int best = ply - MATE;
    for (size_t i = 0; i < count; i++) {
        struct undo undo;
        int below_length;
        position_do(pos, moves[i], &undo);
        int score = -minimax(pos, depth - 1, ply + 1, NULL, 0, below, &below_length, nodes);
        position_undo(pos, &undo);
        if (i > 0 && score <= best) continue;
        best = score;
        line[0] = moves[i];
        memcpy(line + 1, below, (size_t)below_length * sizeof *below);
        *length = below_length + 1;
    }
    return best;
}

struct toy_truth toy_truth_among(const struct position *pos, int depth, const Move *allowed, size_t count)
{
    struct position copy = *pos;
    struct toy_truth truth = {.best = MOVE_NONE};
    int score = 0;
    for (int d = 1; d <= depth; d++)
        score = minimax(&copy, d, 0, allowed, count, truth.line, &truth.length, &truth.nodes);
    if (truth.length) truth.best = truth.line[0];
    truth.mate = abs(score) > MATE - 100;
    truth.score = !truth.mate ? score : score > 0 ? MATE - score : -(MATE + score);
    return truth;
}

struct memory {
    uint64_t key;
    int depth;
    struct toy_truth truth;
};
enum { MEMORY_SIZE = 1 << 15 };
static struct memory
    memory[MEMORY_SIZE]; /* what has been worked out in this process; changes nothing but the time it takes */

const struct toy_truth *toy_truth(const struct position *pos, int depth)
{
    uint64_t key = position_key(pos) ^ (uint64_t)pos->king[BLACK] << 57;
    struct memory *m = &memory[(key + (uint64_t)depth * 0x9e3779b9u) % MEMORY_SIZE];
    if (m->depth == depth && m->key == key) return &m->truth;
    struct toy_truth truth = toy_truth_among(pos, depth, NULL, 0);
    *m = (struct memory){.key = key, .depth = depth, .truth = truth};
    return &m->truth;
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
