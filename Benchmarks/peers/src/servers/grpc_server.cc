// gRPC C++: Echo, and Nearby over the in-memory index.
//   grpc_server --api callback|queue [--points F --shard I --shards N]
#include "../common/options.h"
#include "answer.h"
#include "grpc_arena.h"
#include "grpc_queue.h"
#include "peer.grpc.pb.h"

using google::protobuf::Arena;
static GeoIndex places;

static void echo(const peer::EchoMessage &request, peer::EchoMessage *reply) { reply->set_data(request.data()); }
static void nearby(const peer::NearbyRequest &request, peer::NearbyReply *reply) { answer(places, request, reply); }

struct CallbackPeer final : peer::Peer::CallbackService {
    ArenaAllocator<peer::NearbyRequest, peer::NearbyReply> allocator;
    CallbackPeer() { SetMessageAllocatorFor_Nearby(&allocator); }

    using Context = grpc::CallbackServerContext;
    grpc::ServerUnaryReactor *Echo(Context *context, const peer::EchoMessage *request,
                                   peer::EchoMessage *reply) override {
        echo(*request, reply);
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
};

using QueuedPeer = peer::Peer::AsyncService;

/// One slot of the queue server: waits for a call, answers it, and waits again.
template <class Request, class Reply, auto Await, void (*Handle)(const Request &, Reply *)>
class QueuedCall final : public Tag {
public:
    QueuedCall(QueuedPeer *service, grpc::ServerCompletionQueue *queue) : service_(service), queue_(queue) { arm(); }

    void proceed(bool ok) override {
        if (!ok || answering_) return arm();
        answering_ = true;
        auto *reply = Arena::CreateMessage<Reply>(&call_->arena);
        Handle(*call_->request, reply);
        call_->writer.Finish(*reply, grpc::Status::OK, this);
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
    bool answering_ = false;
    std::unique_ptr<Call> call_;

    void arm() {
        answering_ = false;
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
