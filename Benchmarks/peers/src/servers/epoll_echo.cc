// The floor of any RPC on this kernel: frames go back as they came, from one epoll thread.
#include "epoll_server.h"

int main() {
    serve([](Stream &stream, const uint8_t *payload, size_t count) {
        stream.append_head(count);
        stream.append(payload, count);
    });
}
