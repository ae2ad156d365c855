/* fuzz_unpack.c - any bytes as a packed file: never more than the limit comes out, whatever is promised inside; and any
 * bytes as a MANIFEST.tsv. */
#include "coordinator/cli/archive_manifest.h"
#include "coordinator/cli/unpack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void manifest(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    assert(text);
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    bool no_table;
    struct archive_manifest *table = archive_manifest_new("folder", text, size, &no_table);
    assert(table || no_table);
    for (size_t i = 0; table && i < table->row_count; i++) {
        assert(table->rows[i].file[0] && strlen(table->rows[i].licence) <= size);
        char path[64] = "folder/";
        if (strlen(table->rows[i].file) >= sizeof path - 8) continue;
        strcat(path, table->rows[i].file);
        assert(archive_manifest_find(table, path));
    }
    archive_manifest_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_buffer out;
    text_buffer_init(&out, LIMIT);
    enum status st = unpack(data, size, &out);
    assert(out.length <= LIMIT && out.capacity <= 2 * LIMIT);
    assert(st == ST_OK || st == ST_TRUNCATED || st == ST_SYNTAX || st == ST_TOO_BIG);
    text_buffer_free(&out);
    manifest(data, size);
    return 0;
}
