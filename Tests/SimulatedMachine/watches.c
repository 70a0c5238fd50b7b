// Waiting for many objects at once: epoll and poll.
#include "world.h"

#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

// Threads in poll wait for this: they look again at whatever changes.
static const uint64_t key_of_poll = UINT64_MAX - 1;

static bool is_ready(int watch, uint32_t *events);

static bool epoll_is_ready(int epoll) {
    uint32_t events;
    for (int at = world->objects[epoll].watched; at >= 0; at = world->watches[at].next_of_epoll)
        if (is_ready(at, &events)) return true;
    return false;
}

static void notify(int number) {
    struct object *object = &world->objects[number];
    wake(object->process, key_of_object(number), INT_MAX);
    for (int at = object->watchers; at >= 0; at = world->watches[at].next_of_object) {
        struct watch *watch = &world->watches[at];
        if (watch->object == number) notify(watch->epoll);
    }
}

void changed_edge(int number, bool reads, bool writes) {
    world->objects[number].reads += reads;
    world->objects[number].writes += writes;
    notify(number);
    wake(world->objects[number].process, key_of_poll, INT_MAX);
}

static bool is_ready(int at, uint32_t *events) {
    struct watch *watch = &world->watches[at];
    if (watch->is_off) return false;
    struct object *object = &world->objects[watch->object];
    uint32_t ready = 0;
    if (object->kind == object_epoll) ready = epoll_is_ready(watch->object) ? EPOLLIN : 0;
    else {
        bool has_end = object->kind == object_stream && object->ends_reading;
        if (object->kind == object_stream && !has_end)
            for (int segment = object->first; segment >= 0; segment = world->segments[segment].next)
                if (world->segments[segment].has_arrived && world->segments[segment].is_end) has_end = true;
        if (can_read(watch->object)) ready |= EPOLLIN;
        if (can_write(watch->object)) ready |= EPOLLOUT;
        if (has_end) ready |= EPOLLRDHUP | EPOLLIN;
        if (is_broken(watch->object)) ready |= EPOLLERR | EPOLLHUP | EPOLLRDHUP | EPOLLIN | EPOLLOUT;
    }
    ready &= watch->events | EPOLLERR | EPOLLHUP;
    if (watch->events & EPOLLET) {
        if (!(ready & EPOLLOUT) || watch->seen_writes == object->writes) ready &= ~(uint32_t)EPOLLOUT;
        if (watch->seen_reads == object->reads) ready &= ~(uint32_t)(EPOLLIN | EPOLLRDHUP);
        if (!(ready & (EPOLLIN | EPOLLOUT))) ready = 0;
    }
    *events = ready;
    return ready != 0;
}

static struct watch *find(int epoll, int object, int descriptor) {
    for (int at = world->objects[epoll].watched; at >= 0; at = world->watches[at].next_of_epoll) {
        struct watch *watch = &world->watches[at];
        if (watch->object == object && watch->descriptor == descriptor) return watch;
    }
    return NULL;
}

static void unlink_watch(struct watch *watch) {
    int number = (int)(watch - world->watches);
    for (int *at = &world->objects[watch->object].watchers; *at >= 0; at = &world->watches[*at].next_of_object)
        if (*at == number) { *at = watch->next_of_object; break; }
    for (int *at = &world->objects[watch->epoll].watched; *at >= 0; at = &world->watches[*at].next_of_epoll)
        if (*at == number) { *at = watch->next_of_epoll; break; }
    watch->is_used = false;
    watch->next_of_object = world->free_watch;
    world->free_watch = number;
}

// Nothing is watched by it, and it watches nothing any more.
void forget_watches(int number) {
    struct object *object = &world->objects[number];
    while (object->watchers >= 0 || object->watched >= 0)
        unlink_watch(&world->watches[object->watchers >= 0 ? object->watchers : object->watched]);
}

int epoll_create1(int flags) {
    if (!in_world()) return (int)syscall(SYS_epoll_create1, flags);
    return give_descriptor(new_object(object_epoll), flags & EPOLL_CLOEXEC);
}

int epoll_create(int size) { return size > 0 ? epoll_create1(0) : (errno = EINVAL, -1); }

