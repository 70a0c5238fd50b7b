// An exact in-memory radius index, as a competent C++ programmer would write one in an afternoon.
//
// Points lie in latitude bands 250 m high and are sorted by longitude inside a band. A search takes
// the bands its circle touches, finds the first longitude by bisection in each, and compares squared
// chords of unit vectors, so that no trigonometry is done per point. It begins with a small circle
// and grows it until `limit` points are inside. Order: distance, then id.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include "../common/tsv.h"

class GeoIndex {
public:
    struct Hit {
        double chord2;  // squared chord on the unit sphere
        uint32_t index;
    };
    struct Point {
        uint64_t id;
        double lat, lon;
        uint32_t name_at;
        uint16_t name_size, category;
    };

    /// Keeps the points whose id leaves `shard` when divided by `shards`.
    void load(const char *path, unsigned shard, unsigned shards) {
        std::vector<Point> rows;
        std::string names;
        read_points(path, [&](const PlaceRow &row) {
            if (row.id % shards != shard) return;
            auto at = static_cast<uint32_t>(names.size());
            names += row.name;
            rows.push_back({row.id, row.lat, row.lon, at, static_cast<uint16_t>(row.name.size()),
                            category_number(std::string(row.category))});
        });
        std::sort(rows.begin(), rows.end(), [](const Point &a, const Point &b) {
            int x = band(a.lat), y = band(b.lat);
            return x != y ? x < y : a.lon != b.lon ? a.lon < b.lon : a.id < b.id;
        });
        band_start_.assign(kBands + 1, 0);
        for (Point &point : rows) add(point, names);
        std::partial_sum(band_start_.begin(), band_start_.end(), band_start_.begin());
    }

    const Point &operator[](uint32_t index) const { return points_[index]; }
    std::string_view name(const Point &p) const { return {names_.data() + p.name_at, p.name_size}; }
    const std::string &category(const Point &p) const { return categories_[p.category]; }
    static double metres(double chord2) { return 2 * kRadius * std::asin(std::min(1.0, std::sqrt(chord2) / 2)); }

    /// At most `limit` hits, nearest first.
    void nearby(const Query &query, std::vector<Hit> &hits) const {
        double radius = std::min(query.radius_m, 250.0);
        for (;;) {
            collect(query, radius, hits);
            if (radius >= query.radius_m || hits.size() >= query.limit) break;
            radius = std::min(query.radius_m, radius * (radius < 8000 ? 2 : 4));
        }
        auto nearer = [this](const Hit &a, const Hit &b) {
            return a.chord2 != b.chord2 ? a.chord2 < b.chord2 : points_[a.index].id < points_[b.index].id;
        };
        if (hits.size() > query.limit) {
            std::nth_element(hits.begin(), hits.begin() + query.limit, hits.end(), nearer);
            hits.resize(query.limit);
        }
        std::sort(hits.begin(), hits.end(), nearer);
    }

private:
    struct Vector {
        double x, y, z;
    };
    static constexpr double kRadius = 6371008.8, kDegree = M_PI / 180;
    static constexpr int kBands = static_cast<int>(M_PI * kRadius / 250) + 1;

    std::vector<Point> points_;
    std::vector<Vector> vectors_;
    std::vector<double> longitudes_;
    std::vector<uint32_t> band_start_;
    std::string names_;
    std::vector<std::string> categories_;
    std::unordered_map<std::string, uint16_t> category_numbers_;

    static int band(double lat) { return std::clamp(static_cast<int>((lat + 90) / 180 * kBands), 0, kBands - 1); }
    static Vector vector(double lat, double lon) {
        double a = lat * kDegree, b = lon * kDegree;
        return {std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a)};
    }
    uint16_t category_number(const std::string &name) {
        auto [entry, is_new] = category_numbers_.try_emplace(name, static_cast<uint16_t>(categories_.size()));
        if (is_new) categories_.push_back(name);
        return entry->second;
    }
    /// Points arrive in index order; their names are laid out in the same order.
    void add(Point point, const std::string &names) {
        auto at = static_cast<uint32_t>(names_.size());
        names_.append(names, point.name_at, point.name_size);
        point.name_at = at;
        band_start_[static_cast<size_t>(band(point.lat)) + 1]++;
        vectors_.push_back(vector(point.lat, point.lon));
        longitudes_.push_back(point.lon);
        points_.push_back(point);
    }

    void scan(int band, double west, double east, const Vector &centre, double limit2, std::vector<Hit> &hits) const {
        const double *lon = longitudes_.data();
        uint32_t begin = band_start_[static_cast<size_t>(band)], end = band_start_[static_cast<size_t>(band) + 1];
        auto i = static_cast<uint32_t>(std::lower_bound(lon + begin, lon + end, west) - lon);
        for (; i < end && lon[i] <= east; i++) {
            double x = vectors_[i].x - centre.x, y = vectors_[i].y - centre.y, z = vectors_[i].z - centre.z;
            double chord2 = x * x + y * y + z * z;
            if (chord2 <= limit2) hits.push_back({chord2, i});
        }
    }

    /// Every point within `radius` metres and a micrometre.
    void collect(const Query &q, double radius, std::vector<Hit> &hits) const {
        hits.clear();
        double angle = std::min((radius + 1e-6) / kRadius, M_PI), half = std::sin(angle / 2);
        double limit2 = angle >= M_PI ? 5 : 4 * half * half;
        double north = angle / kDegree + 1e-9, east = 360;
        if (std::fabs(q.lat) + north < 90) {
            double s = std::sin(angle) / std::cos(q.lat * kDegree);
            if (s < 1) east = std::asin(s) / kDegree + 1e-9;
        }
        Vector centre = vector(q.lat, q.lon);
        for (int b = band(q.lat - north), last = band(q.lat + north); b <= last; b++) {
            if (band_start_[static_cast<size_t>(b)] == band_start_[static_cast<size_t>(b) + 1]) continue;
            if (east >= 180) {
                scan(b, -181, 181, centre, limit2, hits);
                continue;
            }
            scan(b, q.lon - east, q.lon + east, centre, limit2, hits);
            // The part of the circle beyond the antimeridian.
            if (q.lon - east <= -180) scan(b, q.lon - east + 360, 181, centre, limit2, hits);
            if (q.lon + east >= 180) scan(b, -181, q.lon + east - 360, centre, limit2, hits);
        }
    }
};
