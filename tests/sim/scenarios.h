/* scenarios.h - seeds that once broke a promise, each with what it found. murakumo-sim plays them before all others. */
#ifndef MURAKUMO_SIM_SCENARIOS_H
#define MURAKUMO_SIM_SCENARIOS_H

#include <stdint.h>

static const struct {
    uint64_t seed;
    const char *found;
} scenarios[] = {
    {563, "answers to heartbeats that a suspended worker sent late were taken for long round trips: death came late"},
    {500946, "heartbeats from before the job, answered late, were taken for a denial of it: the job ran twice, one was "
             "never stopped"},
    {5000025, "a job that its stop had overtaken on the way was searched, though nobody wanted it any more"},
    {10716, "a worker that claimed the greatest depth made the tree ask for an even greater one"},
    {117645, "the result of a worker's second job replaced the deeper line of its first one"},
    {20011365, "the toy took a part of `go depth 4` for too much work, and never answered"},
};

#endif
