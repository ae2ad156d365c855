/* farm.c - see farm.h. */
#include "coordinator/core/farm.h"

#include "coordinator/core/mutant.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct farm *farm_new(uint32_t sample_permille)
{
    struct farm *farm = calloc(1, sizeof *farm);
    if (!farm) return NULL;
    farm->sample_permille = sample_permille;
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++) {
        text_buffer_init(&farm->slots[i].task, TASK_BYTES_MAX);
        for (unsigned k = 0; k < FARM_OPINIONS_MAX; k++)
            text_buffer_init(&farm->slots[i].opinions[k].answer, ANSWER_BYTES_MAX);
    }
    return farm;
}

void farm_free(struct farm *farm)
{
    if (!farm) return;
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++) {
        text_buffer_free(&farm->slots[i].task);
        for (unsigned k = 0; k < FARM_OPINIONS_MAX; k++) text_buffer_free(&farm->slots[i].opinions[k].answer);
    }
    free(farm);
}

static struct farm_effect *push(struct farm_effects *out, enum farm_effect_type type)
{
    assert(out->count < FARM_EFFECTS_MAX);
    struct farm_effect *effect = &out->items[out->count++];
    memset(effect, 0, sizeof *effect);
    effect->type = type;
    return effect;
}

static struct farm_answer answer_of(const struct farm_slot *slot)
{
    const struct farm_opinion *opinion = &slot->opinions[slot->opinion];
    return (struct farm_answer){.name = slot->name,
                                .task = text_buffer_view(&slot->task),
                                .answer = text_buffer_view(&opinion->answer),
                                .buried = slot->buried ? slot->why : NULL,
                                .worker = opinion->worker,
                                .boot = opinion->boot,
                                .nodes = opinion->nodes,
                                .job = slot->job};
}

static void slot_leave(struct farm *farm, struct farm_slot *slot, enum farm_state state)
{
    if (slot->state == FARM_OUT) farm->out--;
    slot->state = state;
    if (state == FARM_EMPTY) farm->count--;
}

/* ---- submitting ------------------------------------------------------------------------------------------------- */

static enum status submit(struct farm *farm, const struct farm_event *event)
{
    struct task task;
    char name[TASK_NAME_BYTES];
    enum status st = task_read(&task, event->submit.task);
    if (st != ST_OK) return st;
    task_name(event->submit.task, name);
    struct farm_slot *slot = NULL;
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++) {
        struct farm_slot *s = &farm->slots[i];
        if (s->state == FARM_EMPTY)
            slot = slot ? slot : s;
        else if (!strcmp(s->name, name))
            return ST_DUPLICATE;
    }
    if (!slot) return ST_FULL;
    text_buffer_clear(&slot->task);
    text_buffer_put(&slot->task, event->submit.task);
    if (slot->task.status != ST_OK) return slot->task.status;
    slot->state = FARM_READY;
    slot->number = ++farm->number_last;
    slot->job = event->submit.job;
    slot->priority = event->submit.priority;
    slot->order = event->submit.order;
    slot->avoid_boot = event->submit.avoid_boot;
    slot->buried = false;
    slot->opinion = 0;
    for (unsigned k = 0; k < FARM_OPINIONS_MAX; k++) {
        text_buffer_clear(&slot->opinions[k].answer);
        slot->opinions[k].boot = slot->opinions[k].nodes = 0;
        slot->opinions[k].worker[0] = 0;
    }
    memcpy(slot->name, name, sizeof name);
    farm->count++;
    farm->counters.submitted++;
    return ST_OK;
}

static bool goes_before(const struct farm_slot *a, const struct farm_slot *b)
{
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->order != b->order) return a->order < b->order;
    return a->number < b->number;
}

static struct farm_slot *next_ready(struct farm *farm)
{
    struct farm_slot *best = NULL;
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++) {
        struct farm_slot *s = &farm->slots[i];
        if (s->state == FARM_READY && (!best || goes_before(s, best))) best = s;
    }
    return best;
}

static void hand_out(struct farm *farm, struct farm_effects *out)
{
    struct farm_slot *slot;
    while (farm->out < farm->window && (slot = next_ready(farm))) {
        struct task task;
        enum status st = task_read(&task, text_buffer_view(&slot->task));
        assert(st == ST_OK);
        struct scan_order order = task_order(&task);
        order.id = slot->id = ++farm->id_last;
        order.avoid_boot[0] = slot->avoid_boot;
        for (unsigned k = 0; k < slot->opinion; k++) order.avoid_boot[k + 1] = slot->opinions[k].boot;
        slot->state = FARM_OUT;
        farm->out++;
        push(out, FARM_FX_HAND_OUT)->hand_out = order;
    }
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

static struct farm_slot *slot_out(struct farm *farm, uint32_t id)
{
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++)
        if (farm->slots[i].state == FARM_OUT && farm->slots[i].id == id) return &farm->slots[i];
    farm->counters.stale++;
    return NULL;
}

static void save(struct farm *farm, struct farm_slot *slot, struct farm_effects *out)
{
    slot_leave(farm, slot, FARM_SAVING);
    slot->store_number = ++farm->store_last;
    struct farm_effect *effect = push(out, FARM_FX_STORE);
    effect->store.number = slot->store_number;
    effect->store.row = answer_of(slot);
    if (MUTANT_IS(30)) { /* the owner is told before the disk has it */
        push(out, FARM_FX_DONE)->done = answer_of(slot);
        slot_leave(farm, slot, FARM_TOLD);
    }
}

static void bury(struct farm *farm, struct farm_slot *slot, struct text why, struct farm_effects *out)
{
    why = text_clip(why, sizeof slot->why - 1);
    memcpy(slot->why, why.at, text_length(why));
    slot->why[text_length(why)] = 0;
    slot->buried = true;
    text_buffer_clear(&slot->opinions[slot->opinion].answer);
    save(farm, slot, out);
}

