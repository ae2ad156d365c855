/* front.c - what the lines of the GUI do. */
#include "coordinator/core/front.h"

#include "coordinator/core/mutant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BLANK_LINE_MS = 4000, READY_AGAIN_MS = 500, READY_LONGEST_MS = 180000 };

void front_init(struct front *f, const char *name, int64_t hash_mb, int64_t threads, int64_t ready_wait_ms)
{
    memset(f, 0, sizeof *f);
    f->name = name;
    options_init(&f->options, hash_mb, threads);
    board_start(&f->board);
    f->config_changed = true;
    f->ready_wait_ms = ready_wait_ms;
}

void front_flush_config(struct front *f, struct registry *registry)
{
    if (!f->config_changed) return;
    f->config_changed = false;
    const int64_t *value = f->options.value;
    struct msg_configure configure = {.entering_king_rule = (uint32_t)value[OPTION_ENTERING_KING],
                                      .max_moves_to_draw = (uint32_t)value[OPTION_MAX_MOVES],
                                      .draw_value_black_cp = (int32_t)value[OPTION_DRAW_BLACK],
                                      .draw_value_white_cp = (int32_t)value[OPTION_DRAW_WHITE],
                                      .generate_all_moves = value[OPTION_ALL_MOVES] != 0,
                                      .use_tsumero = value[OPTION_TSUMERO] != 0};
    registry_set_config(registry, &configure, (uint32_t)value[OPTION_USI_HASH], (uint32_t)value[OPTION_THREADS]);
}

/* ---- single commands -------------------------------------------------------------------------------------------- */

static void say_usi(const struct front *f, struct game_env *env)
{
    fx_sayf(env->out, "id name %s", f->name);
    fx_sayf(env->out, "id author the Murakumo authors");
    for (int id = 0; id < OPTION_COUNT; id++) {
        char line[OPTION_LINE_BYTES_MAX];
        size_t bytes = option_write_line(&f->options, (enum option_id)id, line);
        fx_say(env->out, line, bytes);
    }
    fx_sayf(env->out, "usiok");
}

static enum status set_option(struct front *f, const struct usi_command *command, struct game_env *env)
{
    enum option_id id;
    if (!options_find(command->option.name, &id)) {
        struct wire_str name = fx_clean(env->out, command->option.name, 60);
        bool reserved = name.length >= 4 &&
                        usi_word_is(wire_str_make(name.bytes, 4), "USI_"); /* sent to every engine, declared or not */
        if (!reserved) fx_infof(env->out, "info string there is no option \"%s\"", name.bytes);
        return ST_UNKNOWN;
    }
    char why[256];
    int64_t before = f->options.value[id];
    enum status status = options_set(&f->options, id, command->option.value, why, sizeof why);
    if (status != ST_OK) {
        struct wire_str clean = fx_clean(env->out, wire_str_make(why, strlen(why)), sizeof why);
        fx_infof(env->out, "info string %s", clean.bytes);
        return status;
    }
    if (id == OPTION_DEBUG_LOG) fx_debug_file(env->out, f->options.debug_log);
    if (option_is_for_workers(id) && f->options.value[id] != before) f->config_changed = true;
    return ST_OK;
}

static enum status get_option(const struct front *f, const struct usi_command *command, struct game_env *env)
{
    enum option_id id;
    char value[OPTION_STRING_BYTES_MAX + 1];
    if (!options_find(command->option.name, &id)) {
        struct wire_str name = fx_clean(env->out, command->option.name, 60);
        fx_infof(env->out, "info string there is no option \"%s\"", name.bytes);
        return ST_UNKNOWN;
    }
    option_write_value(&f->options, id, value, sizeof value);
    fx_sayf(env->out, "Options[%s] == %s", option_name(id), value);
    return ST_OK;
}

static enum status set_position(struct front *f, const struct usi_command *command, struct game_env *env)
{
    char why[BOARD_WHY_BYTES];
    struct wire_str sfen = command->position.sfen;
    enum status status = ST_SYNTAX;
    if (command->position.startpos && sfen.length) {
        f->board.valid = false;
        snprintf(why, sizeof why, "\"%.*s\" behind startpos, expected \"moves\"",
                 (int)(sfen.length > 40 ? 40 : sfen.length), sfen.bytes);
    } else if (!command->position.startpos && !sfen.length) {
        f->board.valid = false;
        snprintf(why, sizeof why, "expected startpos or an sfen");
    } else {
        status = board_set(&f->board, sfen, command->position.moves, why);
    }
    if (status == ST_OK) return ST_OK;
    struct wire_str clean = fx_clean(env->out, wire_str_make(why, strlen(why)), sizeof why);
    fx_infof(env->out, "info string position refused: %s", clean.bytes);
    return status;
}

static void display(const struct front *f, struct game_env *env)
{
    char sfen[SFEN_BYTES_MAX];
    if (!f->board.valid) {
        fx_infof(env->out, "info string the last position was refused");
        return;
    }
    sfen_write(&f->board.now, sfen);
    fx_sayf(env->out, "sfen %s", sfen);
}

