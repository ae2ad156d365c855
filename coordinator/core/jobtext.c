/* jobtext.c - the texts that jobs carry. */
#include "coordinator/core/jobtext.h"

#include "common/shogi/movetext.h"

#include <assert.h>
#include <string.h>

uint32_t jobtext_append(char *text, uint32_t bytes, size_t capacity, const Move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char word[MOVETEXT_BYTES_MAX];
        size_t length = movetext_to_usi(moves[i], word);
        assert(bytes + length + 1 <= capacity);
        if (bytes) text[bytes++] = ' ';
        memcpy(text + bytes, word, length);
        bytes += (uint32_t)length;
    }
    return bytes;
}

void jobtext_write(struct job_texts *texts, const struct board *board, uint64_t epoch, unsigned worker,
                   const struct split_job *share, struct msg_job *job)
{
    job->moves = wire_str_make(board->moves, board->moves_bytes);
    job->searchmoves = share->searchmoves;
    if (share->path_count) {
        size_t bytes = share->path_count * sizeof *share->path;
        uint32_t *length = &texts->ways[share->path_count - 1].bytes;
        Move *path = texts->ways[share->path_count - 1].path;
        char *text = texts->ways[share->path_count - 1].text;
        uint64_t *of = &texts->ways[share->path_count - 1].epoch;
        if (*length == 0 || *of != epoch || memcmp(path, share->path, bytes) != 0) {
            memcpy(path, share->path, bytes);
            memcpy(text, board->moves, board->moves_bytes);
            *length = jobtext_append(text, board->moves_bytes, WIRE_MOVES_BYTES_MAX, share->path, share->path_count);
            *of = epoch;
        }
        job->moves = wire_str_make(text, *length);
    }
    if (share->move_count) {
        char *list = texts->lists[worker];
        uint32_t length = jobtext_append(list, 0, sizeof texts->lists[worker], share->moves, share->move_count);
        job->searchmoves = wire_str_make(list, length);
    }
}
