/* fuzz_conf.c - configuration files and key files from strangers: never a crash, a hang or a half-changed value. */
#include "common/base/conf.h"
#include "common/net/keys.h"

#include <assert.h>
#include <string.h>

struct values {
    bool flag;
    int64_t number;
    char text[16], list[64];
};

static const struct conf_key keys[] = {
    CONF_FLAG_KEY(struct values, flag, "flag", "a flag"),
    CONF_NUMBER_KEY(struct values, number, "number", -1000, 1000000, "ms", "a number"),
    CONF_TEXT_KEY(struct values, text, "text", "TEXT", "a text"),
    CONF_LIST_KEY(struct values, list, "list", "ITEM", "a list"),
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct values values = {0};
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &values};
    char why[CONF_WHY_BYTES] = "";
    const char *text = (const char *)data;
    enum status st = conf_read(&table, text ? text : "", size, "fuzz.conf", why);
    assert(st == ST_OK || why[0]);
    assert(values.number >= -1000 && values.number <= 1000000);
    assert(memchr(values.text, 0, sizeof values.text) && memchr(values.list, 0, sizeof values.list));

    struct key_pair key;
    if (key_parse(text ? text : "", size, &key) == ST_OK) {
        uint8_t bytes[KEY_BYTES];
        assert(key_name_is_good(key.name) && key_from_z85(key.public_z85, bytes));
    }
    return 0;
}
