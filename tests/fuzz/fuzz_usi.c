/* fuzz_usi.c - bytes from a GUI: cutting into lines, parsing, options, the `position` command. */
#include "coordinator/core/board.h"
#include "coordinator/usi/lines.h"
#include "coordinator/usi/options.h"
#include "coordinator/usi/usi.h"

#include <assert.h>
#include <string.h>

static bool inside(struct wire_str text, const char *line, size_t length)
{
    return text.length == 0 || (text.bytes >= line && text.bytes + text.length <= line + length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char buffer[512];
    static struct board board;
    struct usi_lines lines;
    struct usi_line line;
    struct options options;
    usi_lines_init(&lines, buffer, sizeof buffer);
    options_init(&options, 1, 1);
    size_t at = 0;
    while (at < size) {
        size_t taken = usi_lines_push(&lines, (const char *)data + at, size - at);
        bool any = false;
        at += taken;
        while (usi_lines_next(&lines, &line)) {
            any = true;
            struct usi_command command;
            usi_parse(&command, line.bytes, line.length);
            assert(inside(command.word, line.bytes, line.length));
            if (command.type == USI_GO) assert(inside(command.go.searchmoves, line.bytes, line.length));
            if (command.type == USI_SETOPTION) {
                enum option_id id;
                char why[256];
                assert(inside(command.option.name, line.bytes, line.length) &&
                       inside(command.option.value, line.bytes, line.length));
                if (options_find(command.option.name, &id)) {
                    enum status status = options_set(&options, id, command.option.value, why, sizeof why);
                    assert(status == ST_OK || strlen(why) > 0);
                }
            }
            if (command.type == USI_POSITION) {
                char why[BOARD_WHY_BYTES];
                enum status status = board_set(&board, command.position.sfen, command.position.moves, why);
                assert((status == ST_OK) == board.valid && (status == ST_OK || strlen(why) > 0));
            }
        }
        assert(taken > 0 || any);
    }
    return 0;
}
