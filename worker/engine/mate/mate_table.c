#include "worker/engine/mate/mate_table.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GROUP_ENTRIES = 56,
    GROUP_KEPT = 38,
    GROUPS_FIRST = 256, /* in use at first, or up to twice as many: half a megabyte stays in the nearest caches */
    GROW_ENTRIES = GROUP_ENTRIES / 2, /* in use per group, on average, before their number doubles */
    LEVEL_SHIFT = 8,                  /* the bits of a board key above its tag tell the halves of split groups apart */
    LOOP_WAYS = 4,
    FLAG_LOOPS = 0x8000,
    FLAG_MERGES = 0x4000,
    DEPTH_MASK = 0x3fff,
    TOLD_MAX = 32, /* `work` has 32 bits */
    USED_STEP = 8, /* one board of so many counts for all: a counter that all threads write to is slow */
    CACHE_LINE = 64
};

struct entry {
    uint64_t board_key;
    Hand hand;
    uint32_t pn, dn;        /* 0, 0: nothing known about open questions */
    uint32_t work;          /* nodes spent below; decides who stays */
    uint16_t plies_proved;  /* smallest, PLIES_NONE if none */
    uint16_t plies_refuted; /* largest, 0 if none: there is never a mate within 0 plies */
    uint16_t depth_min;     /* and the two flags */
    union {
        Move move;     /* if there is a proof */
        uint16_t told; /* else: pn and dn are another worker's, who spent so much effort on them; 0: they are ours */
    };
};
_Static_assert(sizeof(struct entry) == 32, "two entries to a cache line");

struct group {
    uint8_t tag[GROUP_ENTRIES]; /* 0 = free; else the low byte of the board key, made non-zero */
    atomic_flag lock;           /* guards the whole group */
    uint8_t padding[3];
    uint32_t age; /* of the table when the group was last emptied; another age means: empty */
    struct entry entry[GROUP_ENTRIES];
};
_Static_assert(sizeof(atomic_flag) == 1, "tags and lock share a cache line");

struct loop {                     /* key ^ data: a torn pair fails the test and reads as a miss */
    _Atomic uint64_t check, data; /* data: plies | start << 16 | age << 32 */
};

/* Groups are in use as they are needed: groups_first << level of them. A group that is split sends half of its boards
 * to the one that stands groups_first << level further on. */
struct mate_table {
    struct group *groups;
    struct loop *loops;
    _Atomic uint32_t *parents; /* [place]; relaxed: a hint about the shape of the graph */
    size_t groups_first, group_count, loops_first, loop_count; /* loop_count is a multiple of LOOP_WAYS */
    unsigned level_max;
    _Atomic unsigned level;
    _Atomic uint32_t age; /* 1.. ; memory fresh from the system has age 0 */
    /* What is above is read by all threads all the time, what is below is written. */
    _Alignas(CACHE_LINE) atomic_flag growing;
    /* Entries in use, about; looking for them would make the system clear pages that nobody has touched yet. */
    _Atomic uint64_t used;
};

