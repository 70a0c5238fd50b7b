// Stands between a service and the libraries it calls (LD_PRELOAD), and kills the service's process with SIGKILL just
// before or just after what the plan in the file WAYMARK_KILL_PLAN names. Without that variable, and while nothing is
// planned for the program it is in, it only passes calls on.
//
//     service → sqlite3_step (here) → sqlite3_step (libsqlite3)
//                    │ before                       │ after
//                    └── is this the moment? ───────┘ → SIGKILL
#define _GNU_SOURCE
#include "kill_plan.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct kill_plan *plan;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("WAYMARK_KILL_PLAN");
    if (path) plan = kill_plan_open(path);
}

// The next definition of a name behind this one, looked up once.
#define NEXT(name) \
    ({ \
        static _Atomic(void *) found; \
        void *it = atomic_load_explicit(&found, memory_order_acquire); \
        if (!it) atomic_store_explicit(&found, it = dlsym(RTLD_NEXT, name), memory_order_release); \
        it; \
    })

// What is planned for this process at such an event; null nearly always.
static const struct kill_moment *planned(enum kill_event event) {
    const struct kill_moment *moment = plan ? kill_plan_moment(plan, program_invocation_short_name) : NULL;
    return moment && moment->event == (uint32_t)event ? moment : NULL;
}

// Ends this process, unless another thread does already.
static void die(void) {
    if (!kill_plan_claim(plan, getpid())) return;
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// To be called before an event that fits. True when the process has to die after it, by `die`.
static bool counted(const struct kill_moment *moment) {
    bool is_after = moment->is_after;
    if (!kill_plan_count(plan)) return false;
    if (!is_after) die();
    return is_after;
}

// MARK: commits

enum { SQLITE_DONE = 101 };

// Whether the thread's open transaction has run a statement that fits. A connection stays on its thread.
static _Thread_local bool is_marked;

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

// Looks at a statement that is about to run. True when it is the commit after which the process has to die.
static bool look(const char *sql) {
    const struct kill_moment *moment = planned(KILL_AT_COMMIT);
    if (!moment || !sql) return is_marked = false;
    if (begins_with(sql, "COMMIT")) {
        bool is_meant = is_marked && counted(moment);
        is_marked = false;
        return is_meant;
    }
    // What was done may have been undone; then this commit is not the one.
    if (begins_with(sql, "ROLLBACK")) return is_marked = false;
    if (strstr(sql, moment->text)) is_marked = true;
    return false;
}

int sqlite3_step(void *statement) {
    int (*step)(void *) = NEXT("sqlite3_step");
    if (!plan || kill_plan_state(plan) != KILL_ARMED) return step(statement);
    const char *(*text)(void *) = NEXT("sqlite3_sql");
    bool is_last = look(text(statement));
    int code = step(statement);
    if (is_last && code == SQLITE_DONE) die();
    return code;
}

// MARK: commits at a PostgreSQL server

// A statement runs by the name under which its connection has prepared it. What is sent in one go with COMMIT is lost
// with it when the process dies before; after it is when the server has said that it is done.

enum { MAXIMUM_PREPARED = 512 };

// The statements of the thread's connection; a new one begins with the first name again.
static _Thread_local struct {
    char name[24];
    char *text;
} prepared[MAXIMUM_PREPARED];
static _Thread_local unsigned next_prepared;
static _Thread_local bool dies_at_commit;

static void remember(const char *name, const char *text) {
    unsigned at = 0;
    while (at < MAXIMUM_PREPARED && strcmp(prepared[at].name, name) != 0) at++;
    if (at == MAXIMUM_PREPARED) at = next_prepared++ % MAXIMUM_PREPARED;
    free(prepared[at].text);
    prepared[at].text = strdup(text);
    snprintf(prepared[at].name, sizeof prepared[at].name, "%s", name);
}

static const char *text_of(const char *name) {
    for (unsigned at = 0; at < MAXIMUM_PREPARED; at++)
        if (prepared[at].text && strcmp(prepared[at].name, name) == 0) return prepared[at].text;
    return NULL;
}

// Looks at what is sent to a server.
static void look_at_server(const char *sql) {
    if (plan && kill_plan_state(plan) == KILL_ARMED) dies_at_commit |= look(sql);
}

int PQsendPrepare(void *connection, const char *name, const char *sql, int count, const unsigned *types) {
    int (*next)(void *, const char *, const char *, int, const unsigned *) = NEXT("PQsendPrepare");
    if (plan) remember(name, sql);
    return next(connection, name, sql, count, types);
}

int PQsendQueryPrepared(
    void *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats,
    int format) {
    int (*next)(void *, const char *, int, const char *const *, const int *, const int *, int) =
        NEXT("PQsendQueryPrepared");
    if (plan) look_at_server(text_of(name));
    return next(connection, name, count, values, lengths, formats, format);
}

int PQsendQuery(void *connection, const char *sql) {
    int (*next)(void *, const char *) = NEXT("PQsendQuery");
    look_at_server(sql);
    return next(connection, sql);
}

int PQsendQueryParams(
    void *connection, const char *sql, int count, const unsigned *types, const char *const *values, const int *lengths,
    const int *formats, int format) {
    int (*next)(
        void *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int) =
        NEXT("PQsendQueryParams");
    look_at_server(sql);
    return next(connection, sql, count, types, values, lengths, formats, format);
}

void *PQgetResult(void *connection) {
    void *(*next)(void *) = NEXT("PQgetResult");
    void *result = next(connection);
    if (!dies_at_commit || !result) return result;
    const char *(*tag)(void *) = NEXT("PQcmdStatus");
    if (strcmp(tag(result), "COMMIT") == 0) die();
    return result;
}

// MARK: files

// Whether a path contains the moment's text; one that is not absolute counts from the folder.
static bool path_fits(const struct kill_moment *moment, int folder, const char *path) {
    char whole[2 * PATH_MAX], link[64];
    if (path[0] == '/') return strstr(path, moment->text);
    if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, whole, PATH_MAX);
    if (length < 0) return false;
    snprintf(whole + length, sizeof whole - (size_t)length, "/%s", path);
    return strstr(whole, moment->text);
}

