/* inbox.c - see inbox.h. */
#include "worker/inbox.h"

#include "common/shogi/movetext.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct inbox {
    int fd;
    pthread_mutex_t lock; /* guards everything below */
    size_t first, count;
    uint64_t lost;
    struct inbox_item items[INBOX_ITEMS_MAX];
};

struct inbox *inbox_new(void)
{
    struct inbox *inbox = calloc(1, sizeof *inbox);
    if (!inbox) return NULL;
    inbox->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (inbox->fd < 0) {
        free(inbox);
        return NULL;
    }
    pthread_mutex_init(&inbox->lock, NULL);
    return inbox;
}

static struct inbox_item *item_at(struct inbox *inbox, size_t index)
{
    return &inbox->items[(inbox->first + index) % INBOX_ITEMS_MAX];
}

void inbox_free(struct inbox *inbox)
{
    if (!inbox) return;
    for (size_t i = 0; i < inbox->count; i++) free(item_at(inbox, i)->line);
    pthread_mutex_destroy(&inbox->lock);
    close(inbox->fd);
    free(inbox);
}

int inbox_fd(const struct inbox *inbox) { return inbox->fd; }

static void oldest_info_drop(struct inbox *inbox)
{
    size_t victim = 0;
    while (victim < inbox->count && item_at(inbox, victim)->type != INBOX_INFO) victim++;
    assert(victim < inbox->count); /* a handful of other items at most */
    free(item_at(inbox, victim)->line);
    for (size_t i = victim; i + 1 < inbox->count; i++) *item_at(inbox, i) = *item_at(inbox, i + 1);
    inbox->count--;
    inbox->lost++;
}

/* The patient info that says less than this one; NULL = none. Behind it in the queue are only patient infos. */
static struct inbox_item *outdated_by(struct inbox *inbox, const struct inbox_item *item)
{
    for (size_t i = inbox->count; item->patient && i-- > 0 && item_at(inbox, i)->patient;)
        if (item_at(inbox, i)->run == item->run && item_at(inbox, i)->info.multipv == item->info.multipv)
            return item_at(inbox, i);
    return NULL;
}

void inbox_put(struct inbox *inbox, const struct inbox_item *item)
{
    pthread_mutex_lock(&inbox->lock);
    struct inbox_item *outdated = outdated_by(inbox, item);
    if (outdated) {
        free(outdated->line);
        *outdated = *item;
    } else {
        if (inbox->count == INBOX_ITEMS_MAX) oldest_info_drop(inbox);
        *item_at(inbox, inbox->count++) = *item;
    }
    pthread_mutex_unlock(&inbox->lock);
    if (item->patient) return;
    uint64_t one = 1;
    ssize_t ignored = write(inbox->fd, &one, sizeof one);
    (void)ignored;
}

bool inbox_take(struct inbox *inbox, struct inbox_item *item)
{
    pthread_mutex_lock(&inbox->lock);
    bool found = inbox->count > 0;
    if (found) {
        *item = inbox->items[inbox->first];
        inbox->first = (inbox->first + 1) % INBOX_ITEMS_MAX;
        inbox->count--;
    } else {
        uint64_t ignored;
        ssize_t n = read(inbox->fd, &ignored, sizeof ignored); /* under the lock: no wake-up can fall in between */
        (void)n;
    }
    pthread_mutex_unlock(&inbox->lock);
    return found;
}

uint64_t inbox_lost(struct inbox *inbox)
{
    pthread_mutex_lock(&inbox->lock);
    uint64_t lost = inbox->lost;
    pthread_mutex_unlock(&inbox->lock);
    return lost;
}

size_t inbox_write_moves(const Move *moves, size_t count, char *out, size_t capacity)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        char text[MOVETEXT_BYTES_MAX];
        size_t bytes = movetext_to_usi(moves[i], text);
        if (length + (length > 0) + bytes > capacity) break;
        if (length) out[length++] = ' ';
        memcpy(out + length, text, bytes);
        length += bytes;
    }
    return length;
}

void inbox_write_move(Move move, char out[WIRE_MOVE_BYTES_MAX])
{
    char text[MOVETEXT_BYTES_MAX] = "";
    if (move != MOVE_NONE && move_is_real(move)) movetext_to_usi(move, text);
    memcpy(out, text, strnlen(text, WIRE_MOVE_BYTES_MAX));
}

uint32_t inbox_clamp(int64_t value, uint32_t max)
{
    return value < 0 ? 0 : value > (int64_t)max ? max : (uint32_t)value;
}

struct session_event inbox_event(const struct inbox_item *item)
{
    struct session_event event;
    memset(&event, 0, sizeof event);
    struct wire_str text = wire_str_make(item->text, item->text_bytes);
    switch (item->type) {
    case INBOX_INFO:
        event.type = SESSION_ENGINE_INFO;
        event.engine.run = item->run;
        event.engine.info = item->info;
        event.engine.info.pv = text;
        event.engine.info.certificate = wire_str_make(item->line, item->line ? item->certificate_bytes : 0);
        break;
    case INBOX_DONE:
        event.type = SESSION_ENGINE_DONE;
        event.engine.run = item->run;
        event.engine.result = item->result;
        event.engine.result.best = wire_str_make(item->best, strnlen(item->best, sizeof item->best));
        event.engine.result.ponder = wire_str_make(item->ponder, strnlen(item->ponder, sizeof item->ponder));
        event.engine.result.line = wire_str_make(item->line, item->line ? item->line_bytes : 0);
        if (item->line)
            event.engine.result.certificate = wire_str_make(item->line + item->line_bytes, item->certificate_bytes);
        event.engine.result.text = text;
        break;
    case INBOX_REFUSED:
        event.type = SESSION_ENGINE_REFUSED;
        event.engine.run = item->run;
        event.engine.text = text;
        break;
    case INBOX_CONFIG_DONE:
        event.type = SESSION_CONFIG_DONE;
        event.config.config = item->config;
        event.config.ok = item->ok;
        event.config.text = text;
        break;
    }
    return event;
}
