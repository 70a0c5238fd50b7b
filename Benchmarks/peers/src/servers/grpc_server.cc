// gRPC C++: Echo, and Nearby over the in-memory index.
//   grpc_server --api callback|queue [--points F --shard I --shards N]
#include <grpcpp/alarm.h>
#include "../common/options.h"
#include "answer.h"
#include "grpc_arena.h"
#include "grpc_queue.h"
#include "peer.grpc.pb.h"

using google::protobuf::Arena;
static GeoIndex places;

static void echo(const peer::EchoMessage &request, peer::EchoMessage *reply) { reply->set_data(request.data()); }
static uint32_t delay_ms(const peer::EchoMessage &request) { return request.delay_ms(); }
static uint32_t delay_ms(const peer::NearbyRequest &) { return 0; }
static std::chrono::system_clock::time_point in_ms(uint32_t delay) {
    return std::chrono::system_clock::now() + std::chrono::milliseconds(delay);
}
static void nearby(const peer::NearbyRequest &request, peer::NearbyReply *reply) { answer(places, request, reply); }

struct CallbackPeer final : peer::Peer::CallbackService {
    ArenaAllocator<peer::NearbyRequest, peer::NearbyReply> allocator;
    CallbackPeer() { SetMessageAllocatorFor_Nearby(&allocator); }

    using Context = grpc::CallbackServerContext;
    grpc::ServerUnaryReactor *Echo(Context *context, const peer::EchoMessage *request,
                                   peer::EchoMessage *reply) override {
        echo(*request, reply);
        if (uint32_t delay = delay_ms(*request)) return finished_late(context, delay);
        return finished(context);
    }
    grpc::ServerUnaryReactor *Nearby(Context *context, const peer::NearbyRequest *request,
                                     peer::NearbyReply *reply) override {
        nearby(*request, reply);
        return finished(context);
    }
    static grpc::ServerUnaryReactor *finished(Context *context) {
        auto *reactor = context->DefaultReactor();
        reactor->Finish(grpc::Status::OK);
        return reactor;
    }
    static grpc::ServerUnaryReactor *finished_late(Context *context, uint32_t delay) {
        auto *reactor = context->DefaultReactor();
        auto *alarm = new grpc::Alarm;
        alarm->Set(in_ms(delay), [=](bool) {
            reactor->Finish(grpc::Status::OK);
            delete alarm;
        });
        return reactor;
    }
};

using QueuedPeer = peer::Peer::AsyncService;

/// One slot of the queue server: waits for a call, answers it, and waits again. One whose answer has to wait lets
/// another slot take its place, and ends with the answer.
template <class Request, class Reply, auto Await, void (*Handle)(const Request &, Reply *)>
class QueuedCall final : public Tag {
public:
    QueuedCall(QueuedPeer *service, grpc::ServerCompletionQueue *queue) : service_(service), queue_(queue) { arm(); }

    void proceed(bool ok) override {
        if (state_ == State::kDelayed) return answer();
        if (state_ == State::kAnswering && alarm_) return delete this;
        if (!ok || state_ == State::kAnswering) return arm();
        uint32_t delay = delay_ms(*call_->request);
        if (!delay) return answer();
        new QueuedCall(service_, queue_);
        state_ = State::kDelayed;
        alarm_ = std::make_unique<grpc::Alarm>();
        alarm_->Set(queue_, in_ms(delay), this);
    }

private:
    struct Call {
        grpc::ServerContext context;
        Arena arena{arena_options()};
        Request *request = Arena::CreateMessage<Request>(&arena);
        grpc::ServerAsyncResponseWriter<Reply> writer{&context};
    };
    QueuedPeer *service_;
    grpc::ServerCompletionQueue *queue_;
    enum class State { kWaiting, kDelayed, kAnswering } state_ = State::kWaiting;
    std::unique_ptr<Call> call_;
    std::unique_ptr<grpc::Alarm> alarm_;

    void answer() {
        state_ = State::kAnswering;
        auto *reply = Arena::CreateMessage<Reply>(&call_->arena);
        Handle(*call_->request, reply);
        call_->writer.Finish(*reply, grpc::Status::OK, this);
    }
    void arm() {
        state_ = State::kWaiting;
        call_ = std::make_unique<Call>();
        (service_->*Await)(&call_->context, call_->request, &call_->writer, queue_, queue_, this);
    }
};
using QueuedEcho = QueuedCall<peer::EchoMessage, peer::EchoMessage, &QueuedPeer::RequestEcho, echo>;
using QueuedNearby = QueuedCall<peer::NearbyRequest, peer::NearbyReply, &QueuedPeer::RequestNearby, nearby>;

int main(int argc, char **argv) {
    Options options(argc, argv);
    if (*options.text("--points"))
        places.load(options.text("--points"), static_cast<unsigned>(options.integer("--shard", 0)),
                    static_cast<unsigned>(options.integer("--shards", 1)));
    bool queued = !std::strcmp(options.text("--api", "callback"), "queue");
    CallbackPeer callback;
    QueuedPeer asynchronous;
    grpc::Service *service = &callback;
    if (queued) service = &asynchronous;
    serve(service, queued, [&](grpc::ServerCompletionQueue *queue) {
        for (int i = 0; i < kArmedCalls; i++) {
            new QueuedEcho(&asynchronous, queue);  // lives as long as the server
            new QueuedNearby(&asynchronous, queue);
        }
    });
}
