/* The queue of the farm: its contract case by case, and then under fire: a cluster of workers that die and lie, a disk
 * that is slow, and a farm that is killed again and again, judged by a ledger made from effects alone. */
#include "common/base/prng.h"
#include "common/shogi/sfen.h"
#include "coordinator/core/farm.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

static struct farm *farm;
static struct farm_effects *fx;

static void set_up(void)
{
    farm = farm_new(0);
    fx = malloc(sizeof *fx);
    ck_assert(farm && fx);
}

static void tear_down(void)
{
    farm_free(farm);
    free(fx);
}

/* The n-th task: a different position count of nodes makes a different task. */
static const char *task_text(unsigned n)
{
    static char text[TASK_BYTES_MAX];
    struct task task = {.nodes = 1000 + n,
                        .multipv = 1,
                        .root = text_from(SFEN_STARTPOS),
                        .moves = text_from(""),
                        .only = text_from("")};
    ck_assert_uint_gt(task_write(&task, text), 0);
    return text;
}

static enum status submit(unsigned n, int32_t priority)
{
    struct farm_event event = {.type = FARM_EV_SUBMIT};
    event.submit.task = text_from(task_text(n));
    event.submit.priority = priority;
    event.submit.job = 1;
    return farm_step(farm, &event, fx);
}

static enum status window(unsigned n)
{
    return farm_step(farm, &(struct farm_event){.type = FARM_EV_WINDOW, .window = n}, fx);
}

static enum status result(uint32_t id, uint64_t boot, int32_t score, uint32_t verdict)
{
    struct scan_result r = {.id = id,
                            .verdict = verdict,
                            .score_kind = WIRE_SCORE_CP,
                            .score = score,
                            .nodes = 10,
                            .boot = boot,
                            .worker = wire_str_make("w", 1),
                            .best = wire_str_make("7g7f", 4)};
    if (verdict == VERDICT_REFUSED) r.text = wire_str_make("cannot", 6);
    return farm_step(farm, &(struct farm_event){.type = FARM_EV_RESULT, .result = &r}, fx);
}

static enum status done(uint32_t id)
{
    return farm_step(farm, &(struct farm_event){.type = FARM_EV_DONE, .done_id = id}, fx);
}
static enum status stored(uint64_t n)
{
    return farm_step(farm, &(struct farm_event){.type = FARM_EV_STORED, .stored = n}, fx);
}

static unsigned count_of(enum farm_effect_type type)
{
    unsigned n = 0;
    for (size_t i = 0; i < fx->count; i++) n += fx->items[i].type == type;
    return n;
}

static const struct farm_effect *find(enum farm_effect_type type)
{
    for (size_t i = 0; i < fx->count; i++)
        if (fx->items[i].type == type) return &fx->items[i];
    ck_abort_msg("no effect of that kind");
    return NULL;
}

START_TEST(the_owner_is_told_after_the_disk_has_it)
{
    ck_assert_int_eq(submit(1, 0), ST_OK);
    ck_assert_uint_eq(fx->count, 0); /* nobody can work yet */
    window(2);
    uint32_t id = find(FARM_FX_HAND_OUT)->hand_out.id;
    ck_assert_int_eq(result(id, 7, 35, VERDICT_MOVE), ST_OK);
    ck_assert_uint_eq(fx->count, 0);
    ck_assert_int_eq(done(id), ST_OK);
    const struct farm_effect *store = find(FARM_FX_STORE);
    ck_assert_uint_eq(count_of(FARM_FX_DONE), 0);
    ck_assert_uint_eq(store->store.row.boot, 7);
    ck_assert(text_starts(store->store.row.answer, "0 move 7g7f cp 35"));
    uint64_t number = store->store.number;
    stored(number - 1);
    ck_assert_uint_eq(count_of(FARM_FX_DONE), 0);
    stored(number);
    ck_assert_uint_eq(count_of(FARM_FX_DONE), 1);
    ck_assert_ptr_null(find(FARM_FX_DONE)->done.buried);
    ck_assert_uint_eq(farm->count, 0);
}
END_TEST

START_TEST(a_task_is_here_once_and_late_answers_change_nothing)
{
    window(2);
    ck_assert_int_eq(submit(1, 0), ST_OK);
    uint32_t id = find(FARM_FX_HAND_OUT)->hand_out.id;
    ck_assert_int_eq(submit(1, 5), ST_DUPLICATE);
    result(id, 7, 35, VERDICT_MOVE);
    done(id);
    ck_assert_int_eq(done(id), ST_STALE);
    ck_assert_int_eq(result(id, 7, 99, VERDICT_MOVE), ST_STALE);
    ck_assert_int_eq(done(12345), ST_STALE);
    stored(1);
    ck_assert(text_starts(find(FARM_FX_DONE)->done.answer, "0 move 7g7f cp 35"));
    stored(1);
    ck_assert_uint_eq(fx->count, 0); /* told once */
}
END_TEST

