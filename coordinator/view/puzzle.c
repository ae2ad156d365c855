/* puzzle.c - see puzzle.h. */
#include "coordinator/view/puzzle.h"

#include "common/base/sha256.h"
#include "common/shogi/movetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key_kind { KEY_POSITION, KEY_MIRROR, KEY_SOLUTION };

struct puzzle_key {
    uint8_t hash[16];
};

void puzzle_set_init(struct puzzle_set *set, const struct mine *settings)
{
    memset(set, 0, sizeof *set);
    set->settings = *settings;
}

void puzzle_set_free(struct puzzle_set *set)
{
    for (size_t i = 0; i < set->count; i++) free(set->items[i].row);
    free(set->items);
    free(set->keys);
    set->items = NULL;
    set->keys = NULL;
    set->count = 0;
}

/* ---- reading a row ---------------------------------------------------------------------------------------------- */

static bool read_position(struct json value, struct position *pos)
{
    struct text inside = value.raw;
    if (value.type != JSON_STRING || text_length(inside) < 2) return false;
    return sfen_read(pos, inside.at + 1, text_length(inside) - 2, NULL, NULL) == ST_OK; /* SFEN needs no escapes */
}

static Move read_move(struct json value, const struct position *pos)
{
    struct text raw = value.raw;
    return value.type == JSON_STRING ? movetext_from_usi(pos, raw.at + 1, text_length(raw) - 2) : MOVE_NONE;
}

static bool read_line(struct json value, struct puzzle *p)
{
    struct json_walk walk = json_walk_start(value);
    struct json element;
    struct position pos = p->start;
    struct undo undo;
    while (json_walk_element(&walk, &element)) {
        if (p->count == MINE_LINE_MAX) return false;
        Move move = read_move(element, &pos);
        if (move == MOVE_NONE) return false;
        p->line[p->count++] = move;
        position_do(&pos, move, &undo);
    }
    return p->verdict == MINE_REJECTED || p->count % 2 == 1;
}

static bool read_verdict(struct json row, struct puzzle *p)
{
    struct json verdict = json_member(row, "verdict"), reason = json_member(row, "reason");
    p->verdict = json_string_is(verdict, "accepted") ? MINE_ACCEPTED
                 : json_string_is(verdict, "held")   ? MINE_HELD
                                                     : MINE_REJECTED;
    for (p->reason = MINE_NONE; p->reason < MINE_REASON_COUNT; p->reason++)
        if (json_string_is(reason, mine_reason_word(p->reason))) return true;
    return false;
}

static bool read_row(struct puzzle *p)
{
    struct text rest = text_from(p->row);
    int64_t ply;
    if (json_take(&rest, &p->json, NULL) != ST_OK || !read_verdict(p->json, p) ||
        !json_integer(json_member(p->json, "ply"), 100000, &ply) ||
        !read_position(json_member(p->json, "sfen"), &p->start) ||
        !read_position(json_member(p->json, "before"), &p->before) || !read_line(json_member(p->json, "solution"), p))
        return false;
    p->ply = (uint32_t)ply;
    p->mistake = read_move(json_member(p->json, "mistake"), &p->before);
    (void)json_integer(json_member(p->json, "rating"), 10000, &p->rating);
    (void)json_integer(json_member(p->json, "mate_plies"), 10000, &p->mate_plies);
    struct json_walk walk = json_walk_start(json_member(p->json, "themes"));
    struct json theme;
    while (p->theme_count < PUZZLE_THEMES_MAX && json_walk_element(&walk, &theme))
        p->themes[p->theme_count++] = text_make(theme.raw.at + 1, text_length(theme.raw) - 2);
    return p->mistake != MOVE_NONE;
}

/* ---- duplicates ------------------------------------------------------------------------------------------------- */

/* Board and hands with the solver at the bottom; with `mirror`, left and right changed. */
static void hash_position(const struct position *pos, bool mirror, struct sha256 *hash)
{
    uint8_t bytes[SQUARE_COUNT + 2 * HAND_TYPES];
    size_t n = 0;
    for (int rank = 1; rank <= 9; rank++)
        for (int file = 1; file <= 9; file++) {
            Square sq = square_make(mirror ? 10 - file : file, rank);
            Piece piece = pos->board[pos->side == BLACK ? sq : square_flip(sq)];
            /* A turned board is mirrored too: what is left of it lies right. */
            bytes[n++] = (uint8_t)(piece == NO_PIECE ? 0 : piece_type(piece) | (piece_color(piece) != pos->side) << 7);
        }
    for (int side = 0; side < 2; side++)
        for (PieceType t = PAWN; t <= GOLD; t++)
            bytes[n++] = (uint8_t)hand_count(pos->hand[side ? color_other(pos->side) : pos->side], t);
    sha256_add(hash, bytes, n);
}

