/* fuzz_mate_hint.c - a mate solver that is told anything at any time while it searches: no crash, no search beyond its
 * nodes, no mate that is none, and no wrong refutation without the word that it leans on others. */
#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"
#include "worker/engine/mate/mate.h"
#include "worker/engine/mate/mate_hint.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_MAX = 1 << 12, TABLE_BYTES = 1 << 18, NODES_MAX = 30000, ENTRY_BYTES = 2 + 8, NODES_PER_HINT = 2 };

static const struct {
    const char *sfen;
    int plies; /* of the shortest mate; 0 = there is none */
} problems[] = {
    {"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1},        {"9/8B/8L/8k/8N/4B2R1/9/9/9 b Sr4g3s3n3l18p 1", 5},
    {"7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1", 9}, {"7k1/7n1/6R2/9/4R4/9/9/9/9 b P2b4g4s3n4l17p 1", 0},
    {"9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1", 0},
};
enum { PROBLEM_COUNT = sizeof problems / sizeof problems[0] };

struct place {
    uint64_t board_key;
    Hand hand;
};

struct problem { /* a root and the positions around it, breadth first: what is said about others is never looked at */
    struct position root;
    struct place near[NEAR_MAX];
    size_t near_count;
};

struct talk { /* the input: each entry names a position, or is a claim, and says eight bytes about it */
    struct mate_solver *solver;
    const struct problem *problem;
    const uint8_t *data;
    size_t size, at;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
    if (!ok) abort();
}

static void collect(struct problem *p, const struct position *pos, int plies_left)
{
    if (p->near_count == NEAR_MAX) return;
    p->near[p->near_count++] = (struct place){pos->board_key, pos->hand[p->root.side]};
    if (plies_left == 0) return;
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        if (pos->side == p->root.side && !position_gives_check(pos, moves[i])) continue;
        struct position after = *pos;
        struct undo undo;
        position_do(&after, moves[i], &undo);
        collect(p, &after, plies_left - 1);
    }
}

static const struct problem *problem_at(size_t index)
{
    static struct problem made[PROBLEM_COUNT];
    struct problem *p = &made[index];
    if (p->near_count > 0) return p;
    require(sfen_read(&p->root, problems[index].sfen, strlen(problems[index].sfen), NULL, NULL) == ST_OK);
    collect(p, &p->root, 4);
    return p;
}

static struct hint next_hint(struct talk *t)
{
    const uint8_t *in = t->data + t->at;
    t->at += ENTRY_BYTES;
    const struct place *place = &t->problem->near[(size_t)(in[0] | in[1] << 8) % t->problem->near_count];
    uint64_t data;
    memcpy(&data, in + 2, sizeof data);
    struct hint hint = {place->board_key, data};
    if (hint_kind_of(&hint) == HINT_CLAIM) hint.key = mate_claim_key(place->board_key, place->hand);
    return hint;
}

/* Numbers are rounded down to eleven bits; the largest ones are clamped before that. */
static bool is_about(uint32_t rounded, uint32_t number)
{
    return rounded <= number && number - rounded <= number >> 11;
}

/* What is read as a fact can be said again in the same words. */
static void check_words(const struct hint *hint)
{
    struct mate_fact fact, again;
    if (hint_kind_of(hint) == HINT_CLAIM || !mate_fact_read(hint, &fact)) return;
    struct hint written = mate_fact_write(&fact);
    require(mate_fact_read(&written, &again));
    require(again.kind == fact.kind && again.hand == fact.hand && again.plies == fact.plies);
    require(is_about(again.pn, fact.pn) && is_about(again.dn, fact.dn));
    require(again.move == fact.move && again.merges == fact.merges && again.work == fact.work);
}

static uint64_t say(void *context, unsigned thread, uint64_t nodes)
{
    (void)thread;
    struct talk *t = context;
    if (t->at + ENTRY_BYTES <= t->size) {
        struct hint hint = next_hint(t);
        check_words(&hint);
        mate_hints_put(t->solver, &hint, 1);
        mate_hints_gate(t->solver, 0);
    }
    return nodes + NODES_PER_HINT;
}

static void check_result(const struct talk *t, int plies, const struct mate_result *r)
{
    require(r->nodes <= NODES_MAX);
    if (r->verdict == MATE_REFUTED) require(plies == 0 || mate_has_heard(t->solver));
    if (r->verdict != MATE_PROVED) return;
    require(plies > 0 && r->plies >= plies);
    require(!r->shortest || r->plies == plies || mate_has_heard(t->solver));
    struct position pos = t->problem->root;
    for (int i = 0; i < r->plies; i++) {
        struct undo undo;
        require(position_pseudo_legal(&pos, r->line[i]) && position_legal(&pos, r->line[i]));
        position_do(&pos, r->line[i], &undo);
    }
    require(position_in_check(&pos) && !position_has_legal_move(&pos));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mate_solver *solver;
    static struct mate_result result;
    if (size < 1) return 0;
    if (!solver) solver = mate_new(TABLE_BYTES, 1);
    require(solver != NULL);
    size_t index = data[0] % PROBLEM_COUNT;
    struct talk talk = {.solver = solver, .problem = problem_at(index), .data = data, .size = size, .at = 1};
    const struct mate_pacer pacer = {.context = &talk, .pause = say};
    const struct mate_limits limits = {.nodes = NODES_MAX, .pacer = &pacer, .any_length = data[0] >= 128};
    mate_clear(solver);
    require(mate_share(solver, &(struct mate_sharing){.scope = 1, .worker = 1}));
    mate_solve(solver, &talk.problem->root, &limits, &result);
    check_result(&talk, problems[index].plies, &result);

    /* Asked again alone it says the truth, whatever the table held. */
    require(mate_share(solver, &(struct mate_sharing){.scope = 1, .worker = 1, .tell_only = true}));
    talk.at = 1;
    mate_solve(solver, &talk.problem->root, &limits, &result);
    require(!mate_has_heard(solver));
    require(result.verdict == (problems[index].plies > 0 ? MATE_PROVED : MATE_REFUTED));
    check_result(&talk, problems[index].plies, &result);
    return 0;
}
