/* migrations.h - how the tables came to be what they are, step by step. */
#ifndef MURAKUMO_STORE_MIGRATIONS_H
#define MURAKUMO_STORE_MIGRATIONS_H

extern const char *const store_migrations[]; /* SQL; number n brings user_version from n to n + 1 */
extern const int store_migration_count;

#endif
