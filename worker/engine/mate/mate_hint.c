/* mate_hint.c - see mate_hint.h. */
#include "worker/engine/mate/mate_hint.h"

#include "worker/engine/mate/mate_table.h"

enum { HAND_BITS = 21, LOW_BITS = 27, MANTISSA_BITS = 11, PLIES_PROVED_BITS = 13, MOVE_BITS = 15, CLAIM_LEFT = 1 << 4 };

/* ---- parts --------------------------------------------------------------------------------------------------------
 */

static const uint8_t count_bits[HAND_TYPES + 1] = {0, 5, 3, 3, 3, 2, 2, 3};
static const uint8_t counts_max[HAND_TYPES + 1] = {0, 18, 4, 4, 4, 2, 2, 4};

static uint64_t hand_write(Hand hand)
{
    uint64_t out = 0;
    for (PieceType t = GOLD; t >= PAWN; t--) out = out << count_bits[t] | hand_count(hand, t);
    return out;
}

static bool hand_read(uint64_t bits, Hand *hand)
{
    *hand = 0;
    for (PieceType t = PAWN; t <= GOLD; t++) {
        unsigned count = (unsigned)(bits & ((1u << count_bits[t]) - 1));
        bits >>= count_bits[t];
        if (count > counts_max[t]) return false;
        *hand += count * hand_one(t);
    }
    return true;
}

/* Rounded down; never 0 if n is not. */
static uint32_t number_write(uint32_t n)
{
    unsigned shift = 0;
    while (n >> shift >= 2u << MANTISSA_BITS) shift++;
    if (n < 1u << MANTISSA_BITS) return n;
    return (shift + 1) << MANTISSA_BITS | ((n >> shift) & ((1u << MANTISSA_BITS) - 1));
}

static uint32_t number_read(uint32_t bits)
{
    unsigned shift = bits >> MANTISSA_BITS;
    uint64_t n = bits & ((1u << MANTISSA_BITS) - 1);
    if (shift > 0) n = (n | 1u << MANTISSA_BITS) << (shift - 1);
    return n > MATE_OPEN_MAX ? MATE_OPEN_MAX : (uint32_t)n;
}

static uint64_t payload_write(uint32_t payload)
{
    uint64_t low = payload & ((1u << LOW_BITS) - 1), high = payload >> LOW_BITS;
    return low << HAND_BITS | (high & 1) << 58 | (high >> 1) << 60;
}

static uint32_t payload_read(uint64_t data)
{
    uint64_t low = data >> HAND_BITS & ((1u << LOW_BITS) - 1), high = (data >> 58 & 1) | (data >> 60) << 1;
    return (uint32_t)(low | high << LOW_BITS);
}

int mate_effort(uint64_t work) { return work == 0 ? 0 : 64 - __builtin_clzll(work); }

/* ---- facts --------------------------------------------------------------------------------------------------------
 */

struct hint mate_fact_write(const struct mate_fact *fact)
{
    uint32_t payload = 0;
    switch (fact->kind) {
    case MATE_FACT_OPEN:
        payload = number_write(fact->pn) | number_write(fact->dn) << 16;
        break;
    case MATE_FACT_PROVED:
        payload = (uint32_t)fact->plies | (uint32_t)(fact->move & ((1u << MOVE_BITS) - 1)) << PLIES_PROVED_BITS;
        break;
    case MATE_FACT_REFUTED:
        payload = (uint32_t)fact->plies;
        break;
    }
    uint64_t effort = (uint64_t)(mate_effort(fact->work) + HINT_DEPTH_OFFSET) | (uint64_t)fact->merges << 7;
    return (struct hint){fact->board_key,
                         hand_write(fact->hand) | payload_write(payload) | effort << 48 | (uint64_t)fact->kind << 56};
}

bool mate_fact_read(const struct hint *hint, struct mate_fact *fact)
{
    uint32_t payload = payload_read(hint->data);
    int effort = (int)(hint->data >> 48 & 127) - HINT_DEPTH_OFFSET;
    unsigned kind = (unsigned)(hint->data >> 56 & 3);
    *fact = (struct mate_fact){
        .board_key = hint->key, .kind = (enum mate_fact_kind)kind, .merges = (hint->data >> 55 & 1) != 0};
    if (effort < 1 || effort > 63 || !hand_read(hint->data & ((1u << HAND_BITS) - 1), &fact->hand)) return false;
    fact->work = (uint64_t)1 << (effort - 1);
    switch (kind) {
    case MATE_FACT_OPEN:
        fact->pn = number_read(payload & 0xffff);
        fact->dn = number_read(payload >> 16);
        return fact->pn != 0 && fact->dn != 0;
    case MATE_FACT_PROVED:
        fact->plies = (int)(payload & ((1u << PLIES_PROVED_BITS) - 1));
        fact->move = (Move)(payload >> PLIES_PROVED_BITS);
        return payload >> (PLIES_PROVED_BITS + MOVE_BITS) == 0 && fact->plies <= MATE_FACT_PLIES_MAX;
    case MATE_FACT_REFUTED:
        fact->plies = (int)payload;
        return fact->plies > 0 && (fact->plies == PLIES_ENDLESS || fact->plies <= MATE_FACT_PLIES_MAX);
    default:
        return false;
    }
}

/* ---- claims -------------------------------------------------------------------------------------------------------
 */

struct hint mate_claim_write(const struct mate_claim *claim)
{
    return (struct hint){claim->key, (uint64_t)(claim->worker % MATE_HINT_WORKERS) | (claim->left ? CLAIM_LEFT : 0) |
                                         (uint64_t)HINT_CLAIM << 59};
}

struct mate_claim mate_claim_read(const struct hint *hint)
{
    return (struct mate_claim){hint->key, (unsigned)(hint->data % MATE_HINT_WORKERS), (hint->data & CLAIM_LEFT) != 0};
}
