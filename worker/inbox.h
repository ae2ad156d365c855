/* inbox.h - what the engine's threads have to say to the I/O thread: a bounded queue and a descriptor to wait for.
 *
 * Infos may be lost under pressure (the oldest first): a later one says more. Everything else is never lost; there is
 * room for it, because the session lets at most one search and one configuration run at a time. A patient info wakes
 * nobody: it is found when something else does, and only the newest of each line (multipv) is kept until then.
 *
 * Threads: any thread may put; one thread waits for inbox_fd() and takes.
 */
#ifndef MURAKUMO_WORKER_INBOX_H
#define MURAKUMO_WORKER_INBOX_H

#include "common/shogi/types.h"
#include "worker/core/event.h"

enum { INBOX_ITEMS_MAX = 256, INBOX_TEXT_BYTES = WIRE_PV_BYTES_MAX };

enum inbox_type { INBOX_INFO, INBOX_DONE, INBOX_REFUSED, INBOX_CONFIG_DONE };

struct inbox_item { /* texts are kept inside; strings of `info` and `result` are set by inbox_take() */
    enum inbox_type type;
    uint32_t run, config;
    bool ok;
    bool patient; /* an info that may wait */
    union {
        struct msg_partial info;
        struct msg_result result;
    };
    char best[WIRE_MOVE_BYTES_MAX], ponder[WIRE_MOVE_BYTES_MAX]; /* 0-terminated unless full */
    uint32_t text_bytes;
    char text[INBOX_TEXT_BYTES]; /* pv of an info; reason of a refusal; remark on a configuration */
    char *line; /* mating line of a result, behind it its proof; proof of an info: malloc'ed, the item's; or NULL */
    uint32_t line_bytes, certificate_bytes;
};

struct inbox;
struct inbox *inbox_new(void);
void inbox_free(struct inbox *inbox);
int inbox_fd(const struct inbox *inbox); /* readable while something may be there */
/* Copies the item; takes its `line`. */
void inbox_put(struct inbox *inbox, const struct inbox_item *item);
/* False: empty (and the descriptor is quiet again). The caller frees item->line. */
bool inbox_take(struct inbox *inbox, struct inbox_item *item);
uint64_t inbox_lost(struct inbox *inbox); /* infos thrown away so far */

/* What items are filled with: blank-separated moves (whole moves only; returns the length), one move, numbers that the
 * wire can hold. */
size_t inbox_write_moves(const Move *moves, size_t count, char *out, size_t capacity);
void inbox_write_move(Move move, char out[WIRE_MOVE_BYTES_MAX]);
uint32_t inbox_clamp(int64_t value, uint32_t max);

/* The event that an item stands for; its strings point into the item. */
struct session_event inbox_event(const struct inbox_item *item);

#endif
