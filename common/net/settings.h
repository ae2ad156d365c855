/* settings.h - fills a table of settings (common/base/conf.h) from the world: file, environment, command line.
 *
 * Later sources win: default < file named by --config < environment MURAKUMO_NAME < command line.
 */
#ifndef MURAKUMO_NET_SETTINGS_H
#define MURAKUMO_NET_SETTINGS_H

#include "common/base/conf.h"

/* If the table has a TEXT key "config", the file that the command line or MURAKUMO_CONFIG names is read. What is left
 * of arguments[] moves to its front. why: one line for people. */
MUST_USE enum status settings_load(const struct conf_table *table, char **arguments, int *count,
                                   char why[CONF_WHY_BYTES]);

/* A whole file into memory that the caller frees; *bytes = its length, and a 0 stands behind. NULL: why. */
char *settings_read_file(const char *path, size_t bytes_max, size_t *bytes, char why[CONF_WHY_BYTES]);
/* The same from an open descriptor (stdin, say), which stays open; `name` is for messages. */
char *settings_read_descriptor(int fd, const char *name, size_t bytes_max, size_t *bytes, char why[CONF_WHY_BYTES]);

#endif
