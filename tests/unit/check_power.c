/* check_power.c - what the store has acknowledged survives a power cut at any write, and kill -9 at any moment.
 * CHECK_POWER_CUTS and CHECK_POWER_KILLS: how many of each (300 and 150). */
#include "common/base/prng.h"
#include "coordinator/store/store.h"
#include "tests/model/powerfail.h"
#include "tests/unit/check_main.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS_MAX = 4096, A_STORE_LASTS = 25, ROWS = 3, TO_OPEN = 40, AT_WORK = 10 }; /* the last two: writes */
static const unsigned OPENED = UINT32_MAX;

static char path[64];

/* What has been promised so far. */
static struct {
    unsigned tasks; /* numbers given out */
    bool task_acknowledged[TASKS_MAX];
    int64_t job;                           /* 0: none acknowledged */
    bool game_acknowledged[A_STORE_LASTS]; /* of `job` */
    unsigned games;
} books;

static unsigned times(const char *name, unsigned usual)
{
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : usual;
}

static void files_remove(void)
{
    const char *endings[] = {"", "-wal", "-shm", ".lock"};
    for (size_t i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

static void set_up(void)
{
    const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* nothing here needs a real disk */
    snprintf(path, sizeof path, "%s/murakumo-check-power-%d.db", memory, (int)getpid());
    files_remove();
    memset(&books, 0, sizeof books);
}

static void task_text(unsigned number, char name[32], char answer[64])
{
    snprintf(name, 32, "task-%u", number);
    snprintf(answer, 64, "answer %u %*s", number, (int)(number % 40), "");
}

static uint64_t put_task(struct store *store, unsigned number)
{
    char name[32], answer[64];
    task_text(number, name, answer);
    struct store_task task = {
        .name = name, .worker = "w", .task = text_from("t"), .answer = text_from(answer), .boot = 1, .nodes = number};
    return store_put_task(store, &task);
}

static uint64_t put_game(struct store *store, unsigned number)
{
    char text[64];
    snprintf(text, sizeof text, "{\"game\":%u}", number);
    struct store_row rows[ROWS];
    for (unsigned i = 0; i < ROWS; i++) rows[i] = (struct store_row){.ply = i, .kind = "scan", .text = text_from(text)};
    return store_put_game(store, books.job, number, rows, ROWS);
}

/* A job of many games; they are done in the course of the story. */
static enum status submit(struct store *store, int64_t *id)
{
    struct store_job job = {.created_unix_ms = 1, .kind = "scan", .settings = "a=1\n"};
    enum status st = store_job_add(store, &job, id);
    for (int i = 0; st == ST_OK && i < A_STORE_LASTS; i++) {
        struct store_game game = {.seq = i,
                                  .file = "f",
                                  .sha256 = "0",
                                  .source = "s",
                                  .licence = "l",
                                  .root = "r",
                                  .moves = "7g7f",
                                  .black = "",
                                  .white = "",
                                  .event = "",
                                  .date = "",
                                  .opening = "",
                                  .end = "",
                                  .winner = ""};
        st = store_game_add(store, *id, &game);
    }
    return st == ST_OK ? store_job_seal(store, *id, "m", A_STORE_LASTS) : st;
}

/* Puts a few things and waits until they are acknowledged or never will be. */
static void work(struct store *store, struct prng *prng, unsigned count)
{
    struct {
        uint64_t number;
        bool *acknowledged;
    } put[16];
    unsigned done = 0;
    for (unsigned i = 0; i < count; i++) {
        bool game = books.job && books.games < A_STORE_LASTS && prng_chance(prng, 300);
        if (game) {
            put[i].acknowledged = &books.game_acknowledged[books.games];
            put[i].number = put_game(store, books.games++);
        } else {
            put[i].acknowledged = &books.task_acknowledged[books.tasks];
            put[i].number = put_task(store, books.tasks++);
        }
    }
    while (done < count && !*store_error(store)) {
        struct pollfd fd = {.fd = store_fd(store), .events = POLLIN};
        poll(&fd, 1, 5);
        for (uint64_t committed = store_committed(store); done < count && put[done].number <= committed; done++)
            *put[done].acknowledged = true;
    }
}

static struct {
    int64_t seq;
    unsigned rows;
} row_count;

static void count_row(void *context, const struct store_row *row)
{
    (void)context;
    row_count.rows += row->seq == row_count.seq;
}

/* Everything acknowledged is there; what was not is there whole or not at all. Returns how many promises were kept. */
static unsigned look(struct store *store)
{
    char name[32], answer[64];
    unsigned kept = 0;
    for (unsigned i = 0; i < books.tasks; i++) {
        struct store_task task;
        task_text(i, name, answer);
        enum status st = store_task_get(store, name, &task);
        ck_assert_msg(st == ST_OK || (st == ST_MISSING && !books.task_acknowledged[i]), "%s was acknowledged: %s", name,
                      status_text(st));
        if (st != ST_OK) continue;
        ck_assert(text_is(task.answer, answer));
        kept += books.task_acknowledged[i];
    }
    if (!books.job) return kept;
    struct store_job job;
    ck_assert_int_eq(store_job_get(store, books.job, &job), ST_OK);
    ck_assert_int_eq(job.games, A_STORE_LASTS);
    bool open[A_STORE_LASTS] = {false};
    struct store_game game;
    for (int64_t after = -1; store_game_next(store, books.job, after, &game) == ST_OK; after = game.seq)
        open[game.seq] = true;
    for (unsigned i = 0; i < books.games; i++) {
        row_count.seq = i;
        row_count.rows = 0;
        ck_assert_int_eq(store_rows_each(store, books.job, NULL, count_row, NULL), ST_OK);
        ck_assert_uint_eq(row_count.rows, open[i] ? 0 : ROWS);
        ck_assert_msg(!books.game_acknowledged[i] || !open[i], "game %u was acknowledged", i);
        kept += books.game_acknowledged[i];
    }
    return kept + 1;
}

static struct store *reopened(void)
{
    char why[STORE_WHY_BYTES];
    struct store *store = store_open(path, why);
    ck_assert_msg(store != NULL, "after the cut: %s", why);
    return store;
}

START_TEST(what_was_acknowledged_survives_a_power_cut_at_any_write)
{
    unsigned cuts = times("CHECK_POWER_CUTS", 300), kept = 0, in_open = 0, in_submit = 0, idle = 0;
    struct prng prng = prng_make(20261130);
    char why[STORE_WHY_BYTES];
    power_install();
    for (unsigned i = 0; i < cuts; i++) {
        if (i % A_STORE_LASTS == 0) { /* a new disk */
            files_remove();
            power_forget();
            memset(&books, 0, sizeof books);
        }
        power_lasts(1 + prng_below(&prng, books.job ? AT_WORK : TO_OPEN));
        struct store *store = store_open(path, why);
        in_open += !store;
        int64_t id;
        if (store && !books.job) {
            if (submit(store, &id) == ST_OK)
                books.job = id;
            else
                in_submit++;
        }
        if (store && !power_is_cut()) work(store, &prng, 1 + prng_below(&prng, 12));
        idle += !power_is_cut();
        store_close(store);
        power_back(prng_next(&prng));
        store = reopened();
        if (i % A_STORE_LASTS == A_STORE_LASTS - 1 || i + 1 == cuts || prng_chance(&prng, 200)) kept += look(store);
        store_close(store);
    }
    files_remove();
    printf("power cut %u times (%u while opening, %u while submitting, %u with nothing to do): 0 promises broken, %u "
           "looked up\n",
           cuts, in_open, in_submit, idle, kept);
    ck_assert_uint_gt(kept, cuts / 10);
}
END_TEST

/* The child: opens the store, says OPENED, works for ever, and tells each acknowledgement before it goes on. */
static void worker(uint64_t seed, unsigned first, int tell)
{
    char why[STORE_WHY_BYTES];
    struct prng prng = prng_make(seed);
    struct store *store = store_open(path, why);
    const unsigned opened = OPENED;
    if (write(tell, &opened, sizeof opened) != sizeof opened) _exit(1);
    for (unsigned next = first; store && next + 16 < TASKS_MAX;) {
        unsigned count = 1 + prng_below(&prng, 12), until = next + count;
        uint64_t last = 0, told = next;
        uint64_t number_first = 0;
        for (; next < until; next++) {
            last = put_task(store, next);
            if (!number_first) number_first = last;
        }
        for (uint64_t committed = 0; committed < last;) {
            struct pollfd fd = {.fd = store_fd(store), .events = POLLIN};
            poll(&fd, 1, 5);
            committed = store_committed(store);
            for (; number_first <= committed && told < until; number_first++, told++) {
                unsigned task = (unsigned)told;
                if (write(tell, &task, sizeof task) != sizeof task) _exit(1);
            }
        }
    }
    _exit(0);
}

START_TEST(what_was_acknowledged_survives_kill_9_at_any_moment)
{
    unsigned kills = times("CHECK_POWER_KILLS", 150), acknowledged = 0;
    struct prng prng = prng_make(9);
    for (unsigned i = 0; i < kills; i++) {
        int tell[2];
        unsigned task;
        if (i % A_STORE_LASTS == 0 || books.tasks > TASKS_MAX - 1024) {
            files_remove();
            memset(&books, 0, sizeof books);
        }
        ck_assert_int_eq(pipe(tell), 0);
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            close(tell[0]);
            worker(i, books.tasks, tell[1]);
        }
        close(tell[1]);
        if (prng_chance(&prng, 700)) ck_assert_int_eq(read(tell[0], &task, sizeof task), sizeof task);
        usleep(1 + prng_below(&prng, 8000));
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        while (read(tell[0], &task, sizeof task) == sizeof task) {
            if (task == OPENED) continue;
            ck_assert_uint_lt(task, TASKS_MAX);
            books.task_acknowledged[task] = true;
            acknowledged++;
        }
        close(tell[0]);
        /* What it had put and nobody was told of may be there or not: no number is used twice. */
        struct store *store = reopened();
        char name[32], answer[64];
        struct store_task found;
        do {
            task_text(books.tasks, name, answer);
        } while ((store_task_get(store, name, &found) == ST_OK || books.task_acknowledged[books.tasks]) &&
                 ++books.tasks < TASKS_MAX);
        if (i % A_STORE_LASTS == A_STORE_LASTS - 1 || i + 1 == kills || prng_chance(&prng, 200)) look(store);
        store_close(store);
    }
    files_remove();
    printf("killed %u times at any moment: %u answers acknowledged, all of them there\n", kills, acknowledged);
    ck_assert_uint_gt(acknowledged, kills / 4);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("power");
    tcase_add_checked_fixture(tc, set_up, files_remove);
    tcase_set_timeout(tc, 1200);
    tcase_add_test(tc, what_was_acknowledged_survives_a_power_cut_at_any_write);
    tcase_add_test(tc, what_was_acknowledged_survives_kill_9_at_any_moment);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("power", add_cases)