START_TEST(what_cannot_be_done_is_buried_with_its_reason)
{
    window(2);
    submit(1, 0);
    uint32_t id = find(FARM_FX_HAND_OUT)->hand_out.id;
    result(id, 0, 0, VERDICT_REFUSED);
    done(id);
    ck_assert_str_eq(find(FARM_FX_STORE)->store.row.buried, "cannot");
    stored(1);
    ck_assert_str_eq(find(FARM_FX_DONE)->done.buried, "cannot");
    ck_assert_uint_eq(farm->counters.buried, 1);
    submit(2, 0);
    struct farm_event event = {.type = FARM_EV_REFUSED};
    event.refused.id = find(FARM_FX_HAND_OUT)->hand_out.id;
    event.refused.why = "no such position";
    ck_assert_int_eq(farm_step(farm, &event, fx), ST_OK);
    ck_assert_str_eq(find(FARM_FX_STORE)->store.row.buried, "no such position");
}
END_TEST

START_TEST(higher_priority_goes_first_and_the_window_is_kept)
{
    for (unsigned n = 0; n < 6; n++) submit(n, n % 2 ? 1 : 0);
    window(2);
    ck_assert_uint_eq(fx->count, 2);
    ck_assert_uint_eq(fx->items[0].hand_out.nodes, 1001);
    ck_assert_uint_eq(fx->items[1].hand_out.nodes, 1003);
    uint32_t id = fx->items[0].hand_out.id;
    result(id, 1, 1, VERDICT_MOVE);
    done(id);
    ck_assert_uint_eq(find(FARM_FX_HAND_OUT)->hand_out.nodes, 1005);
    window(4);
    ck_assert_uint_eq(count_of(FARM_FX_HAND_OUT), 2);
    ck_assert_uint_eq(find(FARM_FX_HAND_OUT)->hand_out.nodes, 1000);
}
END_TEST

START_TEST(among_equals_the_lower_order_goes_first_whenever_it_came)
{
    static const uint32_t orders[] = {3, 1, 2, 1};
    for (unsigned n = 0; n < 4; n++) {
        struct farm_event event = {.type = FARM_EV_SUBMIT};
        event.submit.task = text_from(task_text(n));
        event.submit.order = orders[n];
        ck_assert_int_eq(farm_step(farm, &event, fx), ST_OK);
    }
    window(4);
    static const uint64_t nodes[] = {1001, 1003, 1002, 1000};
    for (unsigned i = 0; i < 4; i++) ck_assert_uint_eq(fx->items[i].hand_out.nodes, nodes[i]);
}
END_TEST

START_TEST(cancelled_work_is_taken_back_but_what_is_being_saved_is_kept)
{
    submit(1, 0);
    submit(2, 0);
    submit(3, 0);
    window(2);
    uint32_t first = fx->items[0].hand_out.id, second = fx->items[1].hand_out.id;
    result(first, 1, 1, VERDICT_MOVE);
    done(first); /* hands out the third */
    farm_step(farm, &(struct farm_event){.type = FARM_EV_CANCEL, .cancel_job = 1}, fx);
    ck_assert_uint_eq(count_of(FARM_FX_TAKE_BACK), 2);
    ck_assert_uint_eq(farm->count, 1);
    ck_assert_int_eq(done(second), ST_STALE);
    stored(1);
    ck_assert_uint_eq(count_of(FARM_FX_DONE), 1);
    ck_assert_uint_eq(farm->count, 0);
}
END_TEST

START_TEST(a_full_queue_says_so_and_no_task_is_refused)
{
    for (unsigned n = 0; n < FARM_TASKS_MAX; n++) ck_assert_int_eq(submit(n, 0), ST_OK);
    ck_assert_int_eq(submit(FARM_TASKS_MAX, 0), ST_FULL);
    ck_assert(!farm_has_room(farm));
    struct farm_event event = {.type = FARM_EV_SUBMIT};
    event.submit.task = text_from("bake a cake");
    ck_assert_int_eq(farm_step(farm, &event, fx), ST_SYNTAX);
}
END_TEST

START_TEST(a_cluster_without_room_gets_the_task_later)
{
    submit(1, 0);
    submit(2, 0);
    window(2);
    uint32_t second = fx->items[1].hand_out.id;
    farm_step(farm, &(struct farm_event){.type = FARM_EV_FULL, .full_id = second}, fx);
    ck_assert_uint_eq(fx->count, 0); /* not at once again */
    window(2);
    ck_assert_uint_eq(count_of(FARM_FX_HAND_OUT), 1);
    ck_assert_uint_eq(find(FARM_FX_HAND_OUT)->hand_out.nodes, 1002);
    ck_assert_uint_ne(find(FARM_FX_HAND_OUT)->hand_out.id, second);
}
END_TEST

