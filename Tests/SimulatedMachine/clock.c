// Time and chance: all that a program can ask a clock, or the system for something that can't be foreseen.
#include "world.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// The day on which each world begins: 2026-01-01, in seconds since 1970.
static const int64_t first_day = 1767225600;
// What it costs to look at a clock: who looks until it has gone on must come to an end.
static const uint64_t look_time = 200;

static void raw_clock(clockid_t clock, struct timespec *time) { syscall(SYS_clock_gettime, clock, time); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!in_world()) return raw_clock(clock, time), 0;
    int64_t now = (int64_t)(world->now += look_time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) {
        const struct machine *machine = &world->machines[world->processes[this_process].machine];
        now += first_day * (int64_t)SECOND + machine->clock_offset + now / 1000000 * machine->clock_drift;
    }
    *time = (struct timespec){now / (int64_t)SECOND, now % (int64_t)SECOND};
    return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

static uint64_t nanoseconds(const struct timespec *time) {
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    if (!in_world()) return (int)syscall(SYS_nanosleep, time, left);
    wait_for(0, world->now + nanoseconds(time));
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    if (!in_world()) return (int)syscall(SYS_clock_nanosleep, clock, flags, time, left);
    uint64_t end = nanoseconds(time);
    if (flags & TIMER_ABSTIME) {
        struct timespec now;
        clock_gettime(clock, &now);
        uint64_t past = nanoseconds(&now);
        end = end > past ? end - past : 0;
    }
    wait_for(0, world->now + end);
    return 0;
}

int usleep(useconds_t microseconds) {
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

unsigned int sleep(unsigned int seconds) {
    struct timespec time = {seconds, 0};
    nanosleep(&time, NULL);
    return 0;
}

int sched_yield(void) {
    if (in_world()) give_way();
    else syscall(SYS_sched_yield);
    return 0;
}

// MARK: chance

static void fill(void *bytes, size_t count) {
    uint64_t *chance = &world->processes[this_process].chance;
    for (size_t at = 0; at < count; at += 8) {
        uint64_t drawn = draw(chance);
        memcpy((char *)bytes + at, &drawn, count - at < 8 ? count - at : 8);
    }
}

ssize_t getrandom(void *bytes, size_t count, unsigned int flags) {
    if (!in_world()) return syscall(SYS_getrandom, bytes, count, flags);
    fill(bytes, count);
    return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) { return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : -1; }

// MARK: the machine's own

int sched_getcpu(void) { return 0; }

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    if (!in_world()) return (int)syscall(SYS_sched_getaffinity, process, size, set) < 0 ? -1 : 0;
    memset(set, 0, size);
    CPU_SET_S(0, size, set);
    CPU_SET_S(1, size, set);
    return 0;
}