static struct puzzle_key key_of(const struct puzzle *p, enum key_kind kind)
{
    struct position end = p->start;
    struct puzzle_key keys[2];
    for (unsigned i = 0; kind == KEY_SOLUTION && i < p->count; i++) {
        struct undo undo;
        position_do(&end, p->line[i], &undo);
    }
    for (int mirror = 0; mirror < 2; mirror++) {
        struct sha256 hash;
        uint8_t digest[SHA256_BYTES];
        sha256_init(&hash);
        uint8_t tag[3] = {(uint8_t)kind, kind == KEY_POSITION ? p->start.side : 0,
                          kind == KEY_SOLUTION ? (uint8_t)p->count : 0};
        sha256_add(&hash, tag, sizeof tag);
        hash_position(&end, mirror, &hash);
        sha256_end(&hash, digest);
        memcpy(keys[mirror].hash, digest, sizeof keys[mirror].hash);
    }
    /* The position itself is one of two; what is the same in a mirror takes the smaller. */
    bool swap = kind != KEY_POSITION && memcmp(keys[1].hash, keys[0].hash, sizeof keys[0].hash) < 0;
    return keys[swap ? 1 : 0];
}

static bool key_grow(struct puzzle_set *set)
{
    size_t capacity = set->key_capacity ? 2 * set->key_capacity : 1024;
    struct puzzle_key *keys = calloc(capacity, sizeof *keys);
    if (!keys) return false;
    static const struct puzzle_key none;
    for (size_t i = 0; i < set->key_capacity; i++) {
        if (!memcmp(&set->keys[i], &none, sizeof none)) continue;
        size_t at = (size_t)(set->keys[i].hash[0] | set->keys[i].hash[1] << 8 | set->keys[i].hash[2] << 16);
        while (memcmp(&keys[at % capacity], &none, sizeof none)) at++;
        keys[at % capacity] = set->keys[i];
    }
    free(set->keys);
    set->keys = keys;
    set->key_capacity = capacity;
    return true;
}

/* True: it was there already. */
static bool key_seen(struct puzzle_set *set, struct puzzle_key key, bool add)
{
    static const struct puzzle_key none;
    if (2 * set->key_count >= set->key_capacity && !key_grow(set)) {
        set->broken = true;
        return false;
    }
    size_t at = (size_t)(key.hash[0] | key.hash[1] << 8 | key.hash[2] << 16);
    for (;; at++) {
        struct puzzle_key *place = &set->keys[at % set->key_capacity];
        if (!memcmp(place, &key, sizeof key)) return true;
        if (memcmp(place, &none, sizeof none)) continue;
        if (add) {
            *place = key;
            set->key_count++;
        }
        return false;
    }
}

static enum mine_reason find_duplicate(struct puzzle_set *set, const struct puzzle *p)
{
    if (key_seen(set, key_of(p, KEY_POSITION), false)) return MINE_SAME_POSITION;
    if (key_seen(set, key_of(p, KEY_MIRROR), false)) return MINE_SAME_MIRROR;
    if (key_seen(set, key_of(p, KEY_SOLUTION), false)) return MINE_SAME_SOLUTION;
    int64_t in_game = 0;
    for (size_t i = set->count; i-- > 0 && set->items[i].seq == p->seq;) {
        if (set->items[i].verdict != MINE_ACCEPTED) continue;
        if (p->ply - set->items[i].ply < (uint32_t)set->settings.distance_plies) return MINE_TOO_CLOSE;
        in_game++;
    }
    return in_game >= set->settings.per_game ? MINE_TOO_MANY : MINE_NONE;
}

static void name(struct puzzle *p)
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz"; /* no i, l, o, u */
    struct puzzle_key position = key_of(p, KEY_POSITION), solution = key_of(p, KEY_SOLUTION);
    for (int i = 0; i < PUZZLE_ID_BYTES - 1; i++) p->id[i] = digits[(position.hash[i] ^ solution.hash[15 - i]) & 31];
}

/* ---- adding ----------------------------------------------------------------------------------------------------- */

static struct puzzle *room(struct puzzle_set *set)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity ? 2 * set->capacity : 256;
        struct puzzle *items = realloc(set->items, capacity * sizeof *items);
        if (!items) return NULL;
        set->items = items;
        set->capacity = capacity;
    }
    memset(&set->items[set->count], 0, sizeof *set->items);
    return &set->items[set->count];
}

void puzzle_set_add(struct puzzle_set *set, int64_t seq, struct text row)
{
    struct puzzle *p = room(set);
    if (p) p->row = malloc(text_length(row) + 1);
    if (!p || !p->row) {
        set->broken = true;
        return;
    }
    memcpy(p->row, row.at, text_length(row));
    p->row[text_length(row)] = 0;
    p->seq = seq;
    if (!read_row(p)) {
        free(p->row);
        set->broken = true;
        return;
    }
    if (p->verdict == MINE_ACCEPTED && (p->reason = find_duplicate(set, p)) != MINE_NONE) p->verdict = MINE_REJECTED;
    if (p->verdict == MINE_ACCEPTED) {
        for (enum key_kind kind = KEY_POSITION; kind <= KEY_SOLUTION; kind++)
            (void)key_seen(set, key_of(p, kind), true);
        name(p);
        set->published++;
    } else {
        set->ledger[p->reason]++;
        *(p->verdict == MINE_HELD ? &set->held : &set->rejected) += 1;
    }
    int64_t nodes;
    if (json_integer(json_member(p->json, "nodes_verify"), INT64_MAX, &nodes)) set->nodes_verify += (uint64_t)nodes;
    if (json_integer(json_member(p->json, "nodes_audit"), INT64_MAX, &nodes)) set->nodes_audit += (uint64_t)nodes;
    set->count++;
}
