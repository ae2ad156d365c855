#include "coordinator/cli/match_seat.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

void seat_init(struct seat *seat, const char *tag, FILE *log)
{
    usi_player_init(&seat->player, tag, log);
    seat->state = SEAT_DOWN;
    seat->profile = NULL;
    seat->failures = 0;
    memset(seat->faults_told, 0, sizeof seat->faults_told);
}

bool seat_start(struct seat *seat, const struct match_engine_config *engine, const struct match_config *config,
                int64_t now_us)
{
    assert(seat->state == SEAT_DOWN);
    if (!usi_player_start(&seat->player, engine->argv, config->stderr_path)) {
        seat->failures++;
        return false;
    }
    seat->state = SEAT_HANDSHAKE;
    seat->profile = NULL;
    seat->wait_until_us = now_us + config->start_ms * 1000;
    return true;
}

static void send_option(struct seat *seat, const char *name, size_t name_bytes, const char *value)
{
    char line[4096];
    int length = *value ? snprintf(line, sizeof line, "setoption name %.*s value %s", (int)name_bytes, name, value)
                        : snprintf(line, sizeof line, "setoption name %.*s", (int)name_bytes, name);
    if (length > 0 && (size_t)length < sizeof line) usi_player_send(&seat->player, line);
}

static void send_number_option(struct seat *seat, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    send_option(seat, name, strlen(name), text);
}

/* GUIs set these without asking. */
static bool is_reserved(const char *name) { return strncasecmp(name, "USI_", 4) == 0; }

static void send_options(struct seat *seat, const struct match_engine_config *engine, const struct match_config *config,
                         bool warn)
{
    const struct usi_dialogue *dialogue = &seat->player.dialogue;
    const struct match_profile *profile = seat->profile;
    for (unsigned i = 0; i < MATCH_PROFILE_OPTIONS_MAX && profile->options[i].name; i++)
        send_option(seat, profile->options[i].name, strlen(profile->options[i].name), profile->options[i].value);
    if (usi_dialogue_declares(dialogue, profile->threads_option))
        send_number_option(seat, profile->threads_option, engine->threads);
    else if (engine->threads > 1 && warn)
        fprintf(stderr, "%s: has no option %s\n", engine->name, profile->threads_option);
    if (engine->hash_mb && profile->hash_option)
        send_number_option(seat, profile->hash_option, engine->hash_mb);
    else if (engine->hash_mb && warn)
        fprintf(stderr, "%s: has no option for its hash size\n", engine->name);
    /* What the referee will do is told to engines that want to know. */
    const char *rule = entering_king_rule_name(config->rules.entering_king);
    if (usi_dialogue_declares(dialogue, "EnteringKingRule")) send_option(seat, "EnteringKingRule", 16, rule);
    if (usi_dialogue_declares(dialogue, "MaxMovesToDraw"))
        send_number_option(seat, "MaxMovesToDraw", config->rules.max_moves);
    for (unsigned i = 0; i < engine->option_count; i++) {
        const char *text = engine->options[i], *equals = strchr(text, '=');
        char name[DIALOGUE_OPTION_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (warn && !usi_dialogue_declares(dialogue, name) && !is_reserved(name))
            fprintf(stderr, "%s: did not declare the option %s; it is sent all the same\n", engine->name, name);
        send_option(seat, text, (size_t)(equals - text), equals + 1);
    }
}

void seat_configure(struct seat *seat, const struct match_engine_config *engine, const struct match_config *config,
                    bool warn, int64_t now_us)
{
    assert(seat->state == SEAT_SETUP);
    send_options(seat, engine, config, warn);
    usi_player_send(&seat->player, "isready");
    usi_dialogue_sent_isready(&seat->player.dialogue);
    seat->wait_until_us = now_us + config->ready_ms * 1000;
}

void seat_invite(struct seat *seat, const struct match_config *config, int64_t now_us)
{
    assert(seat->state == SEAT_IDLE);
    usi_player_send(&seat->player, "usinewgame");
    usi_dialogue_sent_newgame(&seat->player.dialogue);
    usi_player_send(&seat->player, "isready");
    usi_dialogue_sent_isready(&seat->player.dialogue);
    seat->state = SEAT_PINGING;
    seat->wait_until_us = now_us + config->ready_ms * 1000;
}

void seat_think(struct seat *seat, const char *position, const char *go, int64_t think_us, int64_t now_us)
{
    assert(seat->state == SEAT_SEATED);
    seat->state = SEAT_THINKING;
    seat->think_us = think_us;
    seat->go_queued_us = now_us;
    usi_player_send(&seat->player, position);
    usi_player_send_go(&seat->player, go);
}

void seat_stop(struct seat *seat, const struct match_config *config, int64_t now_us)
{
    assert(seat->state == SEAT_THINKING);
    usi_player_send(&seat->player, "stop");
    seat->state = SEAT_STOPPING;
    seat->wait_until_us = now_us + config->hang_ms * 1000;
}

void seat_kill(struct seat *seat)
{
    usi_player_kill(&seat->player);
    seat->state = SEAT_DOWN;
}

int64_t seat_deadline_us(const struct seat *seat, const struct match_config *config)
{
    switch (seat->state) {
    case SEAT_HANDSHAKE:
    case SEAT_SETUP:
    case SEAT_PINGING:
    case SEAT_STOPPING:
        return seat->wait_until_us;
    case SEAT_THINKING:
        /* An engine that does not even read its `go` hangs. */
        if (seat->player.go_queued) return seat->go_queued_us + config->hang_ms * 1000;
        return seat->player.go_written_us + seat->think_us;
    case SEAT_DOWN:
    case SEAT_IDLE:
    case SEAT_SEATED:
        break;
    }
    return INT64_MAX;
}

enum seat_event seat_line(struct seat *seat, const char *line, size_t bytes)
{
    switch (usi_dialogue_line(&seat->player.dialogue, line, bytes)) {
    case DIALOGUE_USIOK:
        seat->profile = match_profile_find(seat->player.dialogue.id_name);
        seat->state = SEAT_SETUP;
        return SEAT_KNOWN;
    case DIALOGUE_READYOK:
        if (seat->state == SEAT_PINGING) {
            seat->state = SEAT_SEATED;
            seat->failures = 0;
            return SEAT_READY;
        }
        seat->state = SEAT_IDLE;
        return SEAT_AT_REST;
    case DIALOGUE_BESTMOVE:
        if (seat->state == SEAT_THINKING) {
            seat->state = SEAT_SEATED;
            return SEAT_ANSWERED;
        }
        seat->state = SEAT_IDLE;
        return SEAT_AT_REST;
    case DIALOGUE_NOTHING:
        break;
    }
    return SEAT_NOTHING;
}

int64_t seat_answer_us(const struct seat *seat)
{
    const struct usi_player *player = &seat->player;
    /* It may answer before it has read all of `go`. */
    return player->go_queued || player->read_us < player->go_written_us ? 0 : player->read_us - player->go_written_us;
}

void seat_tell_faults(struct seat *seat, uint32_t faults[DIALOGUE_FAULT_COUNT])
{
    for (unsigned i = 0; i < DIALOGUE_FAULT_COUNT; i++) {
        faults[i] += seat->player.dialogue.faults[i] - seat->faults_told[i];
        seat->faults_told[i] = seat->player.dialogue.faults[i];
    }
}
