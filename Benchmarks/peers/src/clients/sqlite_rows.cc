// The rows of a created pin in SQLite, durable, in process and in one thread: a transaction for every N pins.
//   sqlite_rows --database FILE --mode create|read --outstanding N
#include <sqlite3.h>
#include <random>
#include <string>
#include "../common/window.h"

static const char *const kSchema =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY;"
    "CREATE TABLE subjects(name TEXT PRIMARY KEY, version INTEGER NOT NULL);"
    "CREATE TABLE pins(id BLOB PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, is_named INTEGER NOT NULL,"
    " latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, cell INTEGER NOT NULL, radius_m REAL NOT NULL,"
    " state INTEGER NOT NULL, generation INTEGER NOT NULL, created_ms INTEGER NOT NULL, version INTEGER NOT NULL,"
    " place_count INTEGER NOT NULL DEFAULT 0, photo_place_count INTEGER NOT NULL DEFAULT 0,"
    " photo_count INTEGER NOT NULL DEFAULT 0, album_state INTEGER NOT NULL DEFAULT 1,"
    " album_photo_count INTEGER NOT NULL DEFAULT 0, album_ready_count INTEGER NOT NULL DEFAULT 0,"
    " album_failed_count INTEGER NOT NULL DEFAULT 0, album_generation INTEGER NOT NULL DEFAULT 0,"
    " span_latitude REAL, span_longitude REAL, state_version INTEGER NOT NULL DEFAULT 0,"
    " networks TEXT NOT NULL DEFAULT '*', note TEXT NOT NULL DEFAULT '', visited_day TEXT NOT NULL DEFAULT '',"
    " imported_by TEXT NOT NULL DEFAULT '', album_warning TEXT NOT NULL DEFAULT '',"
    " photo_trouble TEXT NOT NULL DEFAULT '');"
    "CREATE INDEX pins_by_cell ON pins(account, cell, latitude_e7, longitude_e7, id);"
    "CREATE INDEX pins_by_time ON pins(account, created_ms, id);"
    "CREATE UNIQUE INDEX pins_by_version ON pins(account, version);"
    "CREATE INDEX pins_by_name ON pins(account, name, cell);"
    "CREATE INDEX pins_unsettled ON pins(id) WHERE state < 3 AND generation > 0;"
    "CREATE TABLE pin_searches(pin BLOB NOT NULL, network TEXT NOT NULL, generation INTEGER NOT NULL,"
    " state INTEGER NOT NULL, place_count INTEGER NOT NULL, is_truncated INTEGER NOT NULL, warning TEXT NOT NULL,"
    " refusals INTEGER NOT NULL, lates INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(pin, network));"
    "CREATE INDEX pin_searches_awaited ON pin_searches(network, pin) WHERE state = 1;"
    "CREATE TABLE account_settings(account TEXT PRIMARY KEY, networks TEXT NOT NULL, units INTEGER NOT NULL,"
    " language TEXT NOT NULL, start_view INTEGER NOT NULL, version INTEGER NOT NULL);"
    "CREATE TABLE jobs(kind TEXT NOT NULL, key TEXT NOT NULL, tries INTEGER NOT NULL, next_ms INTEGER NOT NULL,"
    " lease INTEGER NOT NULL, lease_end_ms INTEGER NOT NULL, is_wanted_again INTEGER NOT NULL, reason TEXT NOT NULL,"
    " kills INTEGER NOT NULL DEFAULT 0, owner TEXT NOT NULL DEFAULT '', PRIMARY KEY(kind, key));"
    "CREATE INDEX jobs_by_owner ON jobs(owner) WHERE lease <> 0;"
    "CREATE INDEX jobs_by_time ON jobs(kind, next_ms, key);"
    "CREATE INDEX jobs_leased ON jobs(kind, lease_end_ms) WHERE lease <> 0;";

class Rows {
public:
    explicit Rows(const char *path) {
        check(sqlite3_open(path, &handle_));
        run(kSchema);
        for (int i = 0; i < 64; i++) run(("INSERT INTO subjects VALUES('bench-" + std::to_string(i) + "', 0)").c_str());
        begin_ = prepare("BEGIN");
        commit_ = prepare("COMMIT");
        settings_ = prepare("SELECT networks, units, language, start_view, version FROM account_settings"
                            " WHERE account = ?1");
        raise_ = prepare("UPDATE subjects SET version = version + 1 WHERE name = ?1 RETURNING version");
        pin_ = prepare("INSERT INTO pins(id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state,"
                       " generation, created_ms, version, state_version, networks)"
                       " VALUES(?1, ?2, ?3, TRUE, ?4, ?5, ?6, 100, 1, 1, ?7, ?8, ?8, '*')");
        search_ = prepare("INSERT INTO pin_searches VALUES(?1, 'catalog', 1, 1, 0, FALSE, '', 0, 0)"
                          " ON CONFLICT (pin, network) DO UPDATE SET generation = excluded.generation");
        job_ = prepare("INSERT INTO jobs(kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)"
                       " VALUES(?3, ?1, 0, ?2, 0, 0, FALSE, '')"
                       " ON CONFLICT (kind, key) DO UPDATE SET next_ms = excluded.next_ms");
        read_ = prepare("SELECT pins.id, account, name, is_named, latitude_e7, longitude_e7, radius_m, pins.state,"
                        " pins.generation, created_ms, version, pins.place_count, photo_place_count, photo_count,"
                        " album_state, album_photo_count, album_ready_count, album_failed_count, album_generation,"
                        " span_latitude, span_longitude, networks, note, visited_day, imported_by, album_warning,"
                        " photo_trouble, s.network, s.generation, s.state, s.place_count, is_truncated, warning,"
                        " refusals, lates FROM pins LEFT JOIN pin_searches AS s ON s.pin = pins.id"
                        " WHERE pins.id = ?1 ORDER BY s.network");
    }