void front_quit(struct front *f, const char *why, struct game *game, struct local *local, struct game_env *env)
{
    if (f->quitting) return;
    game_stop(game, env);
    f->quitting = true;
    f->ready_asked = 0;
    registry_bye(env->registry, why, env->out);
    local_quit(local, env->out);
    fx_quit(env->out, 0);
}

void front_detach(struct front *f, struct game *game, struct game_env *env)
{
    game_stop(game, env);
    f->ready_asked = 0;
}

enum status front_line(struct front *f, const char *bytes, size_t length, bool too_long, struct game *game,
                       struct local *local, struct game_env *env)
{
    struct usi_command command;
    env->metrics->lines++;
    usi_parse(&command, bytes, length);
    if (too_long) {
        if (command.type == USI_POSITION) f->board.valid = false;
        struct wire_str word = fx_clean(env->out, command.word, 20);
        fx_infof(env->out, "info string a line \"%s...\" of more than %d bytes was refused", word.bytes,
                 COORD_LINE_BYTES_MAX);
        return ST_TOO_BIG;
    }
    switch (command.type) {
    case USI_NOTHING:
        break;
    case USI_UNKNOWN: {
        struct wire_str word = fx_clean(env->out, command.word, 40);
        fx_infof(env->out, "info string unknown command \"%s\"", word.bytes);
        return ST_UNKNOWN;
    }
    case USI_USI:
        say_usi(f, env);
        break;
    case USI_ISREADY:
        if (game->phase != GAME_IDLE) {
            fx_sayf(env->out, "readyok");
            break;
        }
        front_flush_config(f, env->registry);
        if (f->ready_asked++ == 0) {
            f->ready_since_ms = env->now_ms;
            f->ready_blank_ms = env->now_ms + BLANK_LINE_MS;
            f->ready_end_ms = env->now_ms + f->ready_wait_ms;
        }
        break;
    case USI_SETOPTION:
        return set_option(f, &command, env);
    case USI_GETOPTION:
        return get_option(f, &command, env);
    case USI_USINEWGAME:
        front_flush_config(f, env->registry);
        game_new(game);
        registry_new_game(env->registry);
        break;
    case USI_POSITION:
        return set_position(f, &command, env);
    case USI_GO:
        front_flush_config(f, env->registry);
        game_go(game, &f->board, &command.go, env);
        break;
    case USI_STOP:
    case USI_GAMEOVER:
        if (!MUTANT_IS(11) || game->phase != GAME_PONDERING) game_stop(game, env);
        break;
    case USI_PONDERHIT:
        game_ponderhit(game, &command.ponderhit, env);
        break;
    case USI_QUIT:
        if (f->serves) {
            front_detach(f, game, env);
            break;
        }
        front_quit(f, "the user interface said quit", game, local, env);
        break;
    case USI_DISPLAY:
        display(f, env);
        break;
    }
    return ST_OK;
}

/* ---- isready ---------------------------------------------------------------------------------------------------- */

static unsigned ready_locals(const struct registry *r, const struct local *local)
{
    unsigned count = 0;
    for (unsigned slot = 0; slot < local->count; slot++)
        for (unsigned i = 0; i < r->high; i++)
            if (worker_is_configured(r, &r->workers[i]) && r->workers[i].local_slot == (int)slot) {
                count++;
                break;
            }
    return count;
}

static bool somebody_is_preparing(const struct registry *r)
{
    for (unsigned i = 0; i < r->high; i++)
        if (r->workers[i].present && !worker_is_configured(r, &r->workers[i]) && worker_has_hope(r, &r->workers[i]))
            return true;
    return false;
}

void front_advance(struct front *f, const struct local *local, struct game_env *env)
{
    if (!f->ready_asked) return;
    const struct registry *r = env->registry;
    unsigned usable = registry_usable_count(r), ready = ready_locals(r, local);
    bool preparing = somebody_is_preparing(r);
    /* Our own workers decide; remote ones come and go and may take their time. */
    bool all = local->count ? ready == local->count : usable > 0 && !preparing;
    bool enough = env->now_ms >= f->ready_end_ms &&
                  (usable > 0 || !preparing || env->now_ms - f->ready_since_ms >= READY_LONGEST_MS);
    if (env->now_ms >= f->ready_end_ms) f->ready_end_ms = env->now_ms + READY_AGAIN_MS;
    if (all || enough) {
        if (!all && usable == 0)
            fx_infof(env->out, "info string no worker is ready: until one comes, moves are made by the coordinator's "
                               "own short search");
        else if (!all)
            fx_infof(env->out, "info string %u of %u local workers are ready, %u workers in all", ready, local->count,
                     usable);
        while (f->ready_asked) {
            fx_sayf(env->out, "readyok");
            f->ready_asked--;
        }
    } else if (env->now_ms >= f->ready_blank_ms) {
        fx_say(env->out, "", 0);
        f->ready_blank_ms = env->now_ms + BLANK_LINE_MS;
    }
}

int64_t front_deadline_ms(const struct front *f)
{
    if (!f->ready_asked) return INT64_MAX;
    return f->ready_blank_ms < f->ready_end_ms ? f->ready_blank_ms : f->ready_end_ms;
}