/* A sampled task is asked of two; if they differ a third decides who is not to be trusted. */
START_TEST(of_three_the_odd_one_out_is_accused)
{
    farm->sample_permille = 1000;
    window(1);
    submit(1, 0);
    uint32_t id = find(FARM_FX_HAND_OUT)->hand_out.id;
    result(id, 11, 35, VERDICT_MOVE);
    done(id);
    ck_assert_uint_eq(count_of(FARM_FX_STORE), 0);
    const struct scan_order *order = &find(FARM_FX_HAND_OUT)->hand_out;
    ck_assert_uint_eq(order->avoid_boot[1], 11);
    id = order->id;
    result(id, 12, 99, VERDICT_MOVE);
    done(id);
    order = &find(FARM_FX_HAND_OUT)->hand_out;
    ck_assert_uint_eq(order->avoid_boot[1], 11);
    ck_assert_uint_eq(order->avoid_boot[2], 12);
    id = order->id;
    result(id, 13, 35, VERDICT_MOVE);
    done(id);
    ck_assert_uint_eq(find(FARM_FX_QUARANTINE)->quarantine.boot, 12);
    ck_assert(text_starts(find(FARM_FX_STORE)->store.row.answer, "0 move 7g7f cp 35"));
}
END_TEST

START_TEST(two_that_agree_are_one_row)
{
    farm->sample_permille = 1000;
    window(1);
    submit(1, 0);
    for (uint64_t boot = 11; boot < 13; boot++) {
        uint32_t id = find(FARM_FX_HAND_OUT)->hand_out.id;
        result(id, boot, 35, VERDICT_MOVE);
        done(id);
    }
    ck_assert_uint_eq(find(FARM_FX_STORE)->store.row.boot, 11);
    ck_assert_uint_eq(count_of(FARM_FX_QUARANTINE), 0);
    ck_assert_uint_eq(farm->counters.mismatches, 0);
}
END_TEST

/* ---- under fire ------------------------------------------------------------------------------------------------- */

enum { SIM_TASKS = 120, SIM_OUT = 12, SIM_STEPS = 200000 };

struct sim {
    struct prng prng;
    bool on_disk[SIM_TASKS];  /* what the disk has: survives everything */
    unsigned rows[SIM_TASKS]; /* rows that the disk was asked to make and did */
    bool told[SIM_TASKS];     /* in this life of the farm */
    struct {
        uint64_t number;
        unsigned task;
    } writing[FARM_TASKS_MAX]; /* lost in a crash */
    unsigned writing_count;
    struct {
        uint32_t id;
        unsigned task;
        uint64_t avoid[SCAN_AVOID_MAX];
    } out[SIM_OUT]; /* with the cluster */
    unsigned out_count;
};

static unsigned task_of_nodes(uint64_t nodes) { return (unsigned)(nodes - 1000); }

static void sim_effects(struct sim *s)
{
    for (size_t i = 0; i < fx->count; i++) {
        const struct farm_effect *e = &fx->items[i];
        struct task task;
        switch (e->type) {
        case FARM_FX_HAND_OUT:
            ck_assert_uint_lt(s->out_count, SIM_OUT);
            s->out[s->out_count].id = e->hand_out.id;
            s->out[s->out_count].task = task_of_nodes(e->hand_out.nodes);
            memcpy(s->out[s->out_count++].avoid, e->hand_out.avoid_boot, sizeof s->out[0].avoid);
            break;
        case FARM_FX_STORE:
            ck_assert_int_eq(task_read(&task, e->store.row.task), ST_OK);
            ck_assert_ptr_null(e->store.row.buried);
            /* What is saved is the truth: the score that this task has. */
            char truth[64];
            snprintf(truth, sizeof truth, "0 move 7g7f cp %u depth", task_of_nodes(task.nodes));
            ck_assert_msg(text_starts(e->store.row.answer, truth), "a lie was saved");
            s->writing[s->writing_count].number = e->store.number;
            s->writing[s->writing_count++].task = task_of_nodes(task.nodes);
            break;
        case FARM_FX_DONE:
            ck_assert_int_eq(task_read(&task, e->done.task), ST_OK);
            ck_assert_msg(s->on_disk[task_of_nodes(task.nodes)], "told before the disk had it");
            ck_assert_msg(!s->told[task_of_nodes(task.nodes)], "told twice");
            s->told[task_of_nodes(task.nodes)] = true;
            break;
        case FARM_FX_TAKE_BACK:
        case FARM_FX_QUARANTINE:
            break;
        }
    }
}

