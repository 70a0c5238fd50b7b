// The bytes of streams: what is on its way to an end, and what has arrived there and is unread.
#include "world.h"

// Bytes that may be on their way or unread at one end of a stream.
static const uint32_t window = 256 << 10;
static const uint64_t shortest_way = 20000;

uint64_t way(int from, int to) {
    if (from == to) return shortest_way / 4 + draw_below(shortest_way);
    // Mostly short; now and then something is in its way.
    uint64_t time = shortest_way + draw_below(300000);
    return draw_below(50) ? time : time + draw_below(30000000);
}

bool is_stalled(const struct object *object) {
    return world->links[object->machine][object->peer_machine] == machine_link_stalled;
}

uint32_t room_at(const struct object *peer) {
    uint32_t used = peer->unread + peer->on_way;
    return window > used ? window - used : 0;
}

// A quarter has to be free: as with Linux.
bool has_room(const struct object *peer) { return room_at(peer) > window / 4; }

void free_segments(struct object *object) {
    while (object->first >= 0) {
        int next = world->segments[object->first].next;
        world->segments[object->first].next = world->free_segment;
        world->free_segment = object->first;
        object->first = next;
    }
    object->last = -1;
    object->unread = object->on_way = 0;
}

// Sends bytes, or the end of the stream, to an end: they arrive behind what was sent before; where the link is stalled,
// when it is good again.
static void append(struct object *from, int to, const char *bytes, uint32_t count, bool is_end) {
    struct object *peer = &world->objects[to];
    int taken = world->free_segment;
    if (taken < 0) fail("too many bytes on their way");
    struct segment *segment = &world->segments[taken];
    world->free_segment = segment->next;
    segment->next = -1;
    segment->start = 0;
    segment->count = count;
    segment->has_arrived = false;
    segment->is_end = is_end;
    if (count) memcpy(segment->bytes, bytes, count);
    if (peer->last >= 0) world->segments[peer->last].next = taken;
    else peer->first = taken;
    peer->last = taken;
    peer->on_way += count;
    if (is_stalled(from)) return;
    uint64_t time = world->now + way(from->machine, peer->machine);
    if (time < peer->last_arrival) time = peer->last_arrival;
    peer->last_arrival = time;
    schedule_event(time, event_arrive, to, 0);
}

// Takes bytes on their way to the other end; how many, 0 when there is no room.
size_t send_bytes(int number, const char *bytes, size_t count) {
    struct object *object = &world->objects[number];
    if (object->peer < 0) return count;
    size_t room = room_at(&world->objects[object->peer]);
    if (count > room) count = room;
    for (size_t sent = 0; sent < count; sent += segment_bytes) {
        uint32_t part = count - sent < segment_bytes ? (uint32_t)(count - sent) : segment_bytes;
        append(object, object->peer, bytes + sent, part, false);
    }
    return count;
}

void send_end(int number) {
    struct object *object = &world->objects[number];
    if (object->has_ended || object->peer < 0) return;
    object->has_ended = true;
    append(object, object->peer, NULL, 0, true);
}

// The next segment arrives, unless the link is stalled now: then it does when that is good again.
void arrive(int number) {
    struct object *object = &world->objects[number];
    if (world->links[object->peer_machine][object->machine] == machine_link_stalled) return;
    for (int at = object->first; at >= 0; at = world->segments[at].next) {
        struct segment *segment = &world->segments[at];
        if (segment->has_arrived) continue;
        segment->has_arrived = true;
        object->on_way -= segment->count;
        object->unread += segment->count;
        break;
    }
    changed_edge(number, true, false);
}

// What has arrived: how many bytes, 0 at the end of the stream, -1 when nothing has.
ssize_t take_bytes(int number, char *bytes, size_t count, bool stays) {
    struct object *object = &world->objects[number];
    size_t taken = 0;
    int at = object->first;
    while (at >= 0 && taken < count) {
        struct segment *segment = &world->segments[at];
        if (!segment->has_arrived) break;
        if (segment->is_end) {
            object->ends_reading = true;
            break;
        }
        uint32_t part = count - taken < segment->count ? (uint32_t)(count - taken) : segment->count;
        memcpy(bytes + taken, segment->bytes + segment->start, part);
        taken += part;
        if (stays) {
            at = segment->next;
            continue;
        }
        segment->start += part;
        segment->count -= part;
        object->unread -= part;
        if (segment->count) break;
        object->first = segment->next;
        if (object->first < 0) object->last = -1;
        segment->next = world->free_segment;
        world->free_segment = at;
        at = object->first;
    }
    if (taken) {
        if (object->peer >= 0 && !stays)
            schedule_event(world->now + way(object->machine, object->peer_machine), event_room, object->peer, 0);
        return (ssize_t)taken;
    }
    if (object->ends_reading && object->first >= 0 && !world->segments[object->first].is_end) return -1;
    return object->ends_reading ? 0 : -1;
}
