/* split.c - what the strategies have in common. */
#include "coordinator/core/split.h"

#include <string.h>

static const struct split_ops *const strategies[] = {&split_auto, &split_lazy,     &split_tree,
                                                     &split_root, &split_majority, &split_optimistic};

const struct split_ops *split_find(const char *name)
{
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++)
        if (strcmp(name, strategies[i]->name) == 0) return strategies[i];
    return NULL;
}

void split_begin(struct split *split, const struct split_ops *ops, const struct split_task *task)
{
    memset(split, 0, sizeof *split);
    split->ops = ops;
    split->task = *task;
    ops->begin(split);
}

uint32_t split_number(struct split *split, unsigned worker)
{
    if (!split->number[worker]) split->number[worker] = ++split->number_last;
    return split->number[worker] - 1;
}
