/* options.h - the USI options: what is declared, what is set.
 *
 * Names and defaults are those that users of YaneuraOu have in their configurations; an option is listed only if it
 * changes something. Options marked WORKER travel to the workers in `configure`; Threads and USI_Hash only to the local
 * ones (a remote worker keeps what its owner started it with).
 */
#ifndef MURAKUMO_USI_OPTIONS_H
#define MURAKUMO_USI_OPTIONS_H

#include "common/base/status.h"
#include "proto/msg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, name, kind, default, min, max, worker) */
#define OPTIONS(X)                                                                                                     \
    X(USI_HASH, "USI_Hash", SPIN, 1024, 1, 33554432, true) /* MiB */                                                   \
    X(THREADS, "Threads", SPIN, 4, 1, 1024, true)                                                                      \
    X(PONDER, "USI_Ponder", CHECK, 0, 0, 1, false)                                                                     \
    X(MULTIPV, "MultiPV", SPIN, 1, 1, 600, false)                                                                      \
    X(NETWORK_DELAY, "NetworkDelay", SPIN, 120, 0, 10000, false)         /* ms, mean */                                \
    X(NETWORK_DELAY2, "NetworkDelay2", SPIN, 1120, 0, 10000, false)      /* ms, worst */                               \
    X(MINIMUM_TIME, "MinimumThinkingTime", SPIN, 2000, 1, 100000, false) /* ms */                                      \
    X(SLOW_MOVER, "SlowMover", SPIN, 100, 1, 1000, false)                /* percent */                                 \
    X(ROUND_UP, "RoundUpToFullSecond", CHECK, 1, 0, 1, false)                                                          \
    X(MAX_MOVES, "MaxMovesToDraw", SPIN, 0, 0, 100000, true)                                                           \
    X(DRAW_BLACK, "DrawValueBlack", SPIN, -2, -30000, 30000, true)                                                     \
    X(DRAW_WHITE, "DrawValueWhite", SPIN, -2, -30000, 30000, true)                                                     \
    X(RESIGN_VALUE, "ResignValue", SPIN, 99999, 0, 99999, false)                                                       \
    X(ENTERING_KING, "EnteringKingRule", COMBO, 3, 0, 5, true) /* CSARule27 */                                         \
    X(PV_INTERVAL, "PvInterval", SPIN, 300, 0, 10000, false)   /* ms */                                                \
    X(OUTPUT_BOUNDS, "OutputFailLHPV", CHECK, 1, 0, 1, false)                                                          \
    X(ALL_MOVES, "GenerateAllLegalMoves", CHECK, 0, 0, 1, true)                                                        \
    X(TSUMERO, "UseTsumero", CHECK, 0, 0, 1, true)          /* threats of mate in the search */                        \
    X(MATE_SHORTEST, "MateShortest", CHECK, 1, 0, 1, false) /* `go mate` looks on for the shortest one */              \
    X(DEPTH_LIMIT, "DepthLimit", SPIN, 0, 0, 127, false)                                                               \
    X(NODES_LIMIT, "NodesLimit", SPIN, 0, 0, INT64_MAX, false)                                                         \
    X(SPLIT, "SplitStrategy", COMBO, 0, 0, 5, false)                                                                   \
    X(DEBUG_LOG, "DebugLogFile", STRING, 0, 0, 0, false)

enum option_id {
#define OPTION_ENUM(id, name, kind, fallback, min, max, worker) OPTION_##id,
    OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
        OPTION_COUNT
};

enum { OPTION_STRING_BYTES_MAX = 1024, OPTION_LINE_BYTES_MAX = 512 };

struct options {
    int64_t value[OPTION_COUNT];    /* check: 0, 1; combo: index */
    int64_t fallback[OPTION_COUNT]; /* declared defaults */
    char debug_log[OPTION_STRING_BYTES_MAX + 1];
};

/* hash_mb, threads: declared defaults of this machine. */
void options_init(struct options *options, int64_t hash_mb, int64_t threads);
bool options_find(struct wire_str name, enum option_id *id); /* names in any case */
/* ST_RANGE, ST_SYNTAX, ST_TOO_BIG: the old value stays and `why` (0-terminated) tells what was found and what is
 * allowed. */
enum status options_set(struct options *options, enum option_id id, struct wire_str value, char *why, size_t why_bytes);
bool option_is_for_workers(enum option_id id);
const char *option_name(enum option_id id);
/* The `option name ... type ...` line. Returns the length. */
size_t option_write_line(const struct options *options, enum option_id id, char out[OPTION_LINE_BYTES_MAX]);
/* The present value as text. */
size_t option_write_value(const struct options *options, enum option_id id, char *out, size_t capacity);
/* Name of the SplitStrategy in force. */
const char *option_split_name(int64_t value);

#endif