/* Zeroed on demand, in large pages where the system has them: the look-ups are scattered all over. */
static void *memory_new(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

static void memory_free(void *memory, size_t bytes)
{
    if (memory) (void)munmap(memory, bytes);
}

static inline uint32_t age_of(const struct mate_table *table)
{
    return atomic_load_explicit(&table->age, memory_order_relaxed);
}

static size_t place_count(const struct mate_table *table) { return table->group_count * GROUP_ENTRIES + 1; }

struct mate_table *mate_table_new(size_t bytes)
{
    struct mate_table *table = aligned_alloc(CACHE_LINE, sizeof *table);
    if (!table) return NULL;
    memset(table, 0, sizeof *table);
    size_t loop_bytes = bytes / 16;
    size_t groups = (bytes - loop_bytes) / (sizeof(struct group) + GROUP_ENTRIES * sizeof *table->parents);
    if (groups == 0) groups = 1;
    if (groups > UINT32_MAX / GROUP_ENTRIES - 1) groups = UINT32_MAX / GROUP_ENTRIES - 1;
    while (groups >> table->level_max >= 2 * GROUPS_FIRST) table->level_max++;
    table->groups_first = groups >> table->level_max;
    table->group_count = table->groups_first << table->level_max;
    table->loops_first = loop_bytes / sizeof(struct loop) / LOOP_WAYS >> table->level_max;
    if (table->loops_first == 0) table->loops_first = 1;
    table->loop_count = (table->loops_first << table->level_max) * LOOP_WAYS;
    atomic_init(&table->age, 1);
    table->groups = memory_new(table->group_count * sizeof(struct group));
    table->loops = memory_new(table->loop_count * sizeof(struct loop));
    table->parents = memory_new(place_count(table) * sizeof *table->parents);
    if (!table->groups || !table->loops || !table->parents) {
        mate_table_free(table);
        return NULL;
    }
    return table;
}

void mate_table_free(struct mate_table *table)
{
    if (!table) return;
    memory_free(table->groups, table->group_count * sizeof(struct group));
    memory_free(table->loops, table->loop_count * sizeof(struct loop));
    memory_free((void *)table->parents, place_count(table) * sizeof *table->parents);
    free(table);
}

void mate_table_clear(struct mate_table *table)
{
    atomic_store_explicit(&table->used, 0, memory_order_relaxed);
    uint32_t age = age_of(table) + 1;
    if (age == 0) {
        age = 1;
        for (size_t i = 0; i < table->group_count; i++) table->groups[i].age = 0;
    }
    atomic_store_explicit(&table->age, age, memory_order_relaxed);
    atomic_store_explicit(&table->level, 0, memory_order_relaxed);
}

__extension__ typedef unsigned __int128 uint128;

/* Spreads keys over any number of places by their upper bits. */
static inline size_t place_of(uint64_t key, size_t places) { return (size_t)(((uint128)key * places) >> 64); }

static inline unsigned level_of(const struct mate_table *table)
{
    return atomic_load_explicit(&table->level, memory_order_relaxed);
}

/* The first `first` places by the upper bits of the key, and as many again for each of the 2^level values of others. */
static inline size_t place_at(uint64_t key, size_t first, unsigned level)
{
    size_t half = (size_t)(key >> LEVEL_SHIFT) & (((size_t)1 << level) - 1);
    return place_of(key, first) + half * first;
}

static inline struct group *group_of(const struct mate_table *table, uint64_t board_key, unsigned level)
{
    return &table->groups[place_at(board_key, table->groups_first, level)];
}

static inline uint32_t place_number(const struct mate_table *table, const struct group *g, const struct entry *e)
{
    return (uint32_t)((size_t)(g - table->groups) * GROUP_ENTRIES + (size_t)(e - g->entry) + 1);
}

static inline uint8_t tag_of(uint64_t board_key)
{
    uint8_t tag = (uint8_t)board_key;
    return tag != 0 ? tag : 1;
}

static inline void group_seize(struct group *g)
{
    while (atomic_flag_test_and_set_explicit(&g->lock, memory_order_acquire)) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

static inline void group_unlock(struct group *g) { atomic_flag_clear_explicit(&g->lock, memory_order_release); }

static inline void group_empty_if_old(struct group *g, uint32_t age)
{
    if (g->age == age) return;
    memset(g->tag, 0, sizeof g->tag);
    g->age = age;
}

static inline struct group *group_lock(const struct mate_table *table, uint64_t board_key)
{
    for (;;) {
        unsigned level = level_of(table);
        struct group *g = group_of(table, board_key, level);
        group_seize(g);
        if (level == level_of(table)) {
            group_empty_if_old(g, age_of(table));
            return g;
        }
        group_unlock(g); /* the table has grown meanwhile */
    }
}

unsigned mate_table_permille(const struct mate_table *table)
{
    uint64_t used = atomic_load_explicit(&table->used, memory_order_relaxed);
    uint64_t permille = used * 1000 / (table->group_count * GROUP_ENTRIES);
    return permille < 1000 ? (unsigned)permille : 1000;
}

void mate_table_prefetch(const struct mate_table *table, uint64_t board_key)
{
    __builtin_prefetch(group_of(table, board_key, level_of(table)));
}

/* One bit per byte of `tags` that may equal `tag` (exact for the lowest; false ones are sorted out by the key). */
static inline uint64_t matches(uint64_t tags, uint8_t tag)
{
    uint64_t x = tags ^ (0x0101010101010101u * tag);
    return (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
}

/* for (unsigned i = next_match(g, key, 0); i < GROUP_ENTRIES; i = next_match(g, key, i + 1)): every entry of this
 * board. */
struct cursor {
    uint64_t bits;
    unsigned word;
    uint8_t tag;
};
static inline struct entry *cursor_next(struct group *g, uint64_t board_key, struct cursor *c)
{
    for (;;) {
        while (c->bits == 0) {
            if (c->word == GROUP_ENTRIES / 8) return NULL;
            uint64_t tags;
            memcpy(&tags, &g->tag[c->word * 8], 8);
            c->bits = matches(tags, c->tag);
            c->word++;
        }
        unsigned byte = (unsigned)__builtin_ctzll(c->bits) / 8;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        byte = 7 - byte;
#endif
        c->bits &= c->bits - 1;
        unsigned index = (c->word - 1) * 8 + byte;
        if (g->tag[index] == c->tag && g->entry[index].board_key == board_key) return &g->entry[index];
    }
}
static inline struct cursor cursor_start(uint64_t board_key) { return (struct cursor){0, 0, tag_of(board_key)}; }

void mate_table_get(struct mate_table *table, uint64_t board_key, Hand hand, int plies, int depth, struct mate_hit *hit)
{
    *hit = (struct mate_hit){.old = false};
    int best_proof = PLIES_NONE;
    struct group *g = group_lock(table, board_key);
    struct cursor c = cursor_start(board_key);
    for (const struct entry *e; (e = cursor_next(g, board_key, &c)) != NULL;) {
        bool larger = hand_covers(hand, e->hand), smaller = hand_covers(e->hand, hand);
        if (larger && e->plies_proved <= plies) {
            if (e->plies_proved < best_proof) {
                best_proof = e->plies_proved;
                hit->pn = 0;
                hit->dn = MATE_INFINITE;
                hit->hand = e->hand;
                hit->plies = e->plies_proved;
                hit->move = e->move;
            }
        } else if (smaller && e->plies_refuted >= plies) {
            if (best_proof != PLIES_NONE) continue;
            if (hit->dn == 0 && hit->pn == MATE_INFINITE && hit->plies >= e->plies_refuted) continue;
            hit->pn = MATE_INFINITE;
            hit->dn = 0;
            hit->hand = e->hand;
            hit->plies = e->plies_refuted;
        } else if (hit->pn != MATE_INFINITE && best_proof == PLIES_NONE) {
            if (larger && smaller) {
                hit->pn = e->pn;
                hit->dn = e->dn;
                hit->loops = (e->depth_min & FLAG_LOOPS) != 0;
                hit->merges = (e->depth_min & FLAG_MERGES) != 0;
                hit->place = place_number(table, g, e);
                __builtin_prefetch((const void *)&table->parents[hit->place]);
                hit->old |= (e->depth_min & DEPTH_MASK) < depth;
            } else if (larger && e->dn > hit->dn_least) {
                hit->dn_least = e->dn;
                hit->old |= (e->depth_min & DEPTH_MASK) < depth;
            } else if (smaller && e->pn > hit->pn_least) {
                hit->pn_least = e->pn;
                hit->old |= (e->depth_min & DEPTH_MASK) < depth;
            }
        }
    }
    group_unlock(g);
}

void mate_table_bounds(struct mate_table *table, uint64_t board_key, Hand hand, int *plies_refuted, int *plies_proved)
{
    *plies_refuted = 0;
    *plies_proved = PLIES_NONE;
    struct group *g = group_lock(table, board_key);
    struct cursor c = cursor_start(board_key);
    for (const struct entry *e; (e = cursor_next(g, board_key, &c)) != NULL;) {
        if (e->plies_proved < *plies_proved && hand_covers(hand, e->hand)) *plies_proved = e->plies_proved;
        if (e->plies_refuted > *plies_refuted && hand_covers(e->hand, hand)) *plies_refuted = e->plies_refuted;
    }
    group_unlock(g);
}

/* Settled knowledge is worth more than its work: it can never be wrong, and a proof needs all of it. */
static uint64_t entry_worth(const struct entry *e)
{
    uint64_t worth = (uint64_t)e->work + 1;
    if (e->plies_proved == PLIES_NONE) worth += (uint64_t)1 << e->told >> 1;
    if (e->plies_proved != PLIES_NONE)
        worth = worth * 8 + 8;
    else if (e->plies_refuted >= PLIES_ENDLESS)
        worth = worth * 4 + 4;
    return worth;
}

static void group_shrink(struct group *g)
{
    uint64_t worth[GROUP_ENTRIES], sorted[GROUP_ENTRIES];
    for (size_t i = 0; i < GROUP_ENTRIES; i++) {
        worth[i] = entry_worth(&g->entry[i]);
        size_t j = i;
        while (j > 0 && sorted[j - 1] > worth[i]) {
            sorted[j] = sorted[j - 1];
            j--;
        }
        sorted[j] = worth[i];
    }
    uint64_t limit = sorted[GROUP_ENTRIES - GROUP_KEPT];
    size_t room = GROUP_ENTRIES - GROUP_KEPT;
    for (size_t i = 0; i < GROUP_ENTRIES; i++)
        if (worth[i] < limit) g->tag[i] = 0, room--;
    for (size_t i = 0; i < GROUP_ENTRIES && room > 0; i++)
        if (g->tag[i] != 0 && worth[i] == limit) g->tag[i] = 0, room--;
}

static size_t free_slot(const struct group *g)
{
    for (size_t word = 0; word < GROUP_ENTRIES / 8; word++) {
        uint64_t tags;
        memcpy(&tags, &g->tag[word * 8], 8);
        if (matches(tags, 0) == 0) continue;
        for (size_t i = word * 8; i < word * 8 + 8; i++)
            if (g->tag[i] == 0) return i;
    }
    return GROUP_ENTRIES;
}

/* The entry of exactly this hand, made if need be. */
static struct entry *entry_for(struct mate_table *table, struct group *g, uint64_t board_key, Hand hand)
{
    struct cursor c = cursor_start(board_key);
    for (struct entry *e; (e = cursor_next(g, board_key, &c)) != NULL;)
        if (e->hand == hand) return e;
    size_t slot = free_slot(g);
    if (slot == GROUP_ENTRIES) {
        group_shrink(g);
        uint64_t used = atomic_load_explicit(&table->used, memory_order_relaxed);
        used = used > GROUP_ENTRIES - GROUP_KEPT ? used - (GROUP_ENTRIES - GROUP_KEPT) : 0;
        atomic_store_explicit(&table->used, used, memory_order_relaxed);
        slot = free_slot(g);
    }
    if (board_key % USED_STEP == 0) atomic_fetch_add_explicit(&table->used, USED_STEP, memory_order_relaxed);
    g->tag[slot] = tag_of(board_key);
    struct entry *e = &g->entry[slot];
    *e = (struct entry){.board_key = board_key, .hand = hand, .plies_proved = PLIES_NONE, .depth_min = DEPTH_MASK};
    /* The place may have been another position's, in this search or before the table was cleared. */
    atomic_store_explicit(&table->parents[place_number(table, g, e)], 0, memory_order_relaxed);
    return e;
}

/* Sends the entries that belong `first` groups further on there. */
static void group_split(struct mate_table *table, struct group *g, unsigned level, uint32_t age)
{
    struct group *to = g + (table->groups_first << level);
    group_empty_if_old(g, age);
    memset(to->tag, 0, sizeof to->tag);
    to->age = age;
    for (size_t i = 0; i < GROUP_ENTRIES; i++) {
        if (g->tag[i] == 0 || (g->entry[i].board_key >> (LEVEL_SHIFT + level) & 1) == 0) continue;
        to->tag[i] = g->tag[i];
        to->entry[i] = g->entry[i];
        g->tag[i] = 0;
        uint32_t parent = mate_table_parent(table, place_number(table, g, &g->entry[i]));
        atomic_store_explicit(&table->parents[place_number(table, to, &to->entry[i])], parent, memory_order_relaxed);
    }
}

/* Doubles the groups in use when half of their entries are. Whoever looks for a group meanwhile waits for its lock, and
 * looks again. */
static void grow_if_full(struct mate_table *table)
{
    unsigned level = level_of(table);
    size_t groups = table->groups_first << level;
    if (level == table->level_max ||
        atomic_load_explicit(&table->used, memory_order_relaxed) < (uint64_t)groups * GROW_ENTRIES ||
        atomic_flag_test_and_set_explicit(&table->growing, memory_order_acquire))
        return;
    if (level == level_of(table)) {
        for (size_t i = 0; i < groups; i++) group_seize(&table->groups[i]);
        for (size_t i = 0; i < groups; i++) group_split(table, &table->groups[i], level, age_of(table));
        atomic_store_explicit(&table->level, level + 1, memory_order_relaxed);
        for (size_t i = 0; i < groups; i++) group_unlock(&table->groups[i]);
    }
    atomic_flag_clear_explicit(&table->growing, memory_order_release);
}

static struct group *group_lock_to_put(struct mate_table *table, uint64_t board_key)
{
    grow_if_full(table);
    return group_lock(table, board_key);
}

static void add_work(struct entry *e, uint64_t work)
{
    uint64_t sum = (uint64_t)e->work + work;
    e->work = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

static void met_at(struct entry *e, int depth)
{
    if (depth < (e->depth_min & DEPTH_MASK)) e->depth_min = (uint16_t)((e->depth_min & ~DEPTH_MASK) | depth);
}

uint32_t mate_table_place(struct mate_table *table, uint64_t board_key, Hand hand, int depth, int *depth_min,
                          uint32_t *work)
{
    struct group *g = group_lock_to_put(table, board_key);
    struct entry *e = entry_for(table, g, board_key, hand);
    met_at(e, depth);
    *depth_min = e->depth_min & DEPTH_MASK;
    *work = e->work;
    uint32_t place = place_number(table, g, e);
    group_unlock(g);
    return place;
}

uint32_t mate_table_parent(const struct mate_table *table, uint32_t place)
{
    return atomic_load_explicit(&table->parents[place], memory_order_relaxed);
}

void mate_table_mark(struct mate_table *table, uint64_t board_key, Hand hand)
{
    struct group *g = group_lock_to_put(table, board_key);
    entry_for(table, g, board_key, hand)->depth_min |= FLAG_MERGES;
    group_unlock(g);
}

uint64_t mate_table_put_open(struct mate_table *table, uint64_t board_key, Hand hand, uint32_t pn, uint32_t dn,
                             int depth, uint64_t work, uint32_t parent, bool *merges)
{
    struct group *g = group_lock_to_put(table, board_key);
    struct entry *e = entry_for(table, g, board_key, hand);
    atomic_store_explicit(&table->parents[place_number(table, g, e)], parent, memory_order_relaxed);
    e->pn = pn;
    e->dn = dn;
    met_at(e, depth);
    add_work(e, work);
    if (e->plies_proved == PLIES_NONE) e->told = 0;
    *merges = (e->depth_min & FLAG_MERGES) != 0;
    uint64_t sum = e->work;
    group_unlock(g);
    return sum;
}

void mate_table_hint_open(struct mate_table *table, uint64_t board_key, Hand hand, uint32_t pn, uint32_t dn, int effort,
                          bool merges)
{
    if (effort > TOLD_MAX) effort = TOLD_MAX;
    struct group *g = group_lock_to_put(table, board_key);
    struct entry *e = entry_for(table, g, board_key, hand);
    if (merges) e->depth_min |= FLAG_MERGES;
    bool knows_better =
        e->plies_proved != PLIES_NONE || e->told > effort || ((uint64_t)e->work + 1) >> (effort - 1) != 0;
    if (e->pn == 0 || !knows_better) {
        e->pn = pn;
        e->dn = dn;
        e->told = (uint16_t)effort;
    }
    group_unlock(g);
}

void mate_table_put_proved(struct mate_table *table, uint64_t board_key, Hand hand, int plies, Move move, uint64_t work)
{
    struct group *g = group_lock_to_put(table, board_key);
    struct entry *e = entry_for(table, g, board_key, hand);
    if (plies < e->plies_proved) {
        e->plies_proved = (uint16_t)plies;
        e->move = move;
    }
    add_work(e, work);
    group_unlock(g);
}

void mate_table_put_refuted(struct mate_table *table, uint64_t board_key, Hand hand, int plies, uint64_t work)
{
    struct group *g = group_lock_to_put(table, board_key);
    struct entry *e = entry_for(table, g, board_key, hand);
    if (plies > e->plies_refuted) e->plies_refuted = (uint16_t)plies;
    add_work(e, work);
    group_unlock(g);
}

/* What was put there before the table grew is found again with luck, else searched again. */
static struct loop *loops_of(const struct mate_table *table, uint64_t path_key)
{
    return &table->loops[place_at(path_key, table->loops_first, level_of(table)) * LOOP_WAYS];
}

void mate_table_put_loop(struct mate_table *table, uint64_t board_key, Hand hand, uint64_t path_key, int plies,
                         int start)
{
    struct group *g = group_lock_to_put(table, board_key);
    entry_for(table, g, board_key, hand)->depth_min |= FLAG_LOOPS;
    group_unlock(g);

    struct loop *set = loops_of(table, path_key);
    uint32_t age = age_of(table);
    uint64_t data = (uint64_t)plies | (uint64_t)start << 16 | (uint64_t)age << 32;
    size_t way = (size_t)(path_key % LOOP_WAYS); /* an arbitrary one, if none is free or the same */
    for (size_t i = 0; i < LOOP_WAYS; i++) {
        uint64_t old = atomic_load_explicit(&set[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&set[i].check, memory_order_relaxed);
        if (old >> 32 != age || (check ^ old) == path_key) {
            way = i;
            break;
        }
    }
    atomic_store_explicit(&set[way].data, data, memory_order_relaxed);
    atomic_store_explicit(&set[way].check, path_key ^ data, memory_order_relaxed);
}

bool mate_table_get_loop(struct mate_table *table, uint64_t path_key, int plies, int *plies_known, int *start)
{
    const struct loop *set = loops_of(table, path_key);
    for (size_t i = 0; i < LOOP_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&set[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&set[i].check, memory_order_relaxed);
        if (data >> 32 != age_of(table) || (check ^ data) != path_key || (int)(data & 0xffff) < plies) continue;
        *plies_known = (int)(data & 0xffff);
        *start = (int)(data >> 16 & 0xffff);
        return true;
    }
    return false;
}
