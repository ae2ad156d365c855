#include "common/base/fixed.h"

#include <assert.h>
#include <string.h>

void id_table_init(struct id_table *table, struct id_entry *entries, uint32_t capacity)
{
    assert(capacity > 0);
    *table = (struct id_table){.entries = entries, .capacity = capacity};
    memset(entries, 0, capacity * sizeof *entries);
}

/* Where the id would stand if there were no others. */
static uint32_t home_of(const struct id_table *table, uint64_t id)
{
    uint64_t mixed = id * 0x9e3779b97f4a7c15u; /* golden ratio: neighbouring ids land far apart */
    return (uint32_t)(((mixed >> 32) * table->capacity) >> 32);
}

static uint32_t next_of(const struct id_table *table, uint32_t index)
{
    return index + 1 == table->capacity ? 0 : index + 1;
}

/* Index of the id's entry or of the free one where it belongs; `capacity` if the table is full and the id is not there.
 */
static uint32_t locate(const struct id_table *table, uint64_t id)
{
    uint32_t index = home_of(table, id);
    for (uint32_t seen = 0; seen < table->capacity; seen++) {
        const struct id_entry *entry = &table->entries[index];
        if (!entry->used || entry->id == id) return index;
        index = next_of(table, index);
    }
    return table->capacity;
}

bool id_table_find(const struct id_table *table, uint64_t id, uint32_t *slot)
{
    uint32_t index = locate(table, id);
    if (index == table->capacity || !table->entries[index].used) return false;
    *slot = table->entries[index].slot;
    return true;
}

enum status id_table_add(struct id_table *table, uint64_t id, uint32_t slot)
{
    uint32_t index = locate(table, id);
    if (index == table->capacity) return ST_FULL;
    if (table->entries[index].used) return ST_DUPLICATE;
    table->entries[index] = (struct id_entry){.id = id, .slot = slot, .used = true};
    table->count++;
    return ST_OK;
}

/* Steps from `from` forward to `to`, around the end. */
static uint32_t distance(const struct id_table *table, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + (table->capacity - from);
}

bool id_table_remove(struct id_table *table, uint64_t id)
{
    uint32_t hole = locate(table, id);
    if (hole == table->capacity || !table->entries[hole].used) return false;
    table->entries[hole].used = false;
    table->count--;
    /* Entries behind the hole move up when the hole lies on their way from home, or they could not be found again. */
    for (uint32_t index = next_of(table, hole); table->entries[index].used; index = next_of(table, index)) {
        uint32_t home = home_of(table, table->entries[index].id);
        if (distance(table, home, index) < distance(table, hole, index)) continue;
        table->entries[hole] = table->entries[index];
        table->entries[index].used = false;
        hole = index;
    }
    return true;
}
