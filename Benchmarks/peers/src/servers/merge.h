// The answers of several servers as one; for the gateways of gRPC and of bare frames.
#pragma once
#include <array>
#include "peer.pb.h"

constexpr size_t kBackends = 3;
using Replies = std::array<peer::NearbyReply *, kBackends>;

inline Replies new_replies(google::protobuf::Arena *arena) {
    Replies replies;
    for (auto &reply : replies) reply = google::protobuf::Arena::CreateMessage<peer::NearbyReply>(arena);
    return replies;
}

inline bool is_nearer(const peer::Place &a, const peer::Place &b) {
    return a.distance_m() != b.distance_m() ? a.distance_m() < b.distance_m() : a.id() < b.id();
}

/// Moves the nearest `limit` places of all replies into `merged`, which lies on the same arena.
inline void merge(const Replies &replies, uint32_t limit, peer::NearbyReply *merged) {
    std::array<int, kBackends> at{};
    while (merged->places_size() < static_cast<int>(limit)) {
        peer::Place *best = nullptr;
        size_t from = 0;
        for (size_t i = 0; i < kBackends; i++) {
            if (at[i] == replies[i]->places_size()) continue;
            auto *place = replies[i]->mutable_places(at[i]);
            if (!best || is_nearer(*place, *best)) best = place, from = i;
        }
        if (!best) return;
        merged->mutable_places()->UnsafeArenaAddAllocated(best);
        at[from]++;
    }
}
