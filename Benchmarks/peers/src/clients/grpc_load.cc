// Closed loop over gRPC: --outstanding calls in flight on one connection, on one completion queue.
//   grpc_load --port P --mode echo|waymark-echo|nearby|explore [--queries F] [--answers N | --rate R]
// In the mode waymark-echo it calls Waymark's gateway instead of a server of the peers'.
// With --rate it is an open loop: so many calls a second, sent every millisecond whatever has become of those before.
#include <grpcpp/grpcpp.h>
#include <memory>
#include "../common/answers.h"
#include "../common/tsv.h"
#include "../common/window.h"
#include "peer.grpc.pb.h"
#include "waymark/rpc/v1/echo.grpc.pb.h"

/// One call in flight; it is sent again as soon as it has come back.
struct Call {
    virtual ~Call() = default;
    virtual void send(grpc::CompletionQueue *queue) = 0;
    virtual void print() const = 0;

    uint64_t started = 0;
    std::unique_ptr<grpc::ClientContext> context;
    grpc::Status status;
};

struct EchoCall final : Call {
    explicit EchoCall(peer::Peer::Stub *stub) : stub(stub) { request.set_data(std::string(32, 'q')); }
    void send(grpc::CompletionQueue *queue) override {
        context = std::make_unique<grpc::ClientContext>();
        reader = stub->AsyncEcho(context.get(), request, queue);
        reader->Finish(&reply, &status, this);
    }
    void print() const override {}

    peer::Peer::Stub *stub;
    peer::EchoMessage request, reply;
    std::unique_ptr<grpc::ClientAsyncResponseReader<peer::EchoMessage>> reader;
};

struct WaymarkEchoCall final : Call {
    explicit WaymarkEchoCall(waymark::rpc::v1::EchoService::Stub *stub) : stub(stub) {
        request.set_payload(std::string(32, 'q'));
    }
    void send(grpc::CompletionQueue *queue) override {
        context = std::make_unique<grpc::ClientContext>();
        reader = stub->AsyncEcho(context.get(), request, queue);
        reader->Finish(&reply, &status, this);
    }
    void print() const override {}

    waymark::rpc::v1::EchoService::Stub *stub;
    waymark::rpc::v1::EchoRequest request;
    waymark::rpc::v1::EchoResponse reply;
    std::unique_ptr<grpc::ClientAsyncResponseReader<waymark::rpc::v1::EchoResponse>> reader;
};

struct NearbyCall final : Call {
    NearbyCall(peer::Peer::Stub *stub, peer::Gateway::Stub *gateway, Cycle<peer::NearbyRequest> *requests)
        : stub(stub), gateway(gateway), requests(requests) {}
    void send(grpc::CompletionQueue *queue) override {
        context = std::make_unique<grpc::ClientContext>();
        const auto &request = requests->next();
        reader = gateway ? gateway->AsyncExplore(context.get(), request, queue)
                         : stub->AsyncNearby(context.get(), request, queue);
        reader->Finish(&reply, &status, this);
    }
    void print() const override {
        for (const auto &place : reply.places()) print_answer(place.id(), place.distance_m());
        end_answer();
    }

    peer::Peer::Stub *stub;
    peer::Gateway::Stub *gateway;  // null: ask the backend itself
    Cycle<peer::NearbyRequest> *requests;
    peer::NearbyReply reply;
    std::unique_ptr<grpc::ClientAsyncResponseReader<peer::NearbyReply>> reader;
};

static std::vector<peer::NearbyRequest> read_requests(const char *path) {
    std::vector<peer::NearbyRequest> requests;
    for (const Query &query : read_queries(path)) {
        peer::NearbyRequest request;
        request.set_lat(query.lat);
        request.set_lon(query.lon);
        request.set_radius_m(query.radius_m);
        request.set_limit(query.limit);
        requests.push_back(request);
    }
    return requests;
}

/// Sends what is due once a millisecond, until the window is over.
template <typename Make>
static void run_at(double rate, grpc::CompletionQueue *queue, Window *window, Make make) {
    constexpr uint64_t kTickNs = 1'000'000;
    std::vector<std::unique_ptr<Call>> calls;
    std::vector<Call *> free;
    uint64_t start = now_ns(), next = start, sent = 0;
    while (!window->is_over()) {
        uint64_t now = window->tick();
        if (now >= next) {
            next = now + kTickNs;
            auto due = static_cast<uint64_t>(static_cast<double>(now - start) / 1e9 * rate);
            for (; sent < due; sent++) {
                if (free.empty()) {
                    calls.push_back(make());
                    free.push_back(calls.back().get());
                }
                Call *call = free.back();
                free.pop_back();
                call->started = now_ns();
                call->send(queue);
            }
        }
        void *tag;
        bool ok;
        auto until = std::chrono::system_clock::now() + std::chrono::nanoseconds(next > now ? next - now : 0);
        if (queue->AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT) continue;
        auto *call = static_cast<Call *>(tag);
        window->record(call->started, call->status.ok());
        free.push_back(call);
    }
    window->print();
    std::_Exit(0);  // calls are still in flight; there is nothing to wait for
}

int main(int argc, char **argv) {
    Options options(argc, argv);
    std::string mode = options.text("--mode", "echo");
    std::string address = "127.0.0.1:" + std::to_string(options.integer("--port", 0));
    auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) fail("connect");
    auto stub = peer::Peer::NewStub(channel);
    auto gateway = peer::Gateway::NewStub(channel);
    auto waymark = waymark::rpc::v1::EchoService::NewStub(channel);
    Cycle<peer::NearbyRequest> requests(
        mode == "echo" || mode == "waymark-echo" ? std::vector<peer::NearbyRequest>(1) : read_requests(options.text("--queries")));

    int answers = options.integer("--answers", 0), outstanding = answers ? 1 : options.integer("--outstanding", 1);
    grpc::CompletionQueue queue;
    std::vector<std::unique_ptr<Call>> calls;
    auto *explored = mode == "explore" ? gateway.get() : nullptr;
    auto make = [&]() -> std::unique_ptr<Call> {
        if (mode == "echo") return std::make_unique<EchoCall>(stub.get());
        if (mode == "waymark-echo") return std::make_unique<WaymarkEchoCall>(waymark.get());
        return std::make_unique<NearbyCall>(stub.get(), explored, &requests);
    };
    Window window(options);
    window.start();
    if (double rate = options.number("--rate", 0); rate > 0) run_at(rate, &queue, &window, make);
    for (int i = 0; i < outstanding; i++) calls.push_back(make());
    for (auto &call : calls) {
        call->started = now_ns();
        call->send(&queue);
    }
    void *tag;
    bool ok;
    while ((!window.is_over() || answers) && queue.Next(&tag, &ok)) {
        auto *call = static_cast<Call *>(tag);
        if (answers) {
            if (!call->status.ok()) fail(call->status.error_message().c_str());
            call->print();
            if (--answers == 0) std::_Exit(0);
        }
        call->started = window.record(call->started, call->status.ok());
        call->send(&queue);
    }
    window.print();
    std::_Exit(0);  // calls are still in flight; there is nothing to wait for
}
