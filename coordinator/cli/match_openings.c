#include "coordinator/cli/match_openings.h"

#include "common/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPENINGS_MAX = 1000000 };

static void hash_line(uint64_t *hash, struct text line) /* FNV-1a, the line end included */
{
    for (const char *at = line.at; at <= line.end; at++)
        *hash = (*hash ^ (at < line.end ? (unsigned char)*at : '\n')) * 0x100000001b3u;
}

static bool add_line(struct match_openings *openings, struct text line, uint32_t *capacity)
{
    if (openings->count == *capacity) {
        uint32_t larger = *capacity ? *capacity * 2 : 64;
        char **lines = realloc(openings->lines, larger * sizeof *lines);
        if (!lines) return false;
        openings->lines = lines;
        *capacity = larger;
    }
    char *copy = strndup(line.at, text_length(line));
    if (!copy) return false;
    openings->lines[openings->count++] = copy;
    hash_line(&openings->hash, line);
    return true;
}

static bool load_lines(struct match_openings *openings, const char *path, FILE *file, const struct referee_rules *rules,
                       struct referee *referee)
{
    char *bytes = NULL;
    size_t bytes_capacity = 0;
    uint32_t capacity = 0, line_number = 0;
    bool ok = true;
    ssize_t got;
    while (ok && (got = getline(&bytes, &bytes_capacity, file)) > 0) {
        line_number++;
        struct text line = text_trim(text_make(bytes, (size_t)got));
        if (text_empty(line) || text_starts(line, "#")) continue;
        struct sfen_error error;
        if (referee_start(referee, rules, line.at, text_length(line), &error) != ST_OK) {
            fprintf(stderr, "%s:%u: %s (at byte %zu)\n", path, line_number, error.text, error.offset + 1);
            ok = false;
        } else if (openings->count == OPENINGS_MAX || !add_line(openings, line, &capacity)) {
            fprintf(stderr, "%s:%u: too many openings\n", path, line_number);
            ok = false;
        }
    }
    free(bytes);
    if (ok && openings->count == 0) {
        fprintf(stderr, "%s: no openings found, expected one SFEN a line\n", path);
        ok = false;
    }
    return ok;
}

bool match_openings_load(struct match_openings *openings, const char *path, const struct referee_rules *rules)
{
    *openings = (struct match_openings){.hash = 0xcbf29ce484222325u};
    if (!path) {
        uint32_t capacity = 0;
        return add_line(openings, text_from("startpos"), &capacity);
    }
    FILE *file = fopen(path, "re");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    struct referee *referee = calloc(1, sizeof *referee);
    bool ok = referee && load_lines(openings, path, file, rules, referee);
    free(referee);
    fclose(file);
    return ok;
}

void match_openings_free(struct match_openings *openings)
{
    for (uint32_t i = 0; i < openings->count; i++) free(openings->lines[i]);
    free(openings->lines);
    *openings = (struct match_openings){0};
}
