/* mail.h - frames on their way to one simulated worker: each arrives later, or never.
 *
 * A frame that goes to many is kept once and counted. Threads: the owner's; mail_take() by the receiver while nobody
 * puts.
 */
#ifndef MURAKUMO_SIMULATE_MAIL_H
#define MURAKUMO_SIMULATE_MAIL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct mail_frame {
    _Atomic unsigned holders;
    size_t count;
    uint8_t bytes[];
};

struct mail_frame *mail_frame_new(const uint8_t *bytes, size_t count); /* one holder: the caller. NULL: no memory */
void mail_frame_release(struct mail_frame *frame);

struct mailbox {
    struct mail_item {
        int64_t arrives_us;
        struct mail_frame *frame;
    } * items; /* earliest first */
    size_t first, count, capacity;
};

/* Takes a share of the frame. Frames with the same time keep their order. */
void mail_put(struct mailbox *box, struct mail_frame *frame, int64_t arrives_us);
/* The earliest frame that has arrived by now_us; NULL: none. The caller releases it. */
struct mail_frame *mail_take(struct mailbox *box, int64_t now_us);
void mail_clear(struct mailbox *box); /* frees everything; the box may be used again */

#endif
