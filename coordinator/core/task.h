/* task.h - one unit of work of the farm, and what came back, as values and as text.
 *
 *   search engine=9b24... lane=0 nodes=60000 depth=0 multipv=1 plies=8-31 mate=0 only= root=SFEN moves=7g7f 3c3d ...
 *   \---------------------------------- text of the task: it is all that the result depends on ------/
 *   name = the first 32 hex digits of its SHA-256
 *
 * A task asks about the positions after first_ply .. last_ply of `moves` from `root`: one search, one mate proof, or a
 * slice of a game that is walked with a warm table. Tables are cleared first and one thread works, so equal texts have
 * equal answers, whoever computes them: the name is the key of the cache that all jobs share, and a result that is
 * computed twice is one row.
 *
 * The answer is text too, one line per position and one (indented) per line of play:
 *   8 move 7g7f cp 35 depth 12 nodes 60001
 *    cp 35 depth 12 pv 7g7f 3c3d 2g2f
 *   mate positions:  0 mate 2b3c mate 5 depth 0 nodes 800 / " line 2b3c ..."     0 nomate - none 0 depth 9 nodes 77
 * (`depth` of a mate answer: no mate within so many plies.)
 */
#ifndef MURAKUMO_COORDINATOR_TASK_H
#define MURAKUMO_COORDINATOR_TASK_H

#include "common/base/text.h"
#include "coordinator/core/event.h"
#include "coordinator/core/judge.h"

enum {
    TASK_BYTES_MAX = 40960,
    TASK_NAME_BYTES = 33,
    ANSWER_BYTES_MAX = 65536,
    ANSWER_LINES_MAX = 4,
    ANSWER_LINE_PLIES_MAX = 24, /* moves kept of a line of a search; mates are kept whole */
    TASK_POSITIONS_MAX = 64     /* in a slice: what fits into an answer */
};

/* Who asks; answers of one lane are never served to another. */
enum task_lane { TASK_SCAN, TASK_VERIFY, TASK_AUDIT, TASK_LANE_COUNT };

struct task {
    uint32_t kind;   /* enum job_kind */
    uint64_t engine; /* what the workers' engine answers to known questions: other engines, other answers */
    enum task_lane lane;
    uint64_t nodes;     /* 0 = no limit; then depth_max */
    uint32_t depth_max; /* plies; 0 = none */
    uint32_t plies_max; /* mate: look only for mates within so many; 0 = any length */
    uint32_t multipv;
    uint32_t first_ply, last_ply;
    struct text only;        /* USI moves allowed at the position; empty = all */
    struct text root, moves; /* SFEN; USI moves, single blanks */
};

/* The length; 0 if it does not fit. */
size_t task_write(const struct task *task, char out[TASK_BYTES_MAX]);
/* Views into the text. ST_SYNTAX, ST_RANGE. */
MUST_USE enum status task_read(struct task *task, struct text text);
void task_name(struct text text, char name[TASK_NAME_BYTES]);
/* What the cluster is asked to do for it. `id` and avoid_boot are the caller's. */
struct scan_order task_order(const struct task *task);

struct answer_line {
    struct judge_score score;
    uint32_t depth;
    struct text pv;
};
struct answer {            /* about one position */
    uint32_t ply, verdict; /* enum job_verdict */
    struct text best;      /* "" = none */
    struct judge_score score;
    uint32_t depth;
    uint64_t nodes;
    unsigned line_count;
    struct answer_line lines[ANSWER_LINES_MAX]; /* of a mate: lines[0].pv is the mating line */
};

/* Appends the lines for one result. */
void answer_write(const struct scan_result *result, struct text_buffer *out);
/* The next position of an answer text. False: the end, or something that answer_write() never wrote. */
bool answer_next(struct text *rest, struct answer *answer);

#endif
