// Protobuf messages in bare frames.
#pragma once
#include <google/protobuf/arena.h>
#include "../common/stream.h"

/// One block for one message at a time: it stays in the cache, and nothing is allocated.
inline google::protobuf::ArenaOptions one_block() {
    static char block[1 << 18];
    google::protobuf::ArenaOptions options;
    options.initial_block = block;
    options.initial_block_size = sizeof block;
    return options;
}

/// Appends a frame with the message, for the call that the bytes at `slot` name.
template <class Message>
void append_message(Stream &stream, const void *slot, const Message &message) {
    size_t size = message.ByteSizeLong();
    stream.append_head(kSlotBytes + size);
    stream.append(slot, kSlotBytes);
    message.SerializeWithCachedSizesToArray(stream.extend(size));
}
