// The ceiling for a lean RPC in C++: bare frames, the same index and the same protobuf messages on an
// arena, one epoll thread. Not a product.   frame_nearby --points F
#include "answer.h"
#include "epoll_server.h"

using google::protobuf::Arena;

int main(int argc, char **argv) {
    GeoIndex index;
    index.load(Options(argc, argv).text("--points"), 0, 1);
    static char block[1 << 18];
    google::protobuf::ArenaOptions arena_options;
    arena_options.initial_block = block;
    arena_options.initial_block_size = sizeof block;
    serve([&](Stream &stream, const uint8_t *payload, size_t count) {
        Arena arena(arena_options);
        auto *request = Arena::CreateMessage<peer::NearbyRequest>(&arena);
        auto *reply = Arena::CreateMessage<peer::NearbyReply>(&arena);
        if (!request->ParseFromArray(payload + kSlotBytes, static_cast<int>(count - kSlotBytes))) return;
        answer(index, *request, reply);
        size_t size = reply->ByteSizeLong();
        stream.append_head(kSlotBytes + size);
        stream.append(payload, kSlotBytes);
        reply->SerializeWithCachedSizesToArray(stream.extend(size));
    });
}
