// The ceiling for a lean RPC in C++: bare frames, the same index and the same protobuf messages on an
// arena, one epoll thread. Not a product.
//   frame_nearby --points F [--shard I --shards N]
#include "answer.h"
#include "epoll_server.h"
#include "frame_message.h"

using google::protobuf::Arena;

int main(int argc, char **argv) {
    GeoIndex index;
    Options options(argc, argv);
    index.load(options.text("--points"), static_cast<unsigned>(options.integer("--shard", 0)),
               static_cast<unsigned>(options.integer("--shards", 1)));
    serve([&](Stream &stream, const uint8_t *payload, size_t count) {
        Arena arena(one_block());
        auto *request = Arena::CreateMessage<peer::NearbyRequest>(&arena);
        auto *reply = Arena::CreateMessage<peer::NearbyReply>(&arena);
        if (!request->ParseFromArray(payload + kSlotBytes, static_cast<int>(count - kSlotBytes))) return;
        answer(index, *request, reply);
        append_message(stream, payload, *reply);
    });
}
