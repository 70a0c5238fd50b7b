// gRPC C++ fan-out: Explore asks Nearby of every backend in parallel and merges the replies.
//   grpc_gateway --api callback|queue --backends PORT,PORT,PORT
#include <atomic>
#include <string>
#include "../common/options.h"
#include "grpc_arena.h"
#include "grpc_queue.h"
#include "merge.h"
#include "peer.grpc.pb.h"

using google::protobuf::Arena;
using peer::NearbyReply;
using peer::NearbyRequest;

static std::array<std::unique_ptr<peer::Peer::Stub>, kBackends> backends;

static const grpc::Status kBackendFailed(grpc::StatusCode::UNAVAILABLE, "a backend failed");

struct CallbackGateway final : peer::Gateway::CallbackService {
    ArenaAllocator<NearbyRequest, NearbyReply> allocator;
    CallbackGateway() { SetMessageAllocatorFor_Explore(&allocator); }

    struct FanOut {
        std::array<grpc::ClientContext, kBackends> contexts;
        Replies replies;
        std::atomic<size_t> left{kBackends}, failed{0};
    };
    grpc::ServerUnaryReactor *Explore(grpc::CallbackServerContext *context, const NearbyRequest *request,
                                      NearbyReply *merged) override {
        auto *reactor = context->DefaultReactor();
        auto *fan = new FanOut;
        fan->replies = new_replies(merged->GetArena());
        for (size_t i = 0; i < kBackends; i++)
            backends[i]->async()->Nearby(&fan->contexts[i], request, fan->replies[i], [=](grpc::Status status) {
                if (!status.ok()) fan->failed++;
                if (--fan->left) return;
                bool failed = fan->failed > 0;
                if (!failed) merge(fan->replies, request->limit(), merged);
                delete fan;
                reactor->Finish(failed ? kBackendFailed : grpc::Status::OK);
            });
        return reactor;
    }
};

using QueuedGateway = peer::Gateway::AsyncService;

/// One slot of the queue gateway: waits for a call, fans it out, answers, and waits again.
class QueuedExplore final : public Tag {
public:
    QueuedExplore(QueuedGateway *service, grpc::ServerCompletionQueue *queue) : service_(service), queue_(queue) {
        for (auto &branch : branches_) branch.parent = this;
        arm();
    }
    void proceed(bool ok) override {
        if (!ok || answering_) return arm();
        answering_ = true;
        call_->replies = new_replies(&call_->arena);
        for (size_t i = 0; i < kBackends; i++) {
            call_->readers[i] = backends[i]->AsyncNearby(&call_->contexts[i], *call_->request, queue_);
            call_->readers[i]->Finish(call_->replies[i], &call_->statuses[i], &branches_[i]);
        }
    }

private:
    struct Branch final : Tag {
        QueuedExplore *parent;
        void proceed(bool) override { parent->branch_finished(); }
    };
    struct Call {
        Arena arena{arena_options()};
        grpc::ServerContext context;
        NearbyRequest *request = Arena::CreateMessage<NearbyRequest>(&arena);
        grpc::ServerAsyncResponseWriter<NearbyReply> writer{&context};
        std::array<grpc::ClientContext, kBackends> contexts;
        std::array<grpc::Status, kBackends> statuses;
        std::array<std::unique_ptr<grpc::ClientAsyncResponseReader<NearbyReply>>, kBackends> readers;
        Replies replies;
        size_t left = kBackends;
    };
    QueuedGateway *service_;
    grpc::ServerCompletionQueue *queue_;
    bool answering_ = false;
    std::array<Branch, kBackends> branches_;
    std::unique_ptr<Call> call_;

    void arm() {
        answering_ = false;
        call_ = std::make_unique<Call>();
        service_->RequestExplore(&call_->context, call_->request, &call_->writer, queue_, queue_, this);
    }
    void branch_finished() {
        if (--call_->left) return;
        for (const auto &status : call_->statuses)
            if (!status.ok()) return call_->writer.FinishWithError(kBackendFailed, this);
        auto *merged = Arena::CreateMessage<NearbyReply>(&call_->arena);
        merge(call_->replies, call_->request->limit(), merged);
        call_->writer.Finish(*merged, grpc::Status::OK, this);
    }
};

static void connect_backends(const char *ports) {
    for (auto &backend : backends) {
        char *end;
        std::string address = "127.0.0.1:" + std::to_string(std::strtol(ports, &end, 10));
        auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
        if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) fail("backend");
        backend = peer::Peer::NewStub(channel);
        ports = end + (*end == ',');
    }
}

int main(int argc, char **argv) {
    Options options(argc, argv);
    connect_backends(options.text("--backends"));
    bool queued = !std::strcmp(options.text("--api", "callback"), "queue");
    CallbackGateway callback;
    QueuedGateway asynchronous;
    grpc::Service *service = &callback;
    if (queued) service = &asynchronous;
    serve(service, queued, [&](grpc::ServerCompletionQueue *queue) {
        for (int i = 0; i < kArmedCalls; i++) new QueuedExplore(&asynchronous, queue);  // live as long as the server
    });
}