    void begin() { finish(begin_); }
    void commit() { finish(commit_); }

    /// All rows of one pin, whose id is above those before it.
    void create(uint64_t turn) {
        uint64_t id[2] = {__builtin_bswap64(turn), random_()};
        std::string account = "bench-" + std::to_string(turn % 64), name = "Pin " + std::to_string(turn);
        // As long as the text of an id.
        std::string key = (std::to_string(1000000000 + turn) + "-" + std::to_string(id[1]) + std::string(26, '0'))
                              .substr(0, 36);
        for (auto *statement : {settings_, raise_}) {
            text(statement, 1, account);
            check(sqlite3_step(statement));
            version_ = sqlite3_column_int64(statement, 0);
            sqlite3_reset(statement);
        }
        sqlite3_bind_blob(pin_, 1, id, sizeof id, SQLITE_STATIC);
        text(pin_, 2, account), text(pin_, 3, name);
        sqlite3_bind_int64(pin_, 4, -400000000 - static_cast<int64_t>(random_() % 200000000));
        sqlite3_bind_int64(pin_, 5, -1200000000 - static_cast<int64_t>(random_() % 200000000));
        sqlite3_bind_int64(pin_, 6, static_cast<int64_t>(turn));
        sqlite3_bind_int64(pin_, 7, static_cast<int64_t>(1795647670669 + turn));
        sqlite3_bind_int64(pin_, 8, version_);
        finish(pin_);
        sqlite3_bind_blob(search_, 1, id, sizeof id, SQLITE_STATIC);
        finish(search_);
        for (bool is_search : {true, false}) {
            std::string kind = is_search ? "discover" : "hold", about = is_search ? key + "/catalog" : key;
            text(job_, 1, about), text(job_, 3, kind);
            sqlite3_bind_int64(job_, 2, static_cast<int64_t>(1795647670669 + turn));
            finish(job_);
        }
        if (turn < kRead) ids_[turn][0] = id[0], ids_[turn][1] = id[1];
    }

    /// Reads one of the first pins.
    void read(uint64_t turn) {
        sqlite3_bind_blob(read_, 1, ids_[turn % kRead], sizeof ids_[0], SQLITE_STATIC);
        while (sqlite3_step(read_) == SQLITE_ROW)
            for (int i = 0; i < sqlite3_column_count(read_); i++)
                bytes_ = bytes_ + static_cast<uint64_t>(sqlite3_column_bytes(read_, i));
        sqlite3_reset(read_);
    }

    static constexpr uint64_t kRead = 1000;

private:
    sqlite3 *handle_ = nullptr;
    sqlite3_stmt *begin_, *commit_, *settings_, *raise_, *pin_, *search_, *job_, *read_;
    std::mt19937_64 random_{7};
    uint64_t ids_[kRead][2] = {};
    int64_t version_ = 0;
    volatile uint64_t bytes_ = 0;  // so that reading is not optimized away

    void check(int code) {
        if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) fail(sqlite3_errmsg(handle_));
    }
    void run(const char *sql) { check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }
    void finish(sqlite3_stmt *statement) { check(sqlite3_step(statement)), check(sqlite3_reset(statement)); }
    void text(sqlite3_stmt *statement, int at, const std::string &value) {
        sqlite3_bind_text(statement, at, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
    }
    sqlite3_stmt *prepare(const char *sql) {
        sqlite3_stmt *statement;
        check(sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
        return statement;
    }
};

int main(int argc, char **argv) {
    Options options(argc, argv);
    Rows rows(options.text("--database"));
    bool reads = std::string(options.text("--mode")) == "read";
    auto group = static_cast<uint64_t>(options.integer("--outstanding", 1));
    uint64_t turn = 0;
    if (reads) {
        rows.begin();
        while (turn < Rows::kRead) rows.create(turn++);
        rows.commit();
    }
    Window window(options);
    window.start();
    for (uint64_t started = now_ns(); !window.is_over();) {
        rows.begin();
        for (uint64_t i = 0; i < (reads ? 1 : group); i++) reads ? rows.read(turn++) : rows.create(turn++);
        rows.commit();
        uint64_t begun = started;
        for (uint64_t i = 0; i < (reads ? 1 : group); i++) started = window.record(begun);
    }
    window.print();
}