static void sim_answer(struct sim *s, bool liars)
{
    if (!s->out_count) return;
    unsigned k = prng_below(&s->prng, s->out_count);
    uint32_t id = s->out[k].id;
    unsigned task = s->out[k].task;
    uint64_t boot = 1 + prng_below(&s->prng, 5);
    for (int i = 0; i < SCAN_AVOID_MAX; i++)
        if (s->out[k].avoid[i] == boot) return; /* not for this one */
    s->out[k] = s->out[--s->out_count];
    bool lie = liars && boot == 3; /* one of five lies, always, and each time differently */
    result(id, boot, (int32_t)(lie ? 5000 + prng_below(&s->prng, 1000) : task), VERDICT_MOVE);
    sim_effects(s);
    done(id);
    sim_effects(s);
    if (prng_chance(&s->prng, 100)) { /* and once more: a repeated message */
        done(id);
        sim_effects(s);
    }
}

static void sim_disk(struct sim *s)
{
    if (!s->writing_count) return;
    unsigned n = 1 + prng_below(&s->prng, s->writing_count);
    uint64_t number = s->writing[n - 1].number;
    for (unsigned i = 0; i < n; i++) {
        unsigned task = s->writing[i].task;
        if (!s->on_disk[task]) s->rows[task]++; /* INSERT ... ON CONFLICT DO NOTHING */
        s->on_disk[task] = true;
    }
    memmove(s->writing, s->writing + n, (s->writing_count - n) * sizeof *s->writing);
    s->writing_count -= n;
    if (prng_chance(&s->prng, 50)) return; /* killed between the write and the word of it: the next crash shows */
    stored(number);
    sim_effects(s);
}

static void sim_crash(struct sim *s)
{
    uint32_t permille = farm->sample_permille;
    farm_free(farm);
    farm = farm_new(permille);
    ck_assert_ptr_nonnull(farm);
    s->writing_count = s->out_count = 0;
    memset(s->told, 0, sizeof s->told);
    window(SIM_OUT);
    sim_effects(s);
}

static void run_seed(unsigned seed, uint32_t permille, bool liars)
{
    struct sim s = {.prng = prng_make(seed)};
    farm->sample_permille = permille;
    window(SIM_OUT);
    unsigned steps = 0, left = SIM_TASKS;
    while (left && steps++ < SIM_STEPS) {
        unsigned what = prng_below(&s.prng, 100);
        if (what < 30) {
            unsigned n = prng_below(&s.prng, SIM_TASKS);
            if (!s.on_disk[n]) { /* the owner asks for what the store does not have */
                (void)submit(n, (int32_t)prng_below(&s.prng, 3));
                sim_effects(&s);
            }
        } else if (what < 75) {
            sim_answer(&s, liars);
        } else if (what < 98) {
            sim_disk(&s);
        } else if (prng_chance(&s.prng, 200)) {
            sim_crash(&s);
        }
        left = 0;
        for (unsigned n = 0; n < SIM_TASKS; n++) left += !s.on_disk[n];
    }
    ck_assert_msg(left == 0, "seed %u: %u tasks were never done", seed, left);
    for (unsigned n = 0; n < SIM_TASKS; n++) ck_assert_uint_eq(s.rows[n], 1);
}

START_TEST(killed_again_and_again_nothing_is_lost_or_doubled) { run_seed((unsigned)_i + 1, 0, false); }
END_TEST

START_TEST(with_everything_sampled_no_lie_of_one_is_saved) { run_seed((unsigned)_i + 1000, 1000, true); }
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("farm");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, the_owner_is_told_after_the_disk_has_it);
    tcase_add_test(tc, a_task_is_here_once_and_late_answers_change_nothing);
    tcase_add_test(tc, what_cannot_be_done_is_buried_with_its_reason);
    tcase_add_test(tc, among_equals_the_lower_order_goes_first_whenever_it_came);
    tcase_add_test(tc, higher_priority_goes_first_and_the_window_is_kept);
    tcase_add_test(tc, cancelled_work_is_taken_back_but_what_is_being_saved_is_kept);
    tcase_add_test(tc, a_full_queue_says_so_and_no_task_is_refused);
    tcase_add_test(tc, a_cluster_without_room_gets_the_task_later);
    tcase_add_test(tc, of_three_the_odd_one_out_is_accused);
    tcase_add_test(tc, two_that_agree_are_one_row);
    suite_add_tcase(suite, tc);
    tc = tcase_create("under fire");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, killed_again_and_again_nothing_is_lost_or_doubled, 0, 40);
    tcase_add_loop_test(tc, with_everything_sampled_no_lie_of_one_is_saved, 0, 40);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("farm", add_cases)
