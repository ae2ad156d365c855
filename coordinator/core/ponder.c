/* ponder.c - while the opponent thinks. */
#include "coordinator/core/ponder.h"

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "coordinator/core/jobtext.h"

#include <string.h>

enum { WHOLE = 1000, WEIGHT_ONE = 1 << 14 };

void ponder_end(struct ponder *p)
{
    p->state = PONDER_ALONE;
    memset(p->places, 0, sizeof p->places);
}

void ponder_begin(struct ponder *p, const struct board *board)
{
    ponder_end(p);
    if (board->move_count == 0) return;
    if (board->moves_bytes + MOVETEXT_BYTES_MAX > WIRE_MOVES_BYTES_MAX) return; /* another reply may be longer */
    uint32_t bytes = board->moves_bytes;
    while (bytes > 0 && board->moves[bytes - 1] != ' ') bytes--;
    char why[BOARD_WHY_BYTES];
    if (board_set(&p->before, wire_str_make(board->root, board->root_bytes),
                  wire_str_make(board->moves, bytes ? bytes - 1 : 0), why) != ST_OK)
        return; /* cannot be: it is the beginning of a game that was read */
    p->expected = movetext_from_usi(&p->before.now, board->moves + bytes, board->moves_bytes - bytes);
    Move moves[MOVES_MAX];
    p->choice_count = movegen_legal(&p->before.now, moves);
    if (p->expected == MOVE_NONE || p->choice_count == 1) return;
    memset(p->lines, 0, sizeof p->lines);
    p->reply_count = 0;
    p->state = PONDER_TO_LOOK;
}

/* ---- the look --------------------------------------------------------------------------------------------------- */

void ponder_look(struct ponder *p, unsigned worker)
{
    p->state = PONDER_LOOKING;
    p->places[worker] = PONDER_LOOK;
}

void ponder_look_lost(struct ponder *p, unsigned worker)
{
    p->state = PONDER_TO_LOOK;
    p->places[worker] = 0;
}

void ponder_take_line(struct ponder *p, unsigned number, Move move, Score score)
{
    if (number >= 1 && number <= PONDER_REPLIES_MAX) p->lines[number - 1] = (struct ponder_line){move, score};
}

/* ---- the plan --------------------------------------------------------------------------------------------------- */

/* Halves with every PONDER_HALF_CP, straight lines between: the same on every machine. */
static unsigned weight_of(Score worse_cp)
{
    int halvings = worse_cp / PONDER_HALF_CP, part = worse_cp % PONDER_HALF_CP;
    if (halvings >= 14) return 0;
    int whole = WEIGHT_ONE >> halvings;
    return (unsigned)(whole - whole / 2 * part / PONDER_HALF_CP);
}

/* Fills p->replies with moves and probabilities; workers 0. */
static void weigh(struct ponder *p)
{
    Score best = -SCORE_INFINITE, worst = SCORE_INFINITE;
    unsigned count = 1, expected = 0, others = 0, weights[PONDER_REPLIES_MAX + 1] = {0};
    for (const struct ponder_line *l = p->lines; l < p->lines + PONDER_REPLIES_MAX; l++) {
        if (l->move == MOVE_NONE) continue;
        if (l->score > best) best = l->score;
        if (l->score < worst) worst = l->score;
    }
    p->replies[0].move = p->expected;
    for (const struct ponder_line *l = p->lines; l < p->lines + PONDER_REPLIES_MAX; l++) {
        if (l->move == MOVE_NONE) continue;
        unsigned weight = weight_of(best - l->score);
        if (l->move == p->expected) expected = weight;
        unsigned at = 1;
        while (at < count && p->replies[at].move != l->move) at++; /* lines of two iterations may name a move twice */
        if (l->move == p->expected || at < count || count == PONDER_REPLIES_MAX) continue;
        p->replies[count].move = l->move;
        weights[count++] = weight;
        others += weight;
    }
    if (p->choice_count > PONDER_REPLIES_MAX) others += count > 1 ? weight_of(best - worst) : 1; /* what no line has */
    unsigned all = expected + others, likely = all ? WHOLE * expected / all : 0;
    if (likely < PONDER_EXPECTED_PERMILLE) likely = PONDER_EXPECTED_PERMILLE;
    p->replies[0].permille = likely;
    p->reply_count = count;
    for (unsigned i = 1; i < count; i++) p->replies[i].permille = others ? (WHOLE - likely) * weights[i] / others : 0;
    for (unsigned i = 2; i < count; i++) /* likeliest first */
        for (unsigned k = i; k > 1 && p->replies[k].permille > p->replies[k - 1].permille; k--) {
            struct ponder_reply likelier = p->replies[k];
            p->replies[k] = p->replies[k - 1];
            p->replies[k - 1] = likelier;
        }
}

/* Whole workers for the likely replies, until enough is covered; what is left over helps the expected one. */
static void divide(struct ponder *p, unsigned count)
{
    unsigned covered = p->replies[0].permille, given = 0;
    for (unsigned i = 1; i < p->reply_count; i++) {
        p->replies[i].workers = covered < PONDER_COVERED_PERMILLE ? p->replies[i].permille * count / WHOLE : 0;
        covered += p->replies[i].permille;
        given += p->replies[i].workers;
    }
    p->replies[0].workers = count - given;
}

static void write_texts(struct ponder *p)
{
    for (unsigned i = 1; i < p->reply_count; i++) {
        struct ponder_reply *r = &p->replies[i];
        if (!r->workers) continue;
        char *text = p->texts[i];
        memcpy(text, p->before.moves, p->before.moves_bytes);
        r->moves = wire_str_make(text, jobtext_append(text, p->before.moves_bytes, sizeof p->texts[i], &r->move, 1));
    }
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(&p->before.now, moves);
    p->rest_bytes = 0;
    for (size_t k = 0; k < count; k++) {
        unsigned i = 1; /* the expected one is among them: from the others' hints it is known what has to be beaten */
        while (i < p->reply_count && (p->replies[i].move != moves[k] || !p->replies[i].workers)) i++;
        if (i >= p->reply_count) p->rest_bytes = jobtext_append(p->rest, p->rest_bytes, sizeof p->rest, &moves[k], 1);
    }
}

void ponder_plan(struct ponder *p, const unsigned *workers, unsigned count)
{
    memset(p->places, 0, sizeof p->places);
    p->state = PONDER_PLANNED;
    if (count < 2) return;
    weigh(p);
    divide(p, --count);
    write_texts(p);
    p->places[workers[count]] = PONDER_REST;
    unsigned next = p->replies[0].workers;
    for (unsigned i = 1; i < p->reply_count; i++)
        for (unsigned k = 0; k < p->replies[i].workers && next < count; k++) p->places[workers[next++]] = (uint8_t)i;
}

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

void ponder_job(const struct ponder *p, unsigned worker, struct msg_job *job)
{
    unsigned place = p->places[worker];
    job->root = wire_str_make(p->before.root, p->before.root_bytes);
    job->moves = wire_str_make(p->before.moves, p->before.moves_bytes);
    if (place == PONDER_LOOK) {
        job->multipv = PONDER_REPLIES_MAX;
        job->nodes = PONDER_LOOK_NODES;
        job->time_limit_ms = PONDER_LOOK_MS;
        return;
    }
    if (place == PONDER_REST) {
        job->searchmoves = wire_str_make(p->rest, p->rest_bytes);
        return;
    }
    const struct ponder_reply *reply = &p->replies[place];
    job->moves = reply->moves;
    job->hint_workers = reply->workers;
    for (unsigned i = 0; i < worker; i++) job->variation += p->places[i] == place;
}
