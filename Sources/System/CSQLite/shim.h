#ifndef WAYMARK_CSQLITE_SHIM_H
#define WAYMARK_CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift can call neither C variadics nor macros that cast, so these few stand in for them.

/// Stops SQLite's process-wide allocation statistics, whose lock every allocation of every connection would take.
/// Only before the first connection.
static inline int waymark_sqlite_disable_allocation_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Turns a yes-or-no SQLITE_DBCONFIG_* option of a connection on or off.
static inline int waymark_sqlite_set_option(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}

/// Binds text that SQLite copies.
static inline int waymark_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies. `bytes` may be null when `count` is 0; the value is then an empty blob, not NULL.
static inline int waymark_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
