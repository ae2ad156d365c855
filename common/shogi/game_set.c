#include "common/shogi/game_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct game_set_entry {
    uint64_t start;
    const uint16_t *moves; /* set while sorting: the array moves when it grows */
    uint32_t length;
    uint32_t number; /* while sorting; afterwards, in the order of adding: the game that is kept */
};

void game_set_init(struct game_set *set) { *set = (struct game_set){0}; }

void game_set_free(struct game_set *set)
{
    free(set->moves);
    free(set->entries);
    game_set_init(set);
}

static enum status make_room(struct game_set *set, uint32_t moves)
{
    if (set->count == GAME_SET_GAMES_MAX) return ST_FULL;
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity * 2 : 1024;
        struct game_set_entry *larger = realloc(set->entries, capacity * sizeof *larger);
        if (!larger) return ST_NO_MEMORY;
        set->entries = larger;
        set->capacity = capacity;
    }
    if (set->move_capacity - set->move_count < moves) {
        size_t capacity = set->move_capacity * 2 + moves + 1024;
        uint16_t *larger = realloc(set->moves, capacity * sizeof *larger);
        if (!larger) return ST_NO_MEMORY;
        set->moves = larger;
        set->move_capacity = capacity;
    }
    return ST_OK;
}

enum status game_set_add_moves(struct game_set *set, uint64_t start, const Move *moves, uint32_t count)
{
    enum status st = make_room(set, count);
    if (st != ST_OK) return st;
    if (count > 0) memcpy(set->moves + set->move_count, moves, count * sizeof *moves);
    set->move_count += count;
    set->entries[set->count] = (struct game_set_entry){.start = start, .length = count, .number = set->count};
    set->count++;
    return ST_OK;
}

enum status game_set_add(struct game_set *set, const struct record *record)
{
    Move moves[RECORD_PLIES_MAX + 1];
    const struct record_line *line = record_main(record);
    uint32_t count = line->count;
    for (uint32_t i = 0; i < count; i++) moves[i] = record->moves[line->first + i].move;
    if (record->illegal_ply && move_is_real(record->illegal_move)) moves[count++] = record->illegal_move;
    return game_set_add_moves(set, position_key(&record->initial), moves, count);
}

/* By start, then like words in a dictionary, the order of adding last. */
static int compare_entries(const void *left, const void *right)
{
    const struct game_set_entry *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    uint32_t common = a->length < b->length ? a->length : b->length;
    int difference = common ? memcmp(a->moves, b->moves, common * sizeof *a->moves) : 0;
    if (difference != 0) return difference;
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Is `a` the same as `b` or its beginning? */
static bool begins(const struct game_set_entry *a, const struct game_set_entry *b)
{
    return a->start == b->start && a->length <= b->length &&
           (a->length == 0 || memcmp(a->moves, b->moves, a->length * sizeof *a->moves) == 0);
}

enum status game_set_compare(struct game_set *set)
{
    set->same = set->beginnings = 0;
    if (set->count == 0) return ST_OK;
    struct game_set_entry *sorted = malloc(set->count * sizeof *sorted);
    if (!sorted) return ST_NO_MEMORY;
    size_t at = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        sorted[i] = set->entries[i];
        sorted[i].number = i;
        sorted[i].moves = set->moves + at;
        at += sorted[i].length;
    }
    qsort(sorted, set->count, sizeof *sorted, compare_entries);
    /* Backwards, so that the longest of a row of beginnings is known before the shorter ones. A run of equal games is
     * kept as its first, which stands first. */
    for (uint32_t end = set->count; end > 0;) {
        uint32_t first = end - 1;
        while (first > 0 && sorted[first - 1].length == sorted[first].length &&
               begins(&sorted[first - 1], &sorted[first]))
            first--;
        bool beginning = end < set->count && begins(&sorted[first], &sorted[end]);
        uint32_t kept = beginning ? set->entries[sorted[end].number].number : sorted[first].number;
        for (uint32_t i = first; i < end; i++) set->entries[sorted[i].number].number = kept;
        if (beginning)
            set->beginnings += end - first;
        else
            set->same += end - first - 1;
        end = first;
    }
    free(sorted);
    return ST_OK;
}

enum game_twin game_set_twin(const struct game_set *set, uint32_t game, uint32_t *other)
{
    assert(game < set->count);
    uint32_t kept = set->entries[game].number;
    if (other) *other = kept;
    if (kept == game) return GAME_ONLY;
    return set->entries[kept].length == set->entries[game].length ? GAME_SAME : GAME_BEGINNING;
}
