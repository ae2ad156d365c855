/* door_client.h - the other side of door.h: finds the running coordinators of this user and talks to them.
 *
 * Every call is bounded by timeout_ms for each coordinator that does not answer (a stopped process).
 */
#ifndef MURAKUMO_COORDINATOR_DOOR_CLIENT_H
#define MURAKUMO_COORDINATOR_DOOR_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

enum { DOOR_CLIENT_DOORS_MAX = 64, DOOR_CLIENT_PATH_BYTES = 80, DOOR_CLIENT_WHY_BYTES = 200 };

/* Paths of the doors of this user that somebody listens behind; returns how many. */
size_t door_client_list(char paths[DOOR_CLIENT_DOORS_MAX][DOOR_CLIENT_PATH_BYTES]);
/* The status line, 0-terminated, to be freed by the caller; NULL: no answer in time. */
char *door_client_status(const char *path, int timeout_ms, size_t *length);
/* Becomes the front end of the first daemon that takes one: a connected, non-blocking descriptor. -1: why[], and
 * *busy: a daemon is there, but has a front end. */
int door_client_attach(int timeout_ms, char why[DOOR_CLIENT_WHY_BYTES], bool *busy);

#endif
