/* bench_records.c - games per second through the readers (format and encoding found by content, every move checked with
 * the full legal set) and through the writers. One core (its processor time counts), files in
 * memory. */
#include "tests/bench/bench_records.h"

#include "common/shogi/record_io.h"
#include "tests/bench/bench.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 4096 };

struct loaded {
    char *bytes;
    size_t length;
};

struct corpus {
    struct loaded files[FILES_MAX];
    size_t count;
};

static bool load_file(struct corpus *corpus, const char *path)
{
    FILE *file = corpus->count < FILES_MAX ? fopen(path, "rb") : NULL;
    if (!file) return false;
    struct loaded *loaded = &corpus->files[corpus->count];
    bool ok = fseek(file, 0, SEEK_END) == 0;
    long length = ok ? ftell(file) : -1;
    rewind(file);
    loaded->length = length > 0 ? (size_t)length : 0;
    loaded->bytes = length > 0 ? malloc(loaded->length) : NULL;
    ok = loaded->bytes && fread(loaded->bytes, 1, loaded->length, file) == loaded->length;
    fclose(file);
    if (ok)
        corpus->count++;
    else
        free(loaded->bytes);
    return ok;
}

static void load_directory(struct corpus *corpus, const char *directory)
{
    DIR *dir = opendir(directory);
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof path) load_file(corpus, path);
    }
    closedir(dir);
}

struct tally {
    uint64_t games, moves, bytes;
    double seconds;
};

/* Reads all files again and again for about `seconds`; with an output the games are written too. */
static struct tally run(const struct corpus *corpus, double seconds, const enum record_output *output)
{
    struct tally tally = {0};
    struct record record;
    struct text_buffer out;
    record_init(&record);
    text_buffer_init(&out, (size_t)64 << 20);
    double start = bench_cpu_s();
    while (tally.seconds < seconds && corpus->count) {
        for (size_t i = 0; i < corpus->count; i++) {
            struct record_reader reader;
            if (record_reader_init(&reader, corpus->files[i].bytes, corpus->files[i].length) == ST_OK)
                while (record_next(&reader, &record) == ST_OK) {
                    tally.games++;
                    tally.moves += record.move_count;
                    text_buffer_clear(&out);
                    if (output) record_write(&record, *output, 0, &out);
                }
            record_reader_free(&reader);
            tally.bytes += corpus->files[i].length;
        }
        tally.seconds = bench_cpu_s() - start;
    }
    text_buffer_free(&out);
    record_free(&record);
    return tally;
}

static void print_row(const char *name, struct tally t)
{
    double s = t.seconds > 0 ? t.seconds : 1;
    printf("%-22s %8.0f games/s %10.0f moves/s %7.1f MB/s\n", name, (double)t.games / s, (double)t.moves / s,
           (double)t.bytes / s / 1e6);
}

int bench_records(int argc, char **argv)
{
    static const char *const formats[] = {"csa", "kif", "ki2", "usi", "jkf"};
    static const char *const outputs[RECORD_OUT_COUNT] = {"csa", "csa3", "kif", "ki2", "usi", "sfen", "jkf"};
    const char *root = "tests/data/games";
    double seconds = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = (double)bench_number("--seconds", argv[++i], 1, 600);
        } else if (argv[i][0] != '-') {
            root = argv[i];
        } else {
            fprintf(stderr, "usage: murakumo-bench records [--seconds N] [FOLDER with csa, kif, ki2, usi, jkf]\n");
            return strcmp(argv[i], "--help") == 0 ? 0 : 2;
        }
    }
    static struct corpus corpora[sizeof formats / sizeof formats[0]];
    size_t files = 0;
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        char path[1024], name[32];
        snprintf(path, sizeof path, "%s/%s", root, formats[f]);
        load_directory(&corpora[f], path);
        files += corpora[f].count;
        snprintf(name, sizeof name, "read %s", formats[f]);
        if (corpora[f].count) print_row(name, run(&corpora[f], seconds, NULL));
    }
    for (unsigned o = 0; o < RECORD_OUT_COUNT && corpora[0].count; o++) {
        char name[32];
        enum record_output output = (enum record_output)o;
        snprintf(name, sizeof name, "read csa, write %s", outputs[o]);
        print_row(name, run(&corpora[0], seconds, &output));
    }
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        while (corpora[f].count) free(corpora[f].files[--corpora[f].count].bytes);
    if (files) return 0;
    fprintf(stderr, "murakumo-bench: records: found no files in %s, expected folders csa, kif, ki2, usi, jkf\n", root);
    return 1;
}
