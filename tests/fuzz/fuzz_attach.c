/* fuzz_attach.c - the thin front end between a GUI, a daemon and its stand-in that all say anything at any time: no
 * crash, no queue without bounds, and never more answers than questions. */
#include "coordinator/core/attach.h"

#include <assert.h>
#include <string.h>

struct books {
    unsigned goes, answers, usi, usioks, ready, readyoks;
};

static bool begins(const char *line, size_t length, const char *word)
{
    size_t bytes = strlen(word);
    return length >= bytes && memcmp(line, word, bytes) == 0 && (length == bytes || line[bytes] == ' ');
}

static void look(struct attach *a, struct books *books)
{
    for (size_t i = 0; i < a->effect_count; i++) {
        struct attach_effect e = a->effects[i];
        assert(e.at + e.length <= a->text.length);
        const char *line = a->text.data + e.at;
        if (e.target != ATTACH_GUI) continue;
        books->answers += begins(line, e.length, "bestmove") || begins(line, e.length, "checkmate");
        books->usioks += begins(line, e.length, "usiok");
        books->readyoks += begins(line, e.length, "readyok");
    }
    assert(books->answers <= books->goes);
    assert(books->usioks <= books->usi && books->readyoks <= books->ready);
    assert(a->settings_bytes <= sizeof a->settings);
    attach_clear(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each line of the input: one letter for who (g d s), or + - for the daemon that comes and goes, digits for time. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct attach attach;
    struct books books = {0};
    int64_t now_ms = 1000;
    attach_init(&attach);
    attach_connected(&attach, now_ms);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t next = end ? (size_t)(end - data) + 1 : size;
        const char *line = (const char *)data + at + 1;
        size_t length = next - at - 1 - (end ? 1 : 0);
        if (next - at < 2) length = 0;
        struct usi_command command;
        switch (data[at]) {
        case 'g':
            usi_parse(&command, line, length);
            books.goes += command.type == USI_GO;
            books.usi += command.type == USI_USI;
            books.ready += command.type == USI_ISREADY;
            attach_gui_line(&attach, line, length, false, now_ms);
            break;
        case 'd':
            attach_daemon_line(&attach, line, length);
            break;
        case 's':
            attach_standin_line(&attach, line, length);
            break;
        case '+':
            attach_connected(&attach, now_ms);
            break;
        case '-':
            attach_lost(&attach, now_ms);
            break;
        default:
            now_ms += data[at] * 10;
            attach_tick(&attach, now_ms);
        }
        look(&attach, &books);
        at = next;
    }
    attach_free(&attach);
    return 0;
}
