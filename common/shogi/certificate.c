/* certificate.c - see certificate.h. */
#include "common/shogi/certificate.h"

#include "common/shogi/movegen.h"

#include <stdlib.h>
#include <string.h>

enum { BASE = 77, MOVES_ROOM = 1 << 16, SLOTS_MIN = 64 };

struct walked { /* a position of the attacker that mates within `plies`; of this walk only if `walk` is its number */
    uint64_t board_key;
    Hand hand;
    uint16_t plies, walk;
};

struct step { /* a check on the way down, and its evasions */
    struct undo check, evasion;
    uint32_t next, end; /* in `moves`; all before have been answered */
    uint16_t plies;     /* the longest answered one takes, counted from the position after the check */
};

struct certificate {
    struct position pos;
    Color attacker;
    struct walked *walked;
    size_t slots, count, count_max;
    uint16_t walk;
    Move *moves;        /* the evasions of all steps, one list after the other */
    struct step *steps; /* CERTIFICATE_PLIES_MAX / 2 + 1 of them */
    size_t depth;
    unsigned plies;
};

enum { STEPS_MAX = CERTIFICATE_PLIES_MAX / 2 + 1 };

struct certificate *certificate_new(size_t positions_max)
{
    struct certificate *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->count_max = positions_max;
    c->slots = SLOTS_MIN;
    while (c->slots / 2 < positions_max) c->slots *= 2;
    c->walked = calloc(c->slots, sizeof *c->walked);
    c->moves = malloc(MOVES_ROOM * sizeof *c->moves);
    c->steps = malloc(STEPS_MAX * sizeof *c->steps);
    if (c->walked && c->moves && c->steps) return c;
    certificate_free(c);
    return NULL;
}

void certificate_free(struct certificate *c)
{
    if (!c) return;
    free(c->walked);
    free(c->moves);
    free(c->steps);
    free(c);
}

const struct position *certificate_position(const struct certificate *c) { return &c->pos; }
unsigned certificate_plies(const struct certificate *c) { return c->plies; }
size_t certificate_positions(const struct certificate *c) { return c->count; }

/* The slot of the present position: filled in this walk, or free to be. */
static struct walked *slot_of(const struct certificate *c)
{
    uint64_t board_key = c->pos.board_key;
    Hand hand = c->pos.hand[c->attacker];
    size_t slot = (size_t)(board_key ^ (hand * 0x9e3779b97f4a7c15u) >> 20) & (c->slots - 1);
    while (c->walked[slot].walk == c->walk && (c->walked[slot].board_key != board_key || c->walked[slot].hand != hand))
        slot = (slot + 1) & (c->slots - 1);
    return &c->walked[slot];
}

enum certificate_state certificate_begin(struct certificate *c, const struct position *root)
{
    c->pos = *root;
    c->attacker = root->side;
    c->depth = c->count = 0;
    c->plies = 0;
    if (++c->walk == 0) { /* the numbers have come round */
        memset(c->walked, 0, c->slots * sizeof *c->walked);
        c->walk = 1;
    }
    return CERTIFICATE_ASKS;
}

/* False: there is no room. */
static bool walked_add(struct certificate *c, unsigned plies)
{
    struct walked *slot = slot_of(c);
    if (slot->walk == c->walk) return true;
    if (c->count == c->count_max) return false;
    c->count++;
    *slot = (struct walked){c->pos.board_key, c->pos.hand[c->attacker], (uint16_t)plies, c->walk};
    return true;
}

/* The present position of the attacker mates within `plies`: goes on to the next one that is not known to. */
static enum certificate_state proved_within(struct certificate *c, unsigned plies)
{
    for (;;) {
        if (plies > CERTIFICATE_PLIES_MAX) return CERTIFICATE_WRONG;
        if (!walked_add(c, plies)) return CERTIFICATE_FULL;
        if (c->depth == 0) {
            c->plies = plies;
            return CERTIFICATE_PROVED;
        }
        struct step *step = &c->steps[c->depth - 1];
        if (plies + 1 > step->plies) step->plies = (uint16_t)(plies + 1);
        position_undo(&c->pos, &step->evasion);
        if (step->next < step->end) {
            position_do(&c->pos, c->moves[step->next++], &step->evasion);
            const struct walked *known = slot_of(c);
            if (known->walk != c->walk) return CERTIFICATE_ASKS;
            plies = known->plies;
        } else {
            position_undo(&c->pos, &step->check);
            c->depth--;
            plies = step->plies + 1u;
        }
    }
}

enum certificate_state certificate_play(struct certificate *c, Move check)
{
    if (check == MOVE_NONE || !position_pseudo_legal(&c->pos, check) || !position_legal(&c->pos, check) ||
        !position_gives_check(&c->pos, check))
        return CERTIFICATE_WRONG;
    uint32_t first = c->depth ? c->steps[c->depth - 1].end : 0;
    if (c->depth == STEPS_MAX || first + MOVES_MAX > MOVES_ROOM) return CERTIFICATE_WRONG;
    struct step *step = &c->steps[c->depth];
    position_do(&c->pos, check, &step->check);
    step->next = first;
    step->end = first + (uint32_t)movegen_legal(&c->pos, c->moves + first);
    step->plies = 0;
    if (step->next == step->end) { /* mate */
        position_undo(&c->pos, &step->check);
        return proved_within(c, 1);
    }
    c->depth++;
    position_do(&c->pos, c->moves[step->next++], &step->evasion);
    const struct walked *known = slot_of(c);
    return known->walk == c->walk ? proved_within(c, known->plies) : CERTIFICATE_ASKS;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

static size_t list_checks(const struct position *pos, Move *checks)
{
    size_t count = movegen_legal(pos, checks), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (position_gives_check(pos, checks[i])) checks[kept++] = checks[i];
    return kept;
}

size_t certificate_write(const struct certificate *c, Move check, char out[CERTIFICATE_SYMBOL_BYTES])
{
    Move checks[MOVES_MAX];
    size_t count = list_checks(&c->pos, checks), index = 0, bytes = 0;
    while (index < count && checks[index] != check) index++;
    if (index == count) return 0;
    for (; index >= BASE; index -= BASE) out[bytes++] = '~';
    out[bytes++] = (char)('0' + index);
    return bytes;
}

Move certificate_read(const struct certificate *c, struct text *rest)
{
    Move checks[MOVES_MAX];
    size_t count = list_checks(&c->pos, checks), index = 0;
    while (rest->at < rest->end && *rest->at == '~' && index < count) {
        index += BASE;
        rest->at++;
    }
    if (rest->at == rest->end || *rest->at < '0' || *rest->at >= '0' + BASE) return MOVE_NONE;
    index += (size_t)(*rest->at++ - '0');
    return index < count ? checks[index] : MOVE_NONE;
}

size_t certificate_put(struct certificate *c, const struct position *root,
                       Move (*check_at)(void *context, const struct position *pos), void *context, char *out,
                       size_t capacity)
{
    size_t length = 0;
    enum certificate_state state = certificate_begin(c, root);
    while (state == CERTIFICATE_ASKS && length + CERTIFICATE_SYMBOL_BYTES <= capacity) {
        Move check = check_at(context, certificate_position(c));
        length += certificate_write(c, check, out + length);
        state = certificate_play(c, check);
    }
    return state == CERTIFICATE_PROVED ? length : 0;
}

bool certificate_holds(struct certificate *c, const struct position *root, struct text text)
{
    enum certificate_state state = certificate_begin(c, root);
    while (state == CERTIFICATE_ASKS) state = certificate_play(c, certificate_read(c, &text));
    return state == CERTIFICATE_PROVED && text_empty(text);
}
