// Closed loop over PostGIS: prepared statement, binary parameters and results, whole records, one
// call in flight on each of --outstanding connections, one epoll thread.
//   postgis_load --port P --queries F --sql knn|sphere [--answers N]
#include <endian.h>
#include <postgresql/libpq-fe.h>
#include <sys/epoll.h>
#include <memory>
#include "../common/answers.h"
#include "../common/tsv.h"
#include "../common/window.h"

// $1 lat, $2 lon, $3 radius in metres, $4 limit. Both measure on the sphere, as everything else here
// does (PostGIS' own default, the spheroid, is slower and gives other distances).
#define CENTRE "ST_SetSRID(ST_MakePoint($2,$1),4326)::geography"
static const char *const kSphere =
    "SELECT id, name, category, lat, lon, ST_Distance(g," CENTRE ",false) AS d FROM places "
    "WHERE ST_DWithin(g," CENTRE ",$3,false) ORDER BY d, id LIMIT $4";
static const char *const kNearestFirst =
    "SELECT id, name, category, lat, lon, d FROM (SELECT id, name, category, lat, lon, g <-> " CENTRE " AS d "
    "FROM places WHERE ST_DWithin(g," CENTRE ",$3,false) ORDER BY g <-> " CENTRE " LIMIT $4) nearest ORDER BY d, id";

static double big_endian(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, 8);
    bits = htobe64(bits);
    std::memcpy(&value, &bits, 8);
    return value;
}
static int64_t integer_at(PGresult *rows, int row, int column) {
    uint64_t bits;
    std::memcpy(&bits, PQgetvalue(rows, row, column), 8);
    return static_cast<int64_t>(be64toh(bits));
}
static double number_at(PGresult *rows, int row, int column) {
    double value;
    std::memcpy(&value, PQgetvalue(rows, row, column), 8);
    return big_endian(value);
}

class Connection {
public:
    Connection(const Options &options, int epoll) : epoll_(epoll) {
        std::string address = "host=127.0.0.1 user=postgres dbname=postgres sslmode=disable gssencmode=disable port=";
        handle_ = PQconnectdb((address + options.text("--port")).c_str());
        const Oid types[] = {701, 701, 701, 20};  // float8, float8, float8, int8
        bool nearest_first = !std::strcmp(options.text("--sql"), "knn");
        PGresult *prepared = PQprepare(handle_, "nearby", nearest_first ? kNearestFirst : kSphere, 4, types);
        if (PQresultStatus(prepared) != PGRES_COMMAND_OK) fail(PQerrorMessage(handle_));
        PQclear(prepared);
        PQsetnonblocking(handle_, 1);
        watch(EPOLL_CTL_ADD, EPOLLIN);
    }
    pid_t server() const { return PQbackendPID(handle_); }

    void send(const Query &query, uint64_t now) {
        started_ = now;
        const double numbers[] = {big_endian(query.lat), big_endian(query.lon), big_endian(query.radius_m)};
        const uint64_t limit = htobe64(query.limit);
        const char *values[4];
        for (int i = 0; i < 3; i++) values[i] = reinterpret_cast<const char *>(&numbers[i]);
        values[3] = reinterpret_cast<const char *>(&limit);
        const int sizes[] = {8, 8, 8, 8}, binary[] = {1, 1, 1, 1};
        if (!PQsendQueryPrepared(handle_, "nearby", 4, values, sizes, binary, 1)) fail(PQerrorMessage(handle_));
        flush();
    }
    void flush() {
        int blocked = PQflush(handle_);
        if (blocked < 0) fail(PQerrorMessage(handle_));
        if (blocked != blocked_) watch(EPOLL_CTL_MOD, EPOLLIN | (blocked ? EPOLLOUT : 0u));
        blocked_ = blocked;
    }
    /// Reads what has come; calls `finished(rows or null on an error, started)` at the end of a call.
    template <class Finished>
    void receive(Finished finished) {
        if (!PQconsumeInput(handle_)) fail(PQerrorMessage(handle_));
        while (!PQisBusy(handle_)) {
            PGresult *result = PQgetResult(handle_);
            if (!result) {
                PGresult *rows = rows_;
                rows_ = nullptr;
                finished(rows, started_);
                PQclear(rows);
                return;
            }
            if (PQresultStatus(result) == PGRES_TUPLES_OK) rows_ = result;
            else PQclear(result);
        }
    }

private:
    PGconn *handle_;
    int epoll_, blocked_ = 0;
    uint64_t started_ = 0;
    PGresult *rows_ = nullptr;

    void watch(int operation, uint32_t events) {
        epoll_event event{};
        event.events = events;
        event.data.ptr = this;
        epoll_ctl(epoll_, operation, PQsocket(handle_), &event);
    }
};

int main(int argc, char **argv) {
    Options options(argc, argv);
    int answers = options.integer("--answers", 0), count = answers ? 1 : options.integer("--outstanding", 1);
    Cycle<Query> queries(read_queries(options.text("--queries")));
    Window window(options);
    int epoll = epoll_create1(0);
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < count; i++) {
        connections.push_back(std::make_unique<Connection>(options, epoll));
        window.add_server(connections.back()->server());
    }
    window.start();
    for (auto &connection : connections) connection->send(queries.next(), now_ns());
    while (!window.is_over() || answers) {
        epoll_event events[64];
        int ready = epoll_wait(epoll, events, 64, 100);
        window.tick();
        for (int i = 0; i < ready; i++) {
            auto &connection = *static_cast<Connection *>(events[i].data.ptr);
            connection.flush();
            connection.receive([&](PGresult *rows, uint64_t started) {
                if (answers) {
                    for (int row = 0; row < PQntuples(rows); row++)
                        print_answer(static_cast<uint64_t>(integer_at(rows, row, 0)), number_at(rows, row, 5));
                    end_answer();
                    if (--answers == 0) std::_Exit(0);
                }
                connection.send(queries.next(), window.record(started, rows != nullptr));
            });
        }
    }
    window.print();
}
