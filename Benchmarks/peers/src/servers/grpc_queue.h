// One completion queue drained by one thread: gRPC C++'s asynchronous server API at its leanest.
#pragma once
#include <grpcpp/grpcpp.h>

/// What comes back from a completion queue.
struct Tag {
    virtual void proceed(bool ok) = 0;
    virtual ~Tag() = default;
};

constexpr int kArmedCalls = 128;  // calls that can arrive at once; above every --outstanding we use

/// Starts `server` with the service on a free port, says so, and runs it for ever. With a queue,
/// `arm(queue)` posts the first calls.
template <class Arm>
void serve(grpc::Service *service, bool queued, Arm arm) {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(service);
    std::unique_ptr<grpc::ServerCompletionQueue> queue;
    if (queued) queue = builder.AddCompletionQueue();
    auto server = builder.BuildAndStart();
    if (!server || !port) std::_Exit(2);
    if (queued) arm(queue.get());
    std::printf("READY port=%d\n", port);
    std::fflush(stdout);
    void *tag;
    bool ok;
    while (queued && queue->Next(&tag, &ok)) static_cast<Tag *>(tag)->proceed(ok);
    server->Wait();
}
