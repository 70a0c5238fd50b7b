// What Swift's Glibc module leaves out. No _GNU_SOURCE here: it would change types that the Glibc module has already.
#ifndef WAYMARK_CLINUX_H
#define WAYMARK_CLINUX_H
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

// Declared only under _GNU_SOURCE.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int ends[2], int flags);
int sched_getcpu(void);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
ssize_t preadv2(int descriptor, const struct iovec *parts, int count, off_t start, int flags);

// prctl is variadic, which does not reach Swift.
static inline int waymark_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Brings what was written to the file system of a descriptor to its disk. The C library declares syncfs under
// _GNU_SOURCE alone.
static inline int waymark_sync_disk(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

// Has a part of a file written to its disk, and waits for that; 7 is SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE and
// _WAIT_AFTER, which are declared under _GNU_SOURCE alone, as the call is.
int sync_file_range(int descriptor, off_t start, off_t count, unsigned int flags);
static inline int waymark_write_back(int descriptor, off_t start, off_t count) {
    return sync_file_range(descriptor, start, count, 7);
}

// How many processors the calling thread may run on. The C library's own counts are declared under _GNU_SOURCE alone.
static inline int waymark_usable_processors(void) {
    unsigned long masks[128] = {0};
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof masks, masks);
    int count = 0;
    for (long i = 0; i < bytes / (long)sizeof *masks; i++) count += __builtin_popcountl(masks[i]);
    return count;
}

// Its header would bring types along that the Glibc module has already.
int ioctl(int descriptor, unsigned long request, ...);

// Bytes that were written to a socket of TCP and not acknowledged by the other side; 0 when it is unknown. 0x5411
// is SIOCOUTQ.
static inline int waymark_unacknowledged_bytes(int socket) {
    int count = 0;
    return ioctl(socket, 0x5411, &count) == 0 ? count : 0;
}

// Whether a socket of TCP goes to this machine by its loopback addresses.
static inline _Bool waymark_is_loopback(int socket) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } peer = {{0}};
    socklen_t length = sizeof peer;
    if (getpeername(socket, &peer.any, &length) != 0) return 0;
    if (peer.any.sa_family == AF_INET) return ntohl(peer.v4.sin_addr.s_addr) >> 24 == 127;
    if (peer.any.sa_family != AF_INET6) return 0;
    const struct in6_addr *address = &peer.v6.sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(address) || (IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127);
}

// Whether the last bytes that came on a socket came on the processor that the caller runs on. Loopback hands bytes over
// on the sender's.
static inline _Bool waymark_came_on_this_processor(int socket) {
    int processor = -1;
    socklen_t length = sizeof processor;
    return getsockopt(socket, SOL_SOCKET, SO_INCOMING_CPU, &processor, &length) == 0 && processor == sched_getcpu();
}

// Asks for a signal when the parent ends, however it ends.
static inline int waymark_die_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

// Microseconds that the calling thread has run, by itself and in the kernel; 1 is RUSAGE_THREAD. Swift may see a
// timeval in two modules at once, and can't read it then.
static inline void waymark_thread_time(unsigned long *user, unsigned long *kernel) {
    struct rusage usage;
    getrusage(1, &usage);
    *user = usage.ru_utime.tv_sec * 1000000UL + usage.ru_utime.tv_usec;
    *kernel = usage.ru_stime.tv_sec * 1000000UL + usage.ru_stime.tv_usec;
}

// Reads what the kernel has in memory, and fails where it would have to wait for a disk; 8 is RWF_NOWAIT.
static inline ssize_t waymark_read_from_memory(int descriptor, void *target, size_t count, off_t start) {
    struct iovec part = {target, count};
    return preadv2(descriptor, &part, 1, start, 8);
}

// A timer of the kernel's that can be read when it is due.
static inline int waymark_open_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

// Sets it to a moment of the monotonic clock.
static inline int waymark_set_timer(int timer, unsigned long nanoseconds) {
    struct itimerspec setting = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, 0);
}

// Opens what lies beneath a folder; neither a symbolic link nor ".." leads out of it. glibc has no name for the call.
static inline int waymark_open_beneath(int folder, const char *path, int flags) {
    struct open_how how = {
        .flags = (unsigned int)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
#endif
