// What is between machines: connections that are made, refused and broken, and links that stall and are cut.
#include "world.h"

static void break_stream(int number, int error) {
    struct object *object = &world->objects[number];
    if (object->state == stream_reset || object->state == stream_refused) return;
    object->state = stream_reset;
    object->error = error;
    free_segments(object);
    if (object->peer >= 0) world->objects[object->peer].peer = -1;
    object->peer = -1;
    changed_edge(number, true, true);
}

static bool is_cut(const struct object *object) {
    return world->links[object->machine][object->peer_machine] == machine_link_cut;
}

static int find_listener(int machine, int port) {
    for (int number = 0; number < world->object_count; number++) {
        struct object *object = &world->objects[number];
        if (object->kind == object_listener && object->local_machine == machine && object->local_port == port)
            return number;
    }
    return -1;
}

static void connect_arrives(int number) {
    struct object *object = &world->objects[number];
    if (object->state != stream_connecting) return;
    if (is_stalled(object)) return;
    int listener = is_cut(object) ? -1 : find_listener(object->peer_machine, object->peer_port);
    uint64_t back = world->now + way(object->peer_machine, object->machine);
    if (listener < 0 || world->objects[listener].backlog_count == 128) {
        schedule_event(back, event_connected, number, ECONNREFUSED);
        return;
    }
    struct object *door = &world->objects[listener];
    int own = this_process;
    this_process = door->process;
    int other = new_object(object_stream);
    this_process = own;
    struct object *made = &world->objects[other];
    made->state = stream_open;
    made->local_machine = object->peer_machine;
    made->local_port = object->peer_port;
    made->peer_machine = object->machine;
    made->peer_port = object->local_port;
    made->peer = number;
    object->peer = other;
    // It hears of the connection before it gets bytes.
    object->last_arrival = back;
    door->backlog[(door->backlog_first + door->backlog_count++) % 128] = other;
    changed_edge(listener, true, false);
    schedule_event(back, event_connected, number, 0);
}

void happen(struct event *event) {
    struct object *object = &world->objects[event->object];
    switch (event->kind) {
    case event_arrive: arrive(event->object); break;
    case event_connect: connect_arrives(event->object); break;
    case event_connected:
        if (object->state != stream_connecting) break;
        object->state = event->value ? stream_refused : stream_open;
        object->error = event->value;
        changed_edge(event->object, event->value != 0, true);
        break;
    case event_reset: break_stream(event->object, event->value); break;
    case event_room: changed_edge(event->object, false, true); break;
    case event_timer:
        if (event->value != object->settings) break;
        object->count++;
        object->expires = object->interval ? world->now + object->interval : 0;
        if (object->interval) schedule_event(object->expires, event_timer, event->object, object->settings);
        changed_edge(event->object, true, false);
        break;
    }
}

// What waited for the link goes on.
void retry_link(int from, int to) {
    for (int number = 0; number < world->object_count; number++) {
        struct object *object = &world->objects[number];
        if (object->kind != object_stream) continue;
        if (object->machine == from && object->peer_machine == to && object->state == stream_connecting)
            schedule_event(world->now + way(from, to), event_connect, number, 0);
        if (object->machine != to || object->peer_machine != from) continue;
        uint64_t time = world->now + way(from, to);
        for (int at = object->first; at >= 0; at = world->segments[at].next)
            if (!world->segments[at].has_arrived) schedule_event(time, event_arrive, number, 0);
        object->last_arrival = time;
    }
}

void cut_link(int from, int to) {
    for (int number = 0; number < world->object_count; number++) {
        struct object *object = &world->objects[number];
        if (object->kind != object_stream || object->machine != from || object->peer_machine != to) continue;
        if (object->state == stream_open) break_stream(number, ECONNRESET);
    }
}
