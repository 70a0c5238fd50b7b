// Fan-out over bare frames, one epoll thread: a request goes to every backend as it came, and their answers
// are merged. What a lean gateway could reach; not a product.
//   frame_gateway --backends PORT,PORT,PORT
#include <algorithm>
#include <memory>
#include "epoll_server.h"
#include "frame_message.h"
#include "merge.h"

using google::protobuf::Arena;

class Gateway {
public:
    explicit Gateway(const char *ports) : epoll_(epoll_create1(0)) {
        for (auto &backend : backends_) {
            char *end;
            int port = static_cast<int>(std::strtol(ports, &end, 10));
            backend = std::make_unique<Stream>(connect_loopback(port), epoll_);
            ports = end + (*end == ',');
        }
    }

    [[noreturn]] void run() {
        int listener = listen_loopback(epoll_);
        for (;;) {
            epoll_event events[64];
            int count = epoll_wait(epoll_, events, 64, -1);
            for (int i = 0; i < count; i++) {
                auto *stream = static_cast<Stream *>(events[i].data.ptr);
                if (stream) handle(*stream, events[i].events);
                else if (int fd = accept(listener, nullptr, nullptr); fd >= 0)
                    clients_.push_back(std::make_unique<Stream>(fd, epoll_));
            }
            // What all frames of a wait have led to leaves together.
            for (auto &backend : backends_)
                if (!backend->flush()) fail("a backend hung up");
            for (size_t i = clients_.size(); i-- > 0;)
                if (!clients_[i]->flush()) drop(*clients_[i]);
        }
    }

private:
    /// A request under way; its number is its place in `calls_`.
    struct Call {
        Stream *client;  // null: it has disconnected, and nobody waits
        uint8_t slot[kSlotBytes];
        uint32_t limit;
        std::array<std::string, kBackends> answers;  // empty strings keep their memory for the next call
        size_t left;
    };
    int epoll_;
    std::array<std::unique_ptr<Stream>, kBackends> backends_;
    std::vector<std::unique_ptr<Stream>> clients_;
    std::vector<Call> calls_;
    std::vector<uint64_t> free_;

    void handle(Stream &stream, uint32_t events) {
        for (size_t from = 0; from < kBackends; from++) {
            if (backends_[from].get() != &stream) continue;
            auto answered = [&](const uint8_t *payload, size_t count) { take_answer(from, payload, count); };
            if (!receive(stream, events, answered)) fail("a backend hung up");
            return;
        }
        auto asked = [&](const uint8_t *payload, size_t count) { fan_out(stream, payload, count); };
        if (!receive(stream, events, asked)) drop(stream);
    }

    void fan_out(Stream &client, const uint8_t *payload, size_t count) {
        peer::NearbyRequest request;
        if (!request.ParseFromArray(payload + kSlotBytes, static_cast<int>(count - kSlotBytes))) return;
        uint64_t number = calls_.size();
        if (free_.empty()) calls_.emplace_back();
        else number = free_.back(), free_.pop_back();
        Call &call = calls_[number];
        call.client = &client;
        std::memcpy(call.slot, payload, kSlotBytes);
        call.limit = request.limit();
        call.left = kBackends;
        for (auto &backend : backends_) {
            backend->append_head(count);
            backend->append(&number, kSlotBytes);
            backend->append(payload + kSlotBytes, count - kSlotBytes);
        }
    }

    void take_answer(size_t from, const uint8_t *payload, size_t count) {
        uint64_t number;
        std::memcpy(&number, payload, kSlotBytes);
        if (number >= calls_.size()) fail("unknown call in an answer");
        Call &call = calls_[number];
        call.answers[from].assign(reinterpret_cast<const char *>(payload) + kSlotBytes, count - kSlotBytes);
        if (--call.left) return;
        if (call.client) answer(call);
        free_.push_back(number);
    }

    static void answer(const Call &call) {
        Arena arena(one_block());
        Replies replies = new_replies(&arena);
        for (size_t i = 0; i < kBackends; i++)
            if (!replies[i]->ParseFromString(call.answers[i])) fail("an answer is no message");
        auto *merged = Arena::CreateMessage<peer::NearbyReply>(&arena);
        merge(replies, call.limit, merged);
        append_message(*call.client, call.slot, *merged);
    }

    void drop(Stream &client) {
        for (Call &call : calls_)
            if (call.client == &client) call.client = nullptr;
        std::erase_if(clients_, [&](const auto &other) { return other.get() == &client; });
    }
};

int main(int argc, char **argv) { Gateway(Options(argc, argv).text("--backends")).run(); }
