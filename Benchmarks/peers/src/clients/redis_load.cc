// Closed loop of GEOSEARCH over Redis: ids only, nearest first.
//   redis_load --port P --queries F [--connections C] [--outstanding N] [--answers N]
// N calls in flight over C connections; more than one per connection is pipelining. Commands are
// formatted before the clock starts, and replies are walked by hiredis without building objects.
#include <hiredis/hiredis.h>
#include <deque>
#include <memory>
#include "../common/answers.h"
#include "../common/stream.h"
#include "../common/tsv.h"
#include "../common/window.h"

static std::string command(const Query &query) {
    char text[160], *bytes;
    std::snprintf(text, sizeof text, "GEOSEARCH places FROMLONLAT %.7f %.7f BYRADIUS %.0f m ASC COUNT %u", query.lon,
                  query.lat, query.radius_m, query.limit);
    int size = redisFormatCommand(&bytes, text);
    if (size < 0) fail("command");
    std::string formatted(bytes, static_cast<size_t>(size));
    redisFreeCommand(bytes);
    return formatted;
}

static bool prints = false;
static void *const kReply = &prints;  // any non-null pointer: the reader asks for an object
static char error_mark;

static void *on_string(const redisReadTask *task, char *text, size_t size) {
    if (task->type == REDIS_REPLY_ERROR) return &error_mark;
    if (prints) print_answer(std::strtoull(std::string(text, size).c_str(), nullptr, 10), 0);
    return kReply;
}
static redisReplyObjectFunctions walk = {
    on_string,
    [](const redisReadTask *, int) -> void * { return kReply; },
    [](const redisReadTask *, long long) -> void * { return kReply; },
    [](const redisReadTask *) -> void * { return kReply; },
    [](void *) {},
};

struct Connection : Stream {
    Connection(int port, int epoll) : Stream(connect_loopback(port), epoll) {}
    redisReader *reader = redisReaderCreateWithFunctions(&walk);
    std::deque<uint64_t> started;
};

int main(int argc, char **argv) {
    Options options(argc, argv);
    int answers = options.integer("--answers", 0);
    prints = answers > 0;
    int count = answers ? 1 : options.integer("--connections", 1);
    int outstanding = answers ? 1 : options.integer("--outstanding", 1);
    std::vector<std::string> commands;
    for (const Query &query : read_queries(options.text("--queries"))) commands.push_back(command(query));
    Cycle<std::string> next(std::move(commands));
    Window window(options);
    int epoll = epoll_create1(0);
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < count; i++)
        connections.push_back(std::make_unique<Connection>(options.integer("--port", 0), epoll));

    auto send = [&](Connection &connection, uint64_t now) {
        const std::string &bytes = next.next();
        connection.append(bytes.data(), bytes.size());
        connection.started.push_back(now);
    };
    auto receive = [&](Connection &connection) {
        redisReaderFeed(connection.reader, reinterpret_cast<const char *>(connection.input()), connection.filled());
        connection.consume(connection.filled());
        for (void *reply = nullptr;; reply = nullptr) {
            if (redisReaderGetReply(connection.reader, &reply) != REDIS_OK) fail("protocol");
            if (!reply) return;
            if (prints) end_answer();
            if (prints && --answers == 0) std::_Exit(0);
            uint64_t now = window.record(connection.started.front(), reply != &error_mark);
            connection.started.pop_front();
            send(connection, now);
        }
    };

    window.start();
    for (int i = 0; i < outstanding; i++) send(*connections[static_cast<size_t>(i % count)], now_ns());
    for (auto &connection : connections) connection->flush();
    while (!window.is_over() || prints) {
        epoll_event events[64];
        int ready = epoll_wait(epoll, events, 64, 100);
        window.tick();
        for (int i = 0; i < ready; i++) {
            auto &connection = *static_cast<Connection *>(static_cast<Stream *>(events[i].data.ptr));
            if (!connection.fill()) fail("the server hung up");
            receive(connection);
            if (!connection.flush()) fail("send");
        }
    }
    window.print();
}
