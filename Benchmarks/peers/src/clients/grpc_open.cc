// Open loop of echoes over gRPC: --rate calls a second on one connection and one completion queue, sent every
// millisecond whatever has become of those before. With --late N the server answers every Nth only after 200 ms;
// these are not counted.
//   grpc_open --port P --rate R [--late N]
#include <grpcpp/grpcpp.h>
#include <memory>
#include "../common/window.h"
#include "peer.grpc.pb.h"

constexpr uint32_t kDelayMs = 200;
constexpr uint64_t kTickNs = 1'000'000, kDelayNs = kDelayMs * kTickNs;

/// A call that is used again for another one when it has come back.
struct Echo {
    uint64_t started;
    bool is_late;
    peer::EchoMessage request, reply;
    grpc::Status status;
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<grpc::ClientAsyncResponseReader<peer::EchoMessage>> reader;
};

class Sender {
public:
    Sender(peer::Peer::Stub *stub, grpc::CompletionQueue *queue, const Options &options)
        : stub_(stub), queue_(queue), late_(static_cast<uint64_t>(options.integer("--late", 0))),
          per_ns_(options.number("--rate", 1000) / 1e9), start_(now_ns()), tick_(start_) {}

    /// Sends what is due, once a millisecond.
    void tick(uint64_t now) {
        if (now < tick_) return;
        tick_ = now + kTickNs;
        auto due = static_cast<uint64_t>(static_cast<double>(now - start_) * per_ns_);
        while (sent_ < due) send();
    }
    uint64_t next_tick() const { return tick_; }
    void take_back(Echo *echo) { free_.push_back(echo); }

private:
    peer::Peer::Stub *stub_;
    grpc::CompletionQueue *queue_;
    uint64_t late_, sent_ = 0;
    double per_ns_;
    uint64_t start_, tick_;
    std::vector<Echo *> free_;

    void send() {
        if (free_.empty()) free_.push_back(new Echo);  // lives as long as the program
        Echo *echo = free_.back();
        free_.pop_back();
        sent_++;
        echo->is_late = late_ && sent_ % late_ == 0;
        echo->request.set_data(std::string(32, 'q'));
        echo->request.set_delay_ms(echo->is_late ? kDelayMs : 0);
        echo->context = std::make_unique<grpc::ClientContext>();
        echo->started = now_ns();
        echo->reader = stub_->AsyncEcho(echo->context.get(), echo->request, queue_);
        echo->reader->Finish(&echo->reply, &echo->status, echo);
    }
};

int main(int argc, char **argv) {
    Options options(argc, argv);
    std::string address = "127.0.0.1:" + std::to_string(options.integer("--port", 0));
    auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) fail("connect");
    auto stub = peer::Peer::NewStub(channel);
    grpc::CompletionQueue queue;
    Window window(options);
    window.start();
    Sender sender(stub.get(), &queue, options);
    while (!window.is_over()) {
        uint64_t now = window.tick();
        sender.tick(now);
        uint64_t wait = sender.next_tick() > now ? sender.next_tick() - now : 0;
        void *tag;
        bool ok;
        auto until = std::chrono::system_clock::now() + std::chrono::nanoseconds(wait);
        if (queue.AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT) continue;
        auto *echo = static_cast<Echo *>(tag);
        if (echo->is_late && echo->status.ok() && now_ns() - echo->started < kDelayNs) fail("a late answer is early");
        if (!echo->is_late || !echo->status.ok()) window.record(echo->started, echo->status.ok());
        sender.take_back(echo);
    }
    window.print();
    std::_Exit(0);  // calls are still in flight; there is nothing to wait for
}
