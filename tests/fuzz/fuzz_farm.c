/* fuzz_farm.c - texts that the farm reads back from its store, and puzzle rows: whatever a file holds, it is read or
 * refused, and what was read is written again as the same text. */
#include "coordinator/core/task.h"
#include "coordinator/view/puzzle.h"

#include <stdlib.h>
#include <string.h>

static void read_task(struct text text)
{
    static char again[TASK_BYTES_MAX];
    struct task task, back;
    char name[TASK_NAME_BYTES];
    if (task_read(&task, text) != ST_OK) return;
    size_t bytes = task_write(&task, again);
    if (!bytes) return;
    if (task_read(&back, text_make(again, bytes)) != ST_OK || back.nodes != task.nodes || back.lane != task.lane ||
        !text_equal(back.moves, task.moves))
        abort();
    task_name(text, name);
    if (strlen(name) != TASK_NAME_BYTES - 1) abort();
}

static void read_answers(struct text text)
{
    struct answer answer;
    while (answer_next(&text, &answer))
        if (answer.line_count > ANSWER_LINES_MAX || answer.verdict > VERDICT_REFUSED) abort();
}

static void read_row(struct text text)
{
    struct puzzle_set set;
    struct mine settings = mine_defaults();
    puzzle_set_init(&set, &settings);
    puzzle_set_add(&set, 0, text);
    puzzle_set_add(&set, 1, text);
    if (set.published + set.held + set.rejected != set.count) abort();
    puzzle_set_free(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    struct text text = text_make((const char *)data + 1, size - 1);
    switch (data[0] % 3) {
    case 0:
        read_task(text);
        break;
    case 1:
        read_answers(text);
        break;
    default:
        read_row(text);
        break;
    }
    return 0;
}
