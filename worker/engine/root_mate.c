/* root_mate.c - see root_mate.h. */
#include "worker/engine/root_mate.h"

#include <stdlib.h>
#include <string.h>

#include "common/shogi/certificate.h"

enum { LINE_PLIES = 8, STORED_PLIES = 60, CERTIFICATE_POSITIONS = 4096 };

struct root_mate {
    bool allowed;             /* in this search */
    struct tsumero_mate mate; /* proved; move MOVE_NONE: none yet */
    uint16_t pv_count;
    Move pv[ENGINE_PV_MAX];
    struct certificate *certificate;
    size_t text_bytes; /* 0: too long */
    char text[ENGINE_CERTIFICATE_BYTES_MAX];
};

struct root_mate *root_mate_new(void)
{
    struct root_mate *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->certificate = certificate_new(CERTIFICATE_POSITIONS);
    if (!m->certificate) {
        free(m);
        return NULL;
    }
    return m;
}

void root_mate_free(struct root_mate *m)
{
    if (!m) return;
    certificate_free(m->certificate);
    free(m);
}

/* A mate that goes through a position of the game again could end as perpetual check. The first time it cannot. */
static bool root_is_repeated(const struct search_thread *t)
{
    const struct history_entry *now = &t->line.entries[t->root_count - 1];
    for (uint32_t i = 0; i + 1 < t->root_count; i++)
        if (t->line.entries[i].board_key == now->board_key && t->line.entries[i].hand_black == now->hand_black)
            return true;
    return false;
}

void root_mate_start(struct search_thread *t)
{
    struct root_mate *m = t->root_mate;
    if (!m) return;
    m->mate.move = MOVE_NONE;
    m->text_bytes = 0;
    const struct engine_limits *limits = &t->shared->limits;
    bool bounded = limits->part && (limits->alpha > -SCORE_INFINITE || limits->beta < SCORE_INFINITE);
    m->allowed = t->params.root_mate_permille > 0 && !bounded && !root_is_repeated(t);
}

static Move check_at(void *context, const struct position *pos) { return tsumero_check(context, pos); }

/* Takes a mate within mate.plies as the answer if it can be proved (with mate.work nodes). */
static void prove(struct search_thread *t, struct tsumero_mate mate)
{
    struct root_mate *m = t->root_mate;
    Move line[ENGINE_PV_MAX];
    size_t count = tsumero_line(t, &mate, line, ENGINE_PV_MAX);
    if (count == 0 || !search_root_move(t, mate.move)) return; /* not among the moves that are asked for */
    m->mate = mate;
    m->pv_count = (uint16_t)count;
    memcpy(m->pv, line, count * sizeof *line);
    m->text_bytes = certificate_put(m->certificate, &t->pos, check_at, t->tsumero, m->text, sizeof m->text);
}

static void look_at_root(struct search_thread *t, uint32_t nodes_max)
{
    const struct root_mate *m = t->root_mate;
    const struct root_move *best = &t->root_moves[0];
    if (best->score >= SCORE_MATE_BOUND && (m->mate.move == MOVE_NONE || best->score > score_mate_in(m->mate.plies)))
        prove(t, (struct tsumero_mate){.plies = score_mate_plies(best->score), .work = nodes_max});
    struct tsumero_mate mate;
    if (m->mate.move == MOVE_NONE && tsumero_mates(t, nodes_max, &mate)) {
        mate.work = 0;
        prove(t, mate);
    }
}

static void look_at_line(struct search_thread *t, uint32_t nodes_max)
{
    const struct root_move *best = &t->root_moves[0];
    int plies = best->pv_count < LINE_PLIES ? best->pv_count : LINE_PLIES, played = 0;
    struct undo undo[LINE_PLIES];
    struct tsumero_mate mate;
    while (played < plies && !search_stopped(t)) {
        position_do(&t->pos, best->pv[played], &undo[played]);
        played++;
        if (!tsumero_mates(t, nodes_max, &mate)) continue;
        tt_store(t->shared->tt, position_key(&t->pos), mate.move, score_mate_in(mate.plies), SCORE_NONE, STORED_PLIES,
                 TT_LOWER, true);
        break;
    }
    while (played-- > 0) position_undo(&t->pos, &undo[played]);
}

void root_mate_look(struct search_thread *t)
{
    if (!t->root_mate || !t->root_mate->allowed) return;
    uint64_t share = search_nodes(t) * (uint64_t)t->params.root_mate_permille / 2000;
    uint32_t nodes_max = share < UINT32_MAX ? (uint32_t)share : UINT32_MAX;
    if (nodes_max == 0) return;
    look_at_root(t, nodes_max);
    if (t->root_mate->mate.move == MOVE_NONE && nodes_max > LINE_PLIES) look_at_line(t, nodes_max / LINE_PLIES);
}

void root_mate_apply(struct search_thread *t)
{
    const struct root_mate *m = t->root_mate;
    if (!m || m->mate.move == MOVE_NONE) return;
    Score score = score_mate_in(m->mate.plies);
    if (t->root_moves[0].score >= score) return;
    struct root_move *place = search_root_move(t, m->mate.move), proved = *place;
    memmove(t->root_moves + 1, t->root_moves, (size_t)(place - t->root_moves) * sizeof *place);
    proved.score = proved.score_mean = score;
    proved.bound = BOUND_EXACT;
    proved.pv_count = m->pv_count;
    memcpy(proved.pv, m->pv, m->pv_count * sizeof proved.pv[0]);
    if (proved.seldepth_plies < m->mate.plies) proved.seldepth_plies = m->mate.plies;
    t->root_moves[0] = proved;
}

const char *root_mate_certificate(const struct search_thread *t, size_t *bytes)
{
    const struct root_mate *m = t->root_mate;
    if (!m || m->mate.move == MOVE_NONE || m->text_bytes == 0) return NULL;
    if (t->root_moves[0].move != m->mate.move || t->root_moves[0].score < score_mate_in(m->mate.plies)) return NULL;
    *bytes = m->text_bytes;
    return m->text;
}