static enum status take_result(struct farm *farm, const struct scan_result *result)
{
    struct farm_slot *slot = slot_out(farm, result->id);
    if (!slot) return ST_STALE;
    struct farm_opinion *opinion = &slot->opinions[slot->opinion];
    if (result->verdict == VERDICT_REFUSED) {
        if (!slot->buried)
            snprintf(slot->why, sizeof slot->why, "%.*s", (int)result->text.length,
                     result->text.length ? result->text.bytes : "");
        slot->buried = true;
        return ST_OK;
    }
    answer_write(result, &opinion->answer);
    opinion->boot = result->boot;
    opinion->nodes += result->nodes;
    snprintf(opinion->worker, sizeof opinion->worker, "%.*s", (int)result->worker.length,
             result->worker.length ? result->worker.bytes : "");
    return ST_OK;
}

static bool agree(const struct farm_slot *slot, unsigned a, unsigned b)
{
    return text_equal(text_buffer_view(&slot->opinions[a].answer), text_buffer_view(&slot->opinions[b].answer));
}

static bool is_sampled(const struct farm *farm, const struct farm_slot *slot)
{
    unsigned value = 0;
    for (unsigned i = 0; i < 4; i++) {
        char c = slot->name[i];
        value = value << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return value * 1000u < farm->sample_permille * 65536u;
}

static void accuse(const struct farm_opinion *liar, struct farm_effects *out)
{
    struct farm_effect *effect = push(out, FARM_FX_QUARANTINE);
    effect->quarantine.boot = liar->boot;
    effect->quarantine.worker = liar->worker;
}

static void again(struct farm *farm, struct farm_slot *slot)
{
    slot_leave(farm, slot, FARM_READY);
    slot->opinion++;
}

/* One opinion is complete. */
static enum status order_done(struct farm *farm, uint32_t id, struct farm_effects *out)
{
    struct farm_slot *slot = slot_out(farm, id);
    if (!slot) return ST_STALE;
    struct farm_opinion *last = &slot->opinions[slot->opinion];
    if (slot->buried) {
        bury(farm, slot, text_from(slot->why), out);
    } else if (last->answer.status != ST_OK) {
        bury(farm, slot, text_from("the answer is too long"), out);
    } else if (slot->opinion == 0 && is_sampled(farm, slot)) {
        farm->counters.sampled++;
        again(farm, slot);
    } else if (slot->opinion == 1 && !agree(slot, 0, 1) && !MUTANT_IS(31)) {
        farm->counters.mismatches++;
        again(farm, slot);
    } else if (slot->opinion == 2) {
        bool first = agree(slot, 0, 2), second = agree(slot, 1, 2);
        if (first || second) {
            accuse(&slot->opinions[first ? 1 : 0], out);
            save(farm, slot, out);
        } else {
            bury(farm, slot, text_from("three processes gave three different answers"), out);
        }
    } else {
        slot->opinion = 0; /* the first opinion is the row: who did it does not depend on the sample */
        save(farm, slot, out);
    }
    return ST_OK;
}

static void stored(struct farm *farm, uint64_t number, struct farm_effects *out)
{
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++) {
        struct farm_slot *slot = &farm->slots[i];
        if (slot->state != FARM_SAVING || slot->store_number > number) continue;
        *(slot->buried ? &farm->counters.buried : &farm->counters.done) += 1;
        push(out, FARM_FX_DONE)->done = answer_of(slot);
        slot_leave(farm, slot, FARM_EMPTY); /* its texts stay as they are until a later step */
    }
}

static void cancel(struct farm *farm, uint32_t job, struct farm_effects *out)
{
    for (unsigned i = 0; i < FARM_TASKS_MAX; i++) {
        struct farm_slot *slot = &farm->slots[i];
        if (slot->job != job || (slot->state != FARM_READY && slot->state != FARM_OUT)) continue;
        if (slot->state == FARM_OUT) push(out, FARM_FX_TAKE_BACK)->take_back_id = slot->id;
        slot_leave(farm, slot, FARM_EMPTY);
    }
}

static enum status dispatch(struct farm *farm, const struct farm_event *event, struct farm_effects *out)
{
    struct farm_slot *slot;
    switch (event->type) {
    case FARM_EV_SUBMIT:
        return submit(farm, event);
    case FARM_EV_WINDOW:
        farm->window = event->window < FARM_TASKS_MAX ? event->window : FARM_TASKS_MAX;
        return ST_OK;
    case FARM_EV_RESULT:
        return take_result(farm, event->result);
    case FARM_EV_DONE:
        return order_done(farm, event->done_id, out);
    case FARM_EV_REFUSED:
        slot = slot_out(farm, event->refused.id);
        if (!slot) return ST_STALE;
        bury(farm, slot, text_from(event->refused.why), out);
        return ST_OK;
    case FARM_EV_FULL:
        slot = slot_out(farm, event->full_id);
        if (!slot) return ST_STALE;
        slot_leave(farm, slot, FARM_READY);
        farm->window = farm->out;
        return ST_OK;
    case FARM_EV_STORED:
        stored(farm, event->stored, out);
        return ST_OK;
    case FARM_EV_CANCEL:
        cancel(farm, event->cancel_job, out);
        return ST_OK;
    }
    return ST_UNKNOWN;
}

enum status farm_step(struct farm *farm, const struct farm_event *event, struct farm_effects *out)
{
    out->count = 0;
    enum status st = dispatch(farm, event, out);
    if (event->type != FARM_EV_RESULT) hand_out(farm, out); /* a part of an answer brings nothing about */
    return st;
}
