/* usi.h - the text side of USI: a line becomes a command, a value becomes a line. No state, no rules of shogi.
 *
 * Tolerant as GUIs and people need it: CR at the end, any blanks and tabs, empty lines, unknown words, commands in any
 * case of a later protocol. A command borrows its texts from the line.
 */
#ifndef MURAKUMO_USI_USI_H
#define MURAKUMO_USI_USI_H

#include "common/base/status.h"
#include "proto/msg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usi_command_type {
    USI_NOTHING, /* empty line, or a word that is to be ignored in silence */
    USI_UNKNOWN, /* not USI: `word` holds it */
    USI_USI,
    USI_ISREADY,
    USI_SETOPTION,
    USI_GETOPTION,
    USI_USINEWGAME,
    USI_POSITION,
    USI_GO,
    USI_STOP,
    USI_PONDERHIT,
    USI_GAMEOVER,
    USI_QUIT,
    USI_DISPLAY
};

/* Times in ms; -1 = the word was not there. */
struct usi_clock {
    int64_t btime_ms, wtime_ms, byoyomi_ms, binc_ms, winc_ms;
};

struct usi_go {
    struct usi_clock clock;
    bool ponder, infinite, mate, mate_infinite;
    int64_t mate_ms;     /* if mate and not mate_infinite; -1 = no limit was written */
    int64_t movetime_ms; /* -1 = none; so for depth */
    int64_t depth;
    uint64_t nodes;              /* 0 = none */
    struct wire_str searchmoves; /* rest of the line; empty = all */
    struct wire_str unread;      /* first word that could not be read, for a warning; empty = none */
};

struct usi_command {
    enum usi_command_type type;
    struct wire_str word; /* the first word as written */
    union {
        struct {
            struct wire_str name, value;
            bool has_value;
        } option; /* setoption, getoption */
        struct {
            bool startpos;
            struct wire_str sfen;  /* all between `sfen` (or `position`) and `moves`; empty with startpos */
            struct wire_str moves; /* all behind `moves` */
        } position;
        struct usi_go go;
        struct usi_clock ponderhit;
    };
};

/* Never fails: what is not understood becomes USI_UNKNOWN. */
void usi_parse(struct usi_command *command, const char *line, size_t length);

/* Next blank-separated word of *rest, which is cut; false at the end. */
bool usi_next_word(struct wire_str *rest, struct wire_str *word);
bool usi_word_is(struct wire_str word, const char *text);
/* Whole word as a number; clamped to the int64 range when it has too many digits. */
bool usi_word_number(struct wire_str word, int64_t *value);

struct usi_info {
    uint32_t depth, seldepth, multipv; /* multipv 0 = do not print the word */
    uint32_t score_kind, bound;        /* enum wire_score_kind, enum wire_bound */
    int32_t score;
    uint64_t nodes;
    int64_t time_ms;
    uint32_t hashfull; /* permille */
    struct wire_str pv;
};
enum { USI_INFO_BYTES_MAX = WIRE_PV_BYTES_MAX + 320 };
/* "info depth .. seldepth .. multipv .. score .. nodes .. nps .. hashfull .. time .. pv ..", 0-terminated. nps counts
 * from 1 ms on and in 64 bits. Returns the length. */
size_t usi_write_info(const struct usi_info *info, char out[USI_INFO_BYTES_MAX]);

#endif