// Looks at a file that is about to come or go. True when the process has to die after that.
static bool look_at_file(enum kill_event event, int folder, const char *path) {
    int error = errno;
    const struct kill_moment *moment = planned(event);
    bool is_last = moment && path_fits(moment, folder, path) && counted(moment);
    errno = error;
    return is_last;
}

// Gives an event's result, if it may.
static int ended(bool is_last, int result) {
    if (is_last && result == 0) die();
    return result;
}

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *) = NEXT("rename");
    bool is_last = look_at_file(KILL_AT_RENAME, AT_FDCWD, to);
    return ended(is_last, next(from, to));
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    int (*next)(int, const char *, int, const char *) = NEXT("renameat");
    bool is_last = look_at_file(KILL_AT_RENAME, to_folder, to);
    return ended(is_last, next(from_folder, from, to_folder, to));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
    int (*next)(int, const char *, int, const char *, unsigned int) = NEXT("renameat2");
    bool is_last = look_at_file(KILL_AT_RENAME, to_folder, to);
    return ended(is_last, next(from_folder, from, to_folder, to, flags));
}

int unlink(const char *path) {
    int (*next)(const char *) = NEXT("unlink");
    bool is_last = look_at_file(KILL_AT_UNLINK, AT_FDCWD, path);
    return ended(is_last, next(path));
}

int unlinkat(int folder, const char *path, int flags) {
    int (*next)(int, const char *, int) = NEXT("unlinkat");
    bool is_last = look_at_file(KILL_AT_UNLINK, folder, path);
    return ended(is_last, next(folder, path, flags));
}

// MARK: sockets

static bool contains(const void *bytes, size_t count, const char *text) {
    return memmem(bytes, count, text, strlen(text));
}

// Gives how much was sent; a part that was taken is on its way as well.
static ssize_t sent(bool is_last, ssize_t count) {
    if (is_last && count > 0) die();
    return count;
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    ssize_t (*next)(int, const void *, size_t, int) = NEXT("send");
    const struct kill_moment *moment = planned(KILL_AT_SEND);
    bool is_last = moment && contains(bytes, count, moment->text) && counted(moment);
    return sent(is_last, next(socket, bytes, count, flags));
}

// A program with an HTTP server has a send() of its own, which ends here.
ssize_t sendto(int socket, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t size) {
    ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *, socklen_t) = NEXT("sendto");
    const struct kill_moment *moment = planned(KILL_AT_SEND);
    bool is_last = moment && contains(bytes, count, moment->text) && counted(moment);
    return sent(is_last, next(socket, bytes, count, flags, to, size));
}

// Long messages go out like this, in pieces. The text is looked for in each of them.
ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    ssize_t (*next)(int, const struct msghdr *, int) = NEXT("sendmsg");
    const struct kill_moment *moment = planned(KILL_AT_SEND);
    bool fits = false;
    for (size_t i = 0; moment && !fits && i < message->msg_iovlen; i++)
        fits = contains(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len, moment->text);
    bool is_last = fits && counted(moment);
    return sent(is_last, next(socket, message, flags));
}
