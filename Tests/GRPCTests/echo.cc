// Calls each method of the echo at HOST:PORT by gRPC's client for C++; says which call was not as it has to be.

#include <grpcpp/grpcpp.h>

#include <iostream>

#include "waymark/rpc/v1/echo.grpc.pb.h"

using namespace waymark::rpc::v1;

static std::chrono::system_clock::time_point in(int milliseconds) {
  return std::chrono::system_clock::now() + std::chrono::milliseconds(milliseconds);
}

static void need(bool condition, const std::string &sentence) {
  if (condition) return;
  std::cerr << sentence << "\n";
  exit(1);
}

int main(int, char **arguments) {
  auto stub = EchoService::NewStub(grpc::CreateChannel(arguments[1], grpc::InsecureChannelCredentials()));
  const std::string payload(100000, 'x');
  for (auto compression : {GRPC_COMPRESS_NONE, GRPC_COMPRESS_GZIP}) {
    grpc::ClientContext context;
    context.set_compression_algorithm(compression);
    context.set_deadline(in(60000));
    context.set_wait_for_ready(true);
    EchoRequest request;
    EchoResponse answer;
    request.set_payload(payload);
    auto status = stub->Echo(&context, request, &answer);
    need(status.ok() && answer.payload() == payload, "Echo: " + status.error_message());
  }
  {
    grpc::ClientContext context;
    EchoStreamRequest request;
    EchoStreamResponse answer;
    request.set_count(1000);
    auto reader = stub->EchoStream(&context, request);
    unsigned count = 0;
    while (reader->Read(&answer)) need(answer.index() == count++, "EchoStream: an answer is missing");
    need(reader->Finish().ok() && count == 1000, "EchoStream: it ends too early");
  }
  {
    grpc::ClientContext context;
    EchoJoinedRequest request;
    EchoJoinedResponse answer;
    request.set_payload("ab");
    auto writer = stub->EchoJoined(&context, &answer);
    for (int index = 0; index < 100; index++) writer->Write(request);
    writer->WritesDone();
    need(writer->Finish().ok() && answer.count() == 100 && answer.payload().size() == 200, "EchoJoined");
  }
  {
    grpc::ClientContext context;
    EchoEachRequest request;
    EchoEachResponse answer;
    auto both = stub->EchoEach(&context);
    for (unsigned index = 0; index < 100; index++)
      need(both->Write(request) && both->Read(&answer) && answer.index() == index, "EchoEach");
    both->WritesDone();
    need(!both->Read(&answer) && both->Finish().ok(), "EchoEach: its end");
  }
  {
    grpc::ClientContext context;
    EchoRequest request;
    EchoResponse answer;
    request.mutable_delay()->set_seconds(5);
    context.set_deadline(in(100));
    need(stub->Echo(&context, request, &answer).error_code() == grpc::DEADLINE_EXCEEDED, "a deadline");
  }
  grpc::ClientContext context;
  EchoRequest request;
  EchoResponse answer;
  request.mutable_delay()->set_seconds(9);
  auto status = stub->Echo(&context, request, &answer);
  need(status.error_code() == grpc::INVALID_ARGUMENT && !status.error_details().empty(), "an error with details");
  std::cout << "all calls of gRPC C++ " << grpc::Version() << " are answered\n";
}
