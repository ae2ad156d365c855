/* tt.c - see tt.h. */
#include "worker/engine/tt.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "worker/engine/eval.h"

enum { HINT_DEPTH_PLIES_MAX = 127, HUGE_PAGE_BYTES = 2 << 20, WARM_BYTES = 16 << 20, CLEAR_THREADS_MAX = 64 };

/* Fresh pages of the system are zero, and are not touched before they are used: a table of any size is there at once,
 * which is what a worker needs that takes over in the middle of a move. */
static struct tt_slot *slots_map(size_t bytes)
{
    size_t reserved = bytes + HUGE_PAGE_BYTES;
    if (reserved < bytes) return NULL;
    char *start = mmap(NULL, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return NULL;
    size_t before = (HUGE_PAGE_BYTES - (uintptr_t)start % HUGE_PAGE_BYTES) % HUGE_PAGE_BYTES;
    if (before > 0) (void)munmap(start, before);
    (void)munmap(start + before + bytes, HUGE_PAGE_BYTES - before);
    (void)madvise(start + before, bytes, MADV_HUGEPAGE); /* only a hint: refusal is fine */
    return (struct tt_slot *)(void *)(start + before);
}

struct tt *tt_new(size_t bytes)
{
    struct tt *tt = calloc(1, sizeof *tt);
    if (!tt) return NULL;
    if (bytes < TT_BYTES_MIN) bytes = TT_BYTES_MIN;
    tt->cluster_count = bytes / TT_CLUSTER_BYTES;
    tt->mapped_bytes = (bytes + HUGE_PAGE_BYTES - 1) & ~(size_t)(HUGE_PAGE_BYTES - 1);
    tt->slots = tt->mapped_bytes < bytes ? NULL : slots_map(tt->mapped_bytes);
    if (!tt->slots) {
        free(tt);
        return NULL;
    }
    return tt;
}

void tt_free(struct tt *tt)
{
    if (!tt) return;
    (void)munmap((void *)tt->slots, tt->mapped_bytes);
    free(tt);
}

bool tt_warm(struct tt *tt)
{
    if (tt->warm_bytes >= tt->mapped_bytes) return false;
    size_t bytes = tt->mapped_bytes - tt->warm_bytes < WARM_BYTES ? tt->mapped_bytes - tt->warm_bytes : WARM_BYTES;
#ifdef MADV_POPULATE_WRITE
    bool done = madvise((char *)tt->slots + tt->warm_bytes, bytes, MADV_POPULATE_WRITE) == 0;
#else
    bool done = false;
#endif
    tt->warm_bytes =
        done ? tt->warm_bytes + bytes : tt->mapped_bytes; /* an older kernel: the search touches them itself */
    return tt->warm_bytes < tt->mapped_bytes;
}

struct clear_job {
    struct tt_slot *slots;
    size_t bytes;
};

static void *clear_run(void *argument)
{
    struct clear_job *job = argument;
    memset((void *)job->slots, 0, job->bytes);
    return NULL;
}

void tt_clear(struct tt *tt, unsigned threads)
{
    struct clear_job jobs[CLEAR_THREADS_MAX];
    pthread_t ids[CLEAR_THREADS_MAX];
    bool started[CLEAR_THREADS_MAX] = {false};
    if (threads < 1) threads = 1;
    if (threads > CLEAR_THREADS_MAX) threads = CLEAR_THREADS_MAX;
    uint64_t share = tt->cluster_count / threads;
    for (unsigned i = 0; i < threads; i++) {
        uint64_t first = share * i;
        uint64_t count = i + 1 == threads ? tt->cluster_count - first : share;
        jobs[i].slots = tt->slots + first * TT_CLUSTER_SLOTS;
        jobs[i].bytes = (size_t)count * TT_CLUSTER_BYTES;
        started[i] = i > 0 && pthread_create(&ids[i], NULL, clear_run, &jobs[i]) == 0;
    }
    for (unsigned i = 0; i < threads; i++)
        if (!started[i]) clear_run(&jobs[i]);
    for (unsigned i = 0; i < threads; i++)
        if (started[i]) pthread_join(ids[i], NULL);
    tt->age = 0;
    tt->searched = false;
}

void tt_new_search(struct tt *tt)
{
    tt->age = (tt->age + 1) % TT_AGES;
    tt->searched = true;
}

static inline uint64_t slot_load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline unsigned data_age(uint64_t data) { return (unsigned)(data >> 59) % TT_AGES; }
static inline int data_depth(uint64_t data) { return (int)(data >> 48 & 255) - TT_DEPTH_OFFSET; }
static inline enum tt_bound data_bound(uint64_t data) { return (enum tt_bound)(data >> 56 & 3); }

/* What a slot is worth keeping: deep and recent. */
static inline int slot_worth(const struct tt *tt, uint64_t data)
{
    return data_depth(data) - 8 * (int)((tt->age - data_age(data)) % TT_AGES);
}

bool tt_probe(const struct tt *tt, uint64_t key, struct tt_hit *hit)
{
    const struct tt_slot *slot = tt_cluster(tt, key);
    for (int i = 0; i < TT_CLUSTER_SLOTS; i++, slot++) {
        uint64_t data = slot_load(&slot->data);
        if ((slot_load(&slot->check) ^ data) != key || data == 0) continue;
        hit->move = (Move)data;
        hit->score = (int16_t)(data >> 16);
        hit->eval = (int16_t)(data >> 32);
        hit->depth_plies = data_depth(data);
        hit->bound = data_bound(data);
        hit->pv = (data >> 58 & 1) != 0;
        hit->told = (unsigned)(data >> 62);
        return true;
    }
    return false;
}

void tt_store(struct tt *tt, uint64_t key, Move move, Score score, Score eval, int depth_plies, enum tt_bound bound,
              bool pv)
{
    struct tt_slot *slot = tt_cluster(tt, key), *victim = NULL;
    int victim_worth = 0;
    for (int i = 0; i < TT_CLUSTER_SLOTS; i++, slot++) {
        uint64_t data = slot_load(&slot->data);
        if (data == 0) { /* empty: nothing is worth less */
            victim = slot;
            victim_worth = INT_MIN;
            continue;
        }
        if ((slot_load(&slot->check) ^ data) == key) {
            if (move == MOVE_NONE) move = (Move)data;
            /* A shallower bound does not push out what a deeper search of this position has just found. */
            if (bound != TT_EXACT && data_age(data) == tt->age && depth_plies + 2 * pv < data_depth(data) - 4) return;
            victim = slot;
            break;
        }
        int worth = slot_worth(tt, data);
        if (!victim || worth < victim_worth) {
            victim = slot;
            victim_worth = worth;
        }
    }
    uint64_t data = tt_hint(key, move, score, eval, depth_plies, bound, pv, 0).data | (uint64_t)tt->age << 59;
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}

/* A score that store() of search.c could have written: repetition verdicts are not among them. */
static bool score_is_storable(Score score)
{
    Score size = score < 0 ? -score : score;
    return size <= EVAL_CP_MAX || (size >= SCORE_MATE_BOUND && size <= SCORE_MATE);
}

/* Of two entries of one position: the deeper one, else a bound of another kind, else a tighter one. */
static bool says_more(uint64_t data, uint64_t old)
{
    if (data_depth(data) != data_depth(old)) return data_depth(data) > data_depth(old);
    if (data_bound(old) == TT_EXACT) return false;
    if (data_bound(data) != data_bound(old)) return true;
    Score score = (int16_t)(data >> 16), old_score = (int16_t)(old >> 16);
    return data_bound(data) == TT_LOWER ? score > old_score : score < old_score;
}

bool tt_insert(struct tt *tt, const struct hint *hint)
{
    uint64_t key = hint->key, data = hint->data;
    int depth_plies = data_depth(data);
    enum tt_bound bound = data_bound(data);
    Score eval = (int16_t)(data >> 32);
    if (hint_kind_of(hint) != HINT_ENTRY || bound == TT_NONE || depth_plies < 1 || depth_plies > HINT_DEPTH_PLIES_MAX ||
        !score_is_storable((int16_t)(data >> 16)) || move_to((Move)data) >= SQUARE_COUNT ||
        (eval != SCORE_NONE && (eval > EVAL_CP_MAX || eval < -EVAL_CP_MAX)))
        return false;
    struct tt_slot *slot = tt_cluster(tt, key), *victim = NULL;
    int victim_worth = INT_MAX;
    for (int i = 0; i < TT_CLUSTER_SLOTS; i++, slot++) {
        uint64_t old = slot_load(&slot->data);
        if (old != 0 && (slot_load(&slot->check) ^ old) == key) {
            if (!says_more(data, old)) return false;
            if ((Move)data == MOVE_NONE) data |= (Move)old;
            victim = slot;
            victim_worth = INT_MIN;
            break;
        }
        int worth = old == 0 ? INT_MIN : slot_worth(tt, old);
        if (worth < victim_worth) {
            victim = slot;
            victim_worth = worth;
        }
    }
    if (victim_worth > depth_plies) return false;
    data = (data & ~((uint64_t)31 << 59)) | (uint64_t)tt->age << 59 | (uint64_t)tt_told(hint_iteration(hint)) << 62;
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    return true;
}

unsigned tt_hashfull_permille(const struct tt *tt)
{
    unsigned count = 0;
    for (size_t i = 0; i < 1000; i++) {
        uint64_t data = slot_load(&tt->slots[i].data);
        count += data != 0 && data_age(data) == tt->age;
    }
    return count;
}
