/* mail.c - see mail.h. */
#include "tests/sim/simulate/mail.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct mail_frame *mail_frame_new(const uint8_t *bytes, size_t count)
{
    struct mail_frame *frame = malloc(sizeof *frame + count);
    if (!frame) return NULL;
    atomic_init(&frame->holders, 1);
    frame->count = count;
    memcpy(frame->bytes, bytes, count);
    return frame;
}

void mail_frame_release(struct mail_frame *frame)
{
    if (frame && atomic_fetch_sub(&frame->holders, 1) == 1) free(frame);
}

static void make_room(struct mailbox *box)
{
    if (box->first + box->count < box->capacity) return;
    if (box->first > box->count) {
        memmove(box->items, box->items + box->first, box->count * sizeof box->items[0]);
        box->first = 0;
        return;
    }
    box->capacity = box->capacity ? 2 * box->capacity : 64;
    box->items = realloc(box->items, box->capacity * sizeof box->items[0]);
    assert(box->items);
}

void mail_put(struct mailbox *box, struct mail_frame *frame, int64_t arrives_us)
{
    make_room(box);
    struct mail_item *first = box->items + box->first, *at = first + box->count;
    for (; at > first && at[-1].arrives_us > arrives_us; at--) *at = at[-1];
    *at = (struct mail_item){arrives_us, frame};
    atomic_fetch_add(&frame->holders, 1);
    box->count++;
}

struct mail_frame *mail_take(struct mailbox *box, int64_t now_us)
{
    if (box->count == 0 || box->items[box->first].arrives_us > now_us) return NULL;
    box->count--;
    return box->items[box->first++].frame;
}

void mail_clear(struct mailbox *box)
{
    for (size_t i = 0; i < box->count; i++) mail_frame_release(box->items[box->first + i].frame);
    free(box->items);
    *box = (struct mailbox){0};
}
