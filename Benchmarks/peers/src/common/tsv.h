// Readers of points.tsv and queries.tsv.
#pragma once
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>
#include "options.h"

struct PlaceRow {
    uint64_t id;
    std::string_view name, category;  // valid until the next row
    double lat, lon;
};

struct Query {
    double lat, lon, radius_m;
    uint32_t limit;
};

/// The part of `rest` up to the next tab; `rest` moves behind it.
inline std::string_view next_field(std::string_view &rest) {
    size_t tab = rest.find('\t');
    std::string_view field = rest.substr(0, tab);
    rest.remove_prefix(tab == std::string_view::npos ? rest.size() : tab + 1);
    return field;
}

inline double as_number(std::string_view field) { return std::strtod(std::string(field).c_str(), nullptr); }

/// Calls `each(PlaceRow)` for every line of points.tsv: id name categories lat lon.
template <class Each>
void read_points(const char *path, Each each) {
    std::ifstream file(path);
    if (!file) fail(path);
    std::string line;
    std::getline(file, line);  // header
    while (std::getline(file, line)) {
        std::string_view rest = line;
        PlaceRow row{};
        row.id = static_cast<uint64_t>(as_number(next_field(rest)));
        row.name = next_field(rest);
        row.category = next_field(rest);
        row.lat = as_number(next_field(rest));
        row.lon = as_number(next_field(rest));
        each(row);
    }
}

/// All lines of queries.tsv: id lat lon radius_m limit.
inline std::vector<Query> read_queries(const char *path) {
    std::ifstream file(path);
    if (!file) fail(path);
    std::vector<Query> queries;
    std::string line;
    std::getline(file, line);  // header
    while (std::getline(file, line)) {
        std::string_view rest = line;
        next_field(rest);
        Query query{};
        query.lat = as_number(next_field(rest));
        query.lon = as_number(next_field(rest));
        query.radius_m = as_number(next_field(rest));
        query.limit = static_cast<uint32_t>(as_number(next_field(rest)));
        queries.push_back(query);
    }
    if (queries.empty()) fail("no queries");
    return queries;
}

/// An endless walk through a list.
template <class Item>
class Cycle {
public:
    explicit Cycle(std::vector<Item> items) : items_(std::move(items)) {}
    const Item &next() {
        const Item &item = items_[at_];
        if (++at_ == items_.size()) at_ = 0;
        return item;
    }

private:
    std::vector<Item> items_;
    size_t at_ = 0;
};
