// SQLite's R*Tree in process, one thread, nothing encoded or sent, but the whole record read.
//   sqlite_bench --points F --queries F --database :memory:|FILE [--answers N]
#include <sqlite3.h>
#include <algorithm>
#include <cmath>
#include "../common/answers.h"
#include "../common/tsv.h"
#include "../common/window.h"

// The R*Tree keeps 32-bit coordinates: a distance from them is wrong by at most this, in metres.
constexpr double kSlack = 4, kRadius = 6371008.8, kDegree = M_PI / 180;

static double haversine_m(double lat1, double lon1, double lat2, double lon2) {
    double a = std::sin((lat2 - lat1) * kDegree / 2), b = std::sin((lon2 - lon1) * kDegree / 2);
    double h = a * a + std::cos(lat1 * kDegree) * std::cos(lat2 * kDegree) * b * b;
    return 2 * kRadius * std::asin(std::sqrt(std::min(1.0, h)));
}

class Database {
public:
    struct Hit {
        double distance = 0;
        int64_t id = 0;
        bool operator<(const Hit &b) const { return distance != b.distance ? distance < b.distance : id < b.id; }
    };

    Database(const char *path, const char *points) {
        check(sqlite3_open(path, &handle_));
        run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
            "PRAGMA cache_size=-400000; PRAGMA mmap_size=1073741824;"
            "CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT, category TEXT, lat REAL, lon REAL);"
            "CREATE VIRTUAL TABLE box USING rtree(id, south, north, west, east); BEGIN");
        sqlite3_stmt *place = prepare("INSERT INTO place VALUES(?,?,?,?,?)");
        sqlite3_stmt *box = prepare("INSERT INTO box VALUES(?1,?2,?2,?3,?3)");
        read_points(points, [&](const PlaceRow &row) {
            auto id = static_cast<sqlite3_int64>(row.id);
            sqlite3_bind_int64(place, 1, id);
            sqlite3_bind_text(place, 2, row.name.data(), static_cast<int>(row.name.size()), SQLITE_STATIC);
            sqlite3_bind_text(place, 3, row.category.data(), static_cast<int>(row.category.size()), SQLITE_STATIC);
            sqlite3_bind_double(place, 4, row.lat);
            sqlite3_bind_double(place, 5, row.lon);
            sqlite3_bind_int64(box, 1, id);
            sqlite3_bind_double(box, 2, row.lat);
            sqlite3_bind_double(box, 3, row.lon);
            for (auto *statement : {place, box}) check(sqlite3_step(statement)), check(sqlite3_reset(statement));
        });
        sqlite3_finalize(place);
        sqlite3_finalize(box);
        run("COMMIT; ANALYZE");
        in_box_ = prepare("SELECT id, (south+north)/2, (west+east)/2 FROM box "
                          "WHERE north>=?1 AND south<=?2 AND east>=?3 AND west<=?4");
        record_ = prepare("SELECT name, category, lat, lon FROM place WHERE id=?1");
    }

    /// The box chooses candidates, their exact records decide.
    const std::vector<Hit> &nearby(const Query &q) {
        hits_.clear();
        double north = (q.radius_m + 1e-6) / kRadius / kDegree + 1e-9;
        double ratio = std::sin(std::min(north, 90.0) * kDegree) / std::cos(q.lat * kDegree);
        bool around_pole = std::fabs(q.lat) + north >= 90 || ratio >= 1;
        double east = around_pole ? 181 : std::asin(ratio) / kDegree + 1e-9;
        collect(q, north, around_pole ? -181 : q.lon - east, around_pole ? 181 : q.lon + east);
        if (!around_pole && q.lon - east < -180) collect(q, north, q.lon - east + 360, 181);
        if (!around_pole && q.lon + east > 180) collect(q, north, -181, q.lon + east - 360);
        std::sort(hits_.begin(), hits_.end());
        if (hits_.size() > q.limit) {
            double cut = hits_[q.limit - 1].distance + 2 * kSlack;
            while (hits_.back().distance > cut) hits_.pop_back();
        }
        for (Hit &hit : hits_) hit.distance = exact_distance(q, hit.id);
        std::sort(hits_.begin(), hits_.end());
        if (hits_.size() > q.limit) hits_.resize(q.limit);
        while (!hits_.empty() && hits_.back().distance > q.radius_m + 1e-6) hits_.pop_back();
        return hits_;
    }

private:
    sqlite3 *handle_ = nullptr;
    sqlite3_stmt *in_box_ = nullptr, *record_ = nullptr;
    std::vector<Hit> hits_;
    volatile uint64_t read_ = 0;  // so that reading a record's text is not optimized away

    void check(int code) {
        if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) fail(sqlite3_errmsg(handle_));
    }
    void run(const char *sql) { check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }
    sqlite3_stmt *prepare(const char *sql) {
        sqlite3_stmt *statement;
        check(sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
        return statement;
    }
    void collect(const Query &q, double north, double west, double east) {
        const double bounds[] = {q.lat - north, q.lat + north, west, east};
        for (int i = 0; i < 4; i++) sqlite3_bind_double(in_box_, i + 1, bounds[i]);
        while (sqlite3_step(in_box_) == SQLITE_ROW) {
            double lat = sqlite3_column_double(in_box_, 1), lon = sqlite3_column_double(in_box_, 2);
            double distance = haversine_m(q.lat, q.lon, lat, lon);
            if (distance <= q.radius_m + kSlack) hits_.push_back({distance, sqlite3_column_int64(in_box_, 0)});
        }
        sqlite3_reset(in_box_);
    }
    double exact_distance(const Query &q, int64_t id) {
        sqlite3_bind_int64(record_, 1, id);
        check(sqlite3_step(record_));
        read_ = read_ + static_cast<uint64_t>(sqlite3_column_bytes(record_, 0)) + *sqlite3_column_text(record_, 1);
        double lat = sqlite3_column_double(record_, 2), lon = sqlite3_column_double(record_, 3);
        sqlite3_reset(record_);
        return haversine_m(q.lat, q.lon, lat, lon);
    }
};

int main(int argc, char **argv) {
    Options options(argc, argv);
    Database database(options.text("--database", ":memory:"), options.text("--points"));
    Cycle<Query> queries(read_queries(options.text("--queries")));
    for (int i = options.integer("--answers", 0); i > 0; i--) {
        for (const auto &hit : database.nearby(queries.next()))
            print_answer(static_cast<uint64_t>(hit.id), hit.distance);
        end_answer();
        if (i == 1) return 0;
    }
    Window window(options);
    window.start();
    for (uint64_t started = now_ns(); !window.is_over();) {
        database.nearby(queries.next());
        started = window.record(started);
    }
    window.print();
}
