/* store_writer.h - the thread that writes for the running farm: all that waits goes into one transaction.
 *
 * Threads: put, committed, error, free by the owner of the store; the writer has its own connection. After a failure
 * nothing is written or acknowledged any more.
 */
#ifndef MURAKUMO_STORE_STORE_WRITER_H
#define MURAKUMO_STORE_STORE_WRITER_H

#include "coordinator/store/store.h"

struct store_writer;

struct store_writer *store_writer_new(const char *path, int flags, char why[STORE_WHY_BYTES]);
void store_writer_free(struct store_writer *writer); /* writes what waits; NULL is allowed */
uint64_t store_writer_put_task(struct store_writer *writer, const struct store_task *task);
uint64_t store_writer_put_game(struct store_writer *writer, int64_t job, int64_t seq, const struct store_row *rows,
                               size_t count);
uint64_t store_writer_put_live(struct store_writer *writer, struct text json);
uint64_t store_writer_committed(struct store_writer *writer); /* empties the descriptor */
int store_writer_fd(const struct store_writer *writer);
const char *store_writer_error(struct store_writer *writer); /* "" = none; NULL writer: "" */

#endif
