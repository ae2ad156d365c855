/* hint_filter.c - see hint_filter.h. */
#include "worker/core/hint_filter.h"

#include <string.h>

enum { CREDIT_MS = 20 }; /* silence saves up the budget of so long, no more */

void hint_filter_start(struct hint_filter *filter, const struct hint_filter_options *options, int64_t now_us)
{
    memset(filter, 0, sizeof *filter);
    filter->options = *options;
    filter->gate_plies = options->floor_plies;
    filter->last_us = now_us;
}

/* ---- what waits: the deepest entries ----------------------------------------------------------------------------- */

static void swap(struct hint *a, struct hint *b)
{
    struct hint c = *a;
    *a = *b;
    *b = c;
}

static void sift_down(struct hint_filter *f, size_t i)
{
    for (;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < f->entry_count && hint_depth_plies(&f->entries[left]) < hint_depth_plies(&f->entries[least]))
            least = left;
        if (right < f->entry_count && hint_depth_plies(&f->entries[right]) < hint_depth_plies(&f->entries[least]))
            least = right;
        if (least == i) return;
        swap(&f->entries[i], &f->entries[least]);
        i = least;
    }
}

static void entry_put(struct hint_filter *f, const struct hint *hint)
{
    if (f->entry_count == HINT_WAITING_MAX) {
        f->overflowed = true;
        f->counters.crowded_out++;
        if (hint_depth_plies(hint) <= hint_depth_plies(&f->entries[0])) return;
        f->entries[0] = *hint;
        sift_down(f, 0);
        return;
    }
    size_t i = f->entry_count++;
    f->entries[i] = *hint;
    for (; i > 0 && hint_depth_plies(&f->entries[i]) < hint_depth_plies(&f->entries[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&f->entries[i], &f->entries[(i - 1) / 2]);
}

static void claim_put(struct hint_filter *f, const struct hint *hint)
{
    if (f->claim_count == HINT_CLAIMS_MAX) { /* the oldest has the least to say */
        memmove(f->claims, f->claims + 1, (HINT_CLAIMS_MAX - 1) * sizeof f->claims[0]);
        f->claim_count--;
        f->overflowed = true;
        f->counters.crowded_out++;
    }
    f->claims[f->claim_count++] = *hint;
}

void hint_filter_add(struct hint_filter *filter, const struct hint *hints, size_t count)
{
    filter->counters.offered += count;
    if (hint_filter_is_waiting(filter)) return;
    for (size_t i = 0; i < count; i++) {
        if (hint_kind_of(&hints[i]) == HINT_CLAIM) {
            claim_put(filter, &hints[i]);
            continue;
        }
        if (hint_depth_plies(&hints[i]) < filter->gate_plies) continue; /* offered before the gate rose */
        uint64_t mark = hints[i].key ^ hints[i].data * 0x9e3779b97f4a7c15u;
        uint64_t *recent = &filter->recent[mark >> 52];
        if (*recent == mark) {
            filter->counters.repeated++;
            continue;
        }
        *recent = mark;
        entry_put(filter, &hints[i]);
    }
}

/* ---- batches --------------------------------------------------------------------------------------------------- */

/* Deepest first. */
static void entries_sort(struct hint_filter *f)
{
    size_t count = f->entry_count;
    while (f->entry_count > 1) { /* heap sort with a min-heap leaves the deepest first */
        swap(&f->entries[0], &f->entries[--f->entry_count]);
        sift_down(f, 0);
    }
    f->entry_count = count;
}

static size_t affordable(struct hint_filter *f, int64_t now_us)
{
    if (f->options.bytes_per_s == 0) return HINT_BATCH_MAX;
    int64_t elapsed_us = now_us > f->last_us ? now_us - f->last_us : 0;
    if (elapsed_us > CREDIT_MS * 1000) elapsed_us = CREDIT_MS * 1000;
    f->credit_milli += elapsed_us * f->options.bytes_per_s / 1000;
    int64_t most = (int64_t)f->options.bytes_per_s * CREDIT_MS;
    if (f->credit_milli > most) f->credit_milli = most;
    int64_t count = f->credit_milli / 1000 / HINT_BYTES;
    return count > HINT_BATCH_MAX ? HINT_BATCH_MAX : (size_t)count;
}

static void tune(struct hint_filter *f, size_t waiting, size_t allowed)
{
    if (f->overflowed || waiting > allowed) {
        if (f->gate_plies < HINT_GATE_MAX) f->gate_plies++;
    } else if (waiting < allowed / 2 && f->gate_plies > f->options.floor_plies) {
        f->gate_plies--;
    }
    f->overflowed = false;
}

bool hint_filter_batch(struct hint_filter *filter, int64_t now_us, struct msg *message,
                       uint8_t bytes[WIRE_HINTS_BYTES_MAX])
{
    size_t allowed = affordable(filter, now_us), count = 0;
    filter->last_us = now_us;
    tune(filter, filter->entry_count + filter->claim_count, allowed);
    size_t claims = filter->claim_count < allowed ? filter->claim_count : allowed;
    for (size_t i = filter->claim_count - claims; i < filter->claim_count; i++, count++)
        hint_write(&filter->claims[i], bytes + count * HINT_BYTES);
    filter->claim_count = 0;
    if (allowed > 0) { /* what does not go now is old news next time */
        entries_sort(filter);
        for (size_t i = 0; i < filter->entry_count && count < allowed; i++, count++)
            hint_write(&filter->entries[i], bytes + count * HINT_BYTES);
        filter->counters.crowded_out += filter->entry_count - (count - claims);
        filter->entry_count = 0;
    }
    if (count == 0) return false;
    filter->credit_milli -= (int64_t)count * HINT_BYTES * 1000;
    filter->counters.sent += count;
    filter->counters.frames++;
    memset(message, 0, sizeof *message);
    message->type = MSG_hints;
    message->hints.scope = filter->options.scope;
    message->hints.entries = wire_str_make((const char *)bytes, count * HINT_BYTES);
    return true;
}

size_t hint_filter_read(struct hint_filter *filter, const struct msg *message, struct hint out[HINT_BATCH_MAX])
{
    if (message->type != MSG_hints || message->hints.entries.length % HINT_BYTES != 0) {
        filter->counters.malformed++;
        return 0;
    }
    if (message->hints.scope != filter->options.scope || filter->options.scope == 0) {
        filter->counters.foreign++;
        return 0;
    }
    size_t count = message->hints.entries.length / HINT_BYTES;
    const uint8_t *bytes = (const uint8_t *)message->hints.entries.bytes;
    for (size_t i = 0; i < count; i++) out[i] = hint_read(bytes + i * HINT_BYTES);
    filter->counters.received += count;
    return count;
}
