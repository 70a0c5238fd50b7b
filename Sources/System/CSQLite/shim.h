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

/// The first words of the index of a connection's write-ahead log (https://sqlite.org/walformat.html, 2.1), as they lie
/// in the memory that all connections share: the header twice, then the count of frames that are copied.
static inline int waymark_sqlite_log_index(sqlite3 *database, unsigned int words[25]) {
    sqlite3_file *file = 0;
    void volatile *region = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    code = file->pMethods->xShmMap(file, 0, 32768, 0, &region);
    if (code != SQLITE_OK) return code;
    if (region == 0) return SQLITE_IOERR_SHMMAP;
    for (int i = 0; i < 25; i++) words[i] = ((volatile unsigned int *)region)[i];
    file->pMethods->xShmBarrier(file);
    return SQLITE_OK;
}

/// Reads from a connection's database file, or from its write-ahead log. A descriptor of one's own would not do:
/// closing it would give up the locks that SQLite has on the file.
static inline int waymark_sqlite_read(
    sqlite3 *database, int log, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(
        database, "main", log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (file == 0 || file->pMethods == 0) return SQLITE_IOERR_READ;
    code = file->pMethods->xRead(file, bytes, count, offset);
    // Behind the end of the database file there are zeros.
    return code == SQLITE_IOERR_SHORT_READ && !log ? SQLITE_OK : code;
}

#endif
