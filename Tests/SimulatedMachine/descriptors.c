// The descriptors of a process that belong to the world. Each has a number of the system too, so that no other gets it.
#include "world.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>
#include <limits.h>
#include <linux/sockios.h>

enum { descriptor_limit = 65536 };
// The object of each, and one more; 0: none of the world's.
static int objects[descriptor_limit];

int object_of(int descriptor) {
    if (descriptor < 0 || descriptor >= descriptor_limit) return -1;
    return objects[descriptor] - 1;
}

int give_descriptor(int object, bool closes_on_exec) {
    int flags = O_RDONLY | (closes_on_exec ? O_CLOEXEC : 0);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", flags, 0);
    if (descriptor < 0 || descriptor >= descriptor_limit) {
        release(object);
        errno = EMFILE;
        return -1;
    }
    objects[descriptor] = object + 1;
    return descriptor;
}

void forget_descriptor(int descriptor) {
    int object = object_of(descriptor);
    if (object < 0) return;
    objects[descriptor] = 0;
    release(object);
}

int close(int descriptor) {
    if (in_world()) forget_descriptor(descriptor);
    return (int)syscall(SYS_close, descriptor);
}

int dup(int descriptor) {
    int copy = (int)syscall(SYS_dup, descriptor);
    int object = in_world() ? object_of(descriptor) : -1;
    if (object >= 0 && copy >= 0) {
        objects[copy] = object + 1;
        world->objects[object].copies++;
    }
    return copy;
}

static int control(int descriptor, int command, long argument) {
    int object = in_world() ? object_of(descriptor) : -1;
    if (object >= 0 && command == F_SETFL) {
        world->objects[object].is_blocking = !(argument & O_NONBLOCK);
        return 0;
    }
    if (object >= 0 && command == F_GETFL) return O_RDWR | (world->objects[object].is_blocking ? 0 : O_NONBLOCK);
    int result = (int)syscall(SYS_fcntl, descriptor, command, argument);
    if (object >= 0 && result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {
        objects[result] = object + 1;
        world->objects[object].copies++;
    }
    return result;
}

int fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    return control(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    return control(descriptor, command, argument);
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    int object = in_world() ? object_of(descriptor) : -1;
    if (object < 0) return (int)syscall(SYS_ioctl, descriptor, request, argument);
    struct object *own = &world->objects[object];
    switch (request) {
    case FIONBIO: own->is_blocking = !*(int *)argument; return 0;
    case FIONREAD: *(int *)argument = (int)own->unread; return 0;
    case SIOCOUTQ: *(int *)argument = own->peer >= 0 ? (int)world->objects[own->peer].on_way : 0; return 0;
    default: return errno = ENOTTY, -1;
    }
}

// MARK: counters, pipes, and what is never ready

int eventfd(unsigned int count, int flags) {
    if (!in_world()) return (int)syscall(SYS_eventfd2, count, flags);
    int object = new_object(object_event);
    world->objects[object].count = count;
    world->objects[object].is_blocking = !(flags & EFD_NONBLOCK);
    return give_descriptor(object, flags & EFD_CLOEXEC);
}

int timerfd_create(int clock, int flags) {
    if (!in_world()) return (int)syscall(SYS_timerfd_create, clock, flags);
    int object = new_object(object_timer);
    world->objects[object].is_blocking = !(flags & TFD_NONBLOCK);
    return give_descriptor(object, flags & TFD_CLOEXEC);
}

static uint64_t nanoseconds(const struct timespec *time) {
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

// Clocks of day are not asked for: all are the world's.
int timerfd_settime(int descriptor, int flags, const struct itimerspec *time, struct itimerspec *before) {
    int object = in_world() ? object_of(descriptor) : -1;
    if (object < 0) return (int)syscall(SYS_timerfd_settime, descriptor, flags, time, before);
    struct object *own = &world->objects[object];
    if (before) memset(before, 0, sizeof *before);
    own->settings++;
    own->count = 0;
    own->interval = nanoseconds(&time->it_interval);
    uint64_t wait = nanoseconds(&time->it_value);
    own->expires = !wait ? 0 : flags & TFD_TIMER_ABSTIME ? wait : world->now + wait;
    if (own->expires) schedule_event(own->expires, event_timer, object, own->settings);
    return 0;
}

int inotify_init1(int flags) {
    if (!in_world()) return (int)syscall(SYS_inotify_init1, flags);
    int object = new_object(object_silent);
    world->objects[object].is_blocking = !(flags & IN_NONBLOCK);
    return give_descriptor(object, flags & IN_CLOEXEC);
}

int inotify_add_watch(int descriptor, const char *path, uint32_t mask) {
    if (in_world() && object_of(descriptor) >= 0) return 1;
    return (int)syscall(SYS_inotify_add_watch, descriptor, path, mask);
}

int pipe2(int ends[2], int flags) {
    if (!in_world()) return (int)syscall(SYS_pipe2, ends, flags);
    int objects[2] = {new_object(object_stream), 0};
    objects[1] = new_object(object_stream);
    for (int at = 0; at < 2; at++) {
        struct object *own = &world->objects[objects[at]];
        own->state = stream_open;
        own->peer = objects[1 - at];
        own->local_machine = own->peer_machine = own->machine;
        own->is_blocking = !(flags & O_NONBLOCK);
        ends[at] = give_descriptor(objects[at], flags & O_CLOEXEC);
    }
    return 0;
}

int pipe(int ends[2]) { return pipe2(ends, 0); }

// MARK: read and write

ssize_t receive(int object, void *bytes, size_t count, bool stays, bool may_wait);
ssize_t transmit(int object, const struct iovec *pieces, int count, bool may_wait);

static ssize_t read_object(int object, void *bytes, size_t count) {
    struct object *own = &world->objects[object];
    if (own->kind == object_event || own->kind == object_timer) {
        while (!own->count) {
            if (!own->is_blocking) return errno = EAGAIN, -1;
            wait_for(key_of_object(object), NEVER);
        }
        memcpy(bytes, &own->count, sizeof own->count);
        own->count = 0;
        return sizeof own->count;
    }
    if (own->kind == object_stream) return receive(object, bytes, count, false, own->is_blocking);
    return errno = EAGAIN, -1;
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    int object = in_world() ? object_of(descriptor) : -1;
    if (object >= 0) return read_object(object, bytes, count);
    return syscall(SYS_read, descriptor, bytes, count);
}

ssize_t write_file(int descriptor, const void *bytes, size_t count);

ssize_t write(int descriptor, const void *bytes, size_t count) {
    int object = in_world() ? object_of(descriptor) : -1;
    if (object < 0) return in_world() ? write_file(descriptor, bytes, count)
                                      : syscall(SYS_write, descriptor, bytes, count);
    struct object *own = &world->objects[object];
    if (own->kind == object_event) {
        uint64_t added = 0;
        memcpy(&added, bytes, count < sizeof added ? count : sizeof added);
        own->count += added;
        changed_edge(object, true, false);
        maybe_give_way();
        return sizeof added;
    }
    struct iovec piece = {(void *)bytes, count};
    return transmit(object, &piece, 1, own->is_blocking);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    int object = in_world() ? object_of(descriptor) : -1;
    if (object < 0) return syscall(SYS_writev, descriptor, pieces, count);
    return transmit(object, pieces, count, world->objects[object].is_blocking);
}
