/* pv.c - lines of moves that came from outside. */
#include "coordinator/core/pv.h"

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "coordinator/core/mutant.h"
#include "coordinator/usi/usi.h"

#include <string.h>

_Static_assert((int)PV_BYTES_MAX <= (int)WIRE_PV_BYTES_MAX, "an own line fits where a worker's did");

bool pv_read(struct pv *pv, const struct position *pos, struct wire_str text)
{
    struct position at = *pos;
    struct wire_str word;
    pv->count = 0;
    while (pv->count < PV_MAX && usi_next_word(&text, &word)) {
        Move move = movetext_from_usi(&at, word.bytes, word.length);
        if (MUTANT_IS(5) && move == MOVE_NONE) move = movetext_parse(word.bytes, word.length); /* rules not asked */
        if (move == MOVE_NONE) return false;
        struct undo undo;
        if (!MUTANT_IS(5)) position_do(&at, move, &undo);
        pv->moves[pv->count++] = move;
    }
    return true;
}

size_t pv_write(const struct pv *pv, char out[PV_BYTES_MAX])
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < pv->count; i++) {
        char text[MOVETEXT_BYTES_MAX];
        size_t length = movetext_to_usi(pv->moves[i], text);
        if (i) out[bytes++] = ' ';
        memcpy(out + bytes, text, length);
        bytes += length;
    }
    out[bytes] = 0;
    return bytes;
}

bool pv_ends_in_mate(const struct pv *pv, const struct position *pos)
{
    struct position at = *pos;
    struct undo undo;
    for (uint32_t i = 0; i < pv->count; i++) position_do(&at, pv->moves[i], &undo);
    return !position_has_legal_move(&at);
}

bool pv_forces_mate(const struct pv *pv, const struct position *pos)
{
    struct position at = *pos;
    struct undo undo;
    for (uint32_t i = 0; i < pv->count; i++) {
        if (i % 2 == 1 && movegen_count_legal(&at) != 1) return false;
        position_do(&at, pv->moves[i], &undo);
    }
    return pv->count % 2 == 1 && !position_has_legal_move(&at);
}

bool mate_line_is_right(const struct position *pos, struct wire_str text, unsigned *moves)
{
    struct position at = *pos;
    struct wire_str word;
    struct undo undo;
    *moves = 0;
    while (usi_next_word(&text, &word)) {
        Move move = movetext_from_usi(&at, word.bytes, word.length);
        if (move == MOVE_NONE) return false;
        bool attacker = *moves % 2 == 0;
        position_do(&at, move, &undo);
        ++*moves;
        if (attacker && !position_in_check(&at)) return false;
    }
    return *moves % 2 == 1 && !position_has_legal_move(&at);
}
