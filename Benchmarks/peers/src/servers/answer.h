// A search of the C++ index as a protobuf reply with whole records; for the gRPC and the frame peer.
#pragma once
#include "geo_index.h"
#include "peer.pb.h"

inline void answer(const GeoIndex &index, const peer::NearbyRequest &request, peer::NearbyReply *reply) {
    thread_local std::vector<GeoIndex::Hit> hits;
    index.nearby({request.lat(), request.lon(), request.radius_m(), request.limit()}, hits);
    reply->mutable_places()->Reserve(static_cast<int>(hits.size()));
    for (const auto &hit : hits) {
        const auto &point = index[hit.index];
        auto *place = reply->add_places();
        auto name = index.name(point);
        place->set_id(point.id);
        place->set_name(name.data(), name.size());
        place->set_category(index.category(point));
        place->set_lat(point.lat);
        place->set_lon(point.lon);
        place->set_distance_m(GeoIndex::metres(hit.chord2));
    }
}
