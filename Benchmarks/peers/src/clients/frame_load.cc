// Closed loop over bare frames: --outstanding calls in flight on one connection, one epoll thread.
//   frame_load --port P --mode echo|nearby|explore [--queries F] [--answers N]
#include "../common/answers.h"
#include "../common/stream.h"
#include "../common/tsv.h"
#include "../common/window.h"
#include "peer.pb.h"

static std::vector<std::string> bodies(const Options &options, bool searches) {
    if (!searches) return {std::string(32 - kSlotBytes, 'q')};
    std::vector<std::string> all;
    for (const Query &query : read_queries(options.text("--queries"))) {
        peer::NearbyRequest request;
        request.set_lat(query.lat);
        request.set_lon(query.lon);
        request.set_radius_m(query.radius_m);
        request.set_limit(query.limit);
        all.push_back(request.SerializeAsString());
    }
    return all;
}

int main(int argc, char **argv) {
    Options options(argc, argv);
    bool searches = std::strcmp(options.text("--mode", "echo"), "echo");
    int answers = options.integer("--answers", 0);
    auto outstanding = static_cast<uint64_t>(answers ? 1 : options.integer("--outstanding", 1));
    Cycle<std::string> body(bodies(options, searches));
    Window window(options);
    int epoll = epoll_create1(0);
    Stream stream(connect_loopback(options.integer("--port", 0)), epoll);
    std::vector<uint64_t> started(outstanding);

    auto send = [&](uint64_t slot, uint64_t now) {
        const std::string &bytes = body.next();
        started[slot] = now;
        stream.append_head(kSlotBytes + bytes.size());
        stream.append(&slot, kSlotBytes);
        stream.append(bytes.data(), bytes.size());
    };
    peer::NearbyReply reply;
    auto receive = [&](const uint8_t *payload, size_t count) {
        uint64_t slot;
        std::memcpy(&slot, payload, kSlotBytes);
        if (slot >= outstanding) fail("unknown slot in a reply");
        if (searches && !reply.ParseFromArray(payload + kSlotBytes, static_cast<int>(count - kSlotBytes)))
            fail("parse");
        if (answers) {
            for (const auto &place : reply.places()) print_answer(place.id(), place.distance_m());
            end_answer();
            if (--answers == 0) std::_Exit(0);
        }
        send(slot, window.record(started[slot]));
    };

    window.start();
    for (uint64_t slot = 0; slot < outstanding; slot++) send(slot, now_ns());
    if (!stream.flush()) fail("send");
    while (!window.is_over() || answers) {
        epoll_event event;
        if (epoll_wait(epoll, &event, 1, 100) < 1) {
            window.tick();
            continue;
        }
        bool readable = event.events & (EPOLLIN | EPOLLHUP | EPOLLERR);
        if (readable && !(stream.fill() && stream.take_frames(receive))) fail("the server hung up");
        if (!stream.flush()) fail("send");
    }
    window.print();
}
