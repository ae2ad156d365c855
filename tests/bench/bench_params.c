/* bench_params.c - see bench_params.h. */
#include "tests/bench/bench_params.h"

#include <stddef.h>
#include <string.h>

#include "tests/bench/bench.h"

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define FIELD(name, value) {#name, offsetof(struct search_params, name)},
    SEARCH_PARAMS(FIELD)
#undef FIELD
};

bool bench_param_set(struct search_params *params, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals) return false;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strlen(fields[i].name) == (size_t)(equals - text) &&
            strncmp(fields[i].name, text, (size_t)(equals - text)) == 0) {
            int value = (int)bench_number(text, equals + 1, -1000000, 1000000);
            memcpy((char *)params + fields[i].offset, &value, sizeof value);
            return true;
        }
    return false;
}

void bench_param_names(FILE *out)
{
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) fprintf(out, " %s", fields[k].name);
}
