// What descriptors stand for: made, asked whether it is ready, and released with its last descriptor.
#include "world.h"

#include <limits.h>

int new_object(enum object_kind kind) {
    for (int number = 0; number < object_limit; number++) {
        struct object *object = &world->objects[number];
        if (object->kind != object_free) continue;
        world->generations[number]++;
        memset(object, 0, sizeof *object);
        object->kind = kind;
        object->process = this_process;
        object->machine = world->processes[this_process].machine;
        object->copies = 1;
        object->peer = object->first = object->last = object->watchers = object->watched = -1;
        object->is_blocking = true;
        if (number >= world->object_count) world->object_count = number + 1;
        return number;
    }
    fail("too many objects");
}

// Of connections that no one has accepted.
static void refuse_waiting(struct object *listener) {
    for (; listener->backlog_count; listener->backlog_count--) {
        int waiting = listener->backlog[listener->backlog_first++ % 128];
        int other = world->objects[waiting].peer;
        if (other >= 0) schedule_event(world->now + way(0, 1), event_reset, other, ECONNRESET);
        world->objects[waiting].copies = 1;
        release(waiting);
    }
}

// The other end gets what was sent, and then the end; or a reset, where something was not read here.
static void leave_stream(int number) {
    struct object *object = &world->objects[number];
    if (object->peer >= 0) {
        struct object *peer = &world->objects[object->peer];
        bool is_lost = object->unread || object->on_way;
        if (is_lost && !is_stalled(object))
            schedule_event(world->now + way(object->machine, peer->machine), event_reset, object->peer, ECONNRESET);
        else send_end(number);
        peer->peer = -1;
    }
    free_segments(object);
}

void release(int number) {
    struct object *object = &world->objects[number];
    if (--object->copies > 0) return;
    forget_watches(number);
    if (object->kind == object_listener) refuse_waiting(object);
    if (object->kind == object_stream) leave_stream(number);
    wake(object->process, key_of_object(number), INT_MAX);
    object->kind = object_free;
    world->generations[number]++;
}

bool can_read(int number) {
    struct object *object = &world->objects[number];
    switch (object->kind) {
    case object_event:
    case object_timer: return object->count > 0;
    case object_listener: return object->backlog_count > 0;
    case object_stream:
        if (object->state == stream_reset || object->state == stream_refused || object->ends_reading) return true;
        return object->first >= 0 && world->segments[object->first].has_arrived;
    default: return false;
    }
}

bool can_write(int number) {
    struct object *object = &world->objects[number];
    switch (object->kind) {
    case object_event: return true;
    case object_stream: {
        if (object->state == stream_reset || object->state == stream_refused) return true;
        if (object->state != stream_open) return false;
        return object->peer < 0 || has_room(&world->objects[object->peer]);
    }
    default: return false;
    }
}

bool is_broken(int number) {
    struct object *object = &world->objects[number];
    return object->kind == object_stream && (object->state == stream_reset || object->state == stream_refused);
}