int epoll_ctl(int descriptor, int operation, int target, struct epoll_event *event) {
    if (!in_world()) return (int)syscall(SYS_epoll_ctl, descriptor, operation, target, event);
    int epoll = object_of(descriptor), object = object_of(target);
    if (epoll < 0) return (int)syscall(SYS_epoll_ctl, descriptor, operation, target, event);
    // A file that is none of this world: it never becomes ready.
    if (object < 0) {
        char name[64], link[200] = {0};
        snprintf(name, sizeof name, "/proc/self/fd/%d", target);
        if (readlink(name, link, sizeof link - 1) < 0) return errno = EBADF, -1;
        dprintf(2, "watched: %s\n", link);
        fail("a real descriptor is watched");
    }
    struct watch *watch = find(epoll, object, target);
    if (operation == EPOLL_CTL_DEL) {
        if (!watch) return errno = ENOENT, -1;
        unlink_watch(watch);
        return 0;
    }
    if (operation == EPOLL_CTL_ADD) {
        if (watch) return errno = EEXIST, -1;
        int number = world->free_watch;
        if (number < 0) fail("too many watches");
        watch = &world->watches[number];
        world->free_watch = watch->next_of_object;
        *watch = (struct watch){true, epoll, object, target, 0, 0, 0, 0, false,
            world->objects[object].watchers, world->objects[epoll].watched};
        world->objects[object].watchers = world->objects[epoll].watched = number;
    } else if (!watch) return errno = ENOENT, -1;
    watch->events = event->events;
    watch->tag = event->data.u64;
    watch->is_off = false;
    // What is ready now counts as an edge.
    watch->seen_reads = world->objects[object].reads - 1;
    watch->seen_writes = world->objects[object].writes - 1;
    notify(epoll);
    return 0;
}

static int collect(int epoll, struct epoll_event *events, int limit) {
    int count = 0;
    uint32_t ready;
    for (int at = world->objects[epoll].watched; at >= 0 && count < limit; at = world->watches[at].next_of_epoll) {
        struct watch *watch = &world->watches[at];
        if (!is_ready(at, &ready)) continue;
        watch->seen_reads = world->objects[watch->object].reads;
        watch->seen_writes = world->objects[watch->object].writes;
        if (watch->events & EPOLLONESHOT) watch->is_off = true;
        events[count].events = ready;
        events[count++].data.u64 = watch->tag;
    }
    return count;
}

int epoll_wait(int descriptor, struct epoll_event *events, int limit, int milliseconds) {
    int epoll = in_world() ? object_of(descriptor) : -1;
    if (epoll < 0) return (int)syscall(SYS_epoll_wait, descriptor, events, limit, milliseconds);
    uint64_t end = milliseconds < 0 ? NEVER : world->now + (uint64_t)milliseconds * 1000000;
    for (;;) {
        int count = collect(epoll, events, limit);
        if (count || milliseconds == 0) {
            if (!count) give_way();
            return count;
        }
        if (!wait_for(key_of_object(epoll), end)) return collect(epoll, events, limit);
    }
}

int epoll_pwait(int descriptor, struct epoll_event *events, int limit, int milliseconds, const sigset_t *signals) {
    (void)signals;
    return epoll_wait(descriptor, events, limit, milliseconds);
}

// MARK: poll

static int look(struct pollfd *polled, nfds_t count, nfds_t *real) {
    int ready = 0;
    *real = 0;
    for (nfds_t at = 0; at < count; at++) {
        polled[at].revents = 0;
        if (polled[at].fd < 0) continue;
        int object = object_of(polled[at].fd);
        if (object < 0) {
            ++*real;
            continue;
        }
        if (can_read(object)) polled[at].revents |= polled[at].events & (POLLIN | POLLRDNORM | POLLRDHUP);
        if (can_write(object)) polled[at].revents |= polled[at].events & (POLLOUT | POLLWRNORM);
        if (is_broken(object)) polled[at].revents |= POLLERR | POLLHUP;
        ready += polled[at].revents != 0;
    }
    return ready;
}

int poll(struct pollfd *polled, nfds_t count, int milliseconds) {
    if (!in_world()) return (int)syscall(SYS_poll, polled, count, milliseconds);
    uint64_t end = milliseconds < 0 ? NEVER : world->now + (uint64_t)milliseconds * 1000000;
    for (;;) {
        nfds_t real;
        int ready = look(polled, count, &real);
        // What is of no world is waited for while time stands still.
        if (real && real == count) return (int)syscall(SYS_poll, polled, count, milliseconds);
        if (ready || milliseconds == 0) return ready;
        if (!wait_for(key_of_poll, end)) return look(polled, count, &real);
    }
}
