// A libFuzzer target, built by script/fuzz with HTTP: a real server on a loop of its own, called over TCP.
//
// The first byte of an input says how it is sent. Odd: the rest as it is, which is HTTP/1.1, or a preface that is none.
// Even: a preface, and then frames of four bytes and a payload each, so that what is varied still is a frame:
// kind, flags, stream, length. What must hold: nothing crashes; what comes back is whole frames, none on a stream that
// the server has ended; once the connection is over nothing of it is held in memory.

import Budgets
import EventLoops
import Glibc
import Synchronization

/// Answers by the path: with the body, with what is written while it is sent, with parts as they come, or late.
private struct DoorResponder: HTTPResponder {
    func begin(_ head: HTTPRequest) -> any HTTPWork { DoorWork(path: head.path) }
}

private struct DoorWork: HTTPWork {
    let path: String

    var takesParts: Bool { path == "/parts" }
    var timeLimit: Duration? { path == "/late" ? .milliseconds(1) : nil }
    var bodyLimit: HTTPBodyLimit? { path == "/short" ? HTTPBodyLimit(10) : nil }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch path {
        case "/written":
            return HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    for _ in 0..<4 { try await writer.write([UInt8](repeating: 7, count: 20_000)) }
                    try await writer.finish([1], trailers: [("end", "yes")])
                })
        case "/parts":
            return HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    while let part = try await request.parts?.next() { try await writer.write(part) }
                    try await writer.finish([], trailers: [("end", "yes")])
                })
        case "/late":
            // Until it is cancelled.
            for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
            return HTTPResponse(200, text: "late")
        default:
            var response = HTTPResponse(200, body: .bytes(request.body))
            if path == "/behind" { response.trailers = [("end", "yes")] }
            return response
        }
    }
}

/// The server that all inputs are sent to.
private let door: (server: HTTPServer, port: UInt16) = {
    let listens = Mutex(false)
    let port = Mutex(UInt16(0))
    guard let group = try? EventLoopGroup(count: 1),
        let any = try? Endpoint(host: "127.0.0.1", port: 0).resolve().first
    else { fatalError("no loop") }
    var limits = HTTPLimits()
    (limits.bodyBytes, limits.strangersBodyBytes) = (32 << 10, 32 << 10)
    let server = HTTPServer(DoorResponder(), group: group, limits: limits)
    Task.detached {
        guard let address = try? await server.listen(on: any) else { fatalError("no port") }
        port.withLock { $0 = address.port }
        listens.withLock { $0 = true }
    }
    while !listens.withLock({ $0 }) { sched_yield() }
    return (server, port.withLock { $0 })
}()

/// What a client sends for an input.
private func sent(_ input: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = input.first else { return [] }
    if first & 1 == 1 { return Array(input.dropFirst()) }
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    var (rest, bytes) = (input.dropFirst(), preface + frame(4, 0, 0, []))
    while rest.count >= 4 {
        let head = Array(rest.prefix(4))
        rest = rest.dropFirst(4)
        var payload = Array(rest.prefix(Int(head[3])))
        rest = rest.dropFirst(payload.count)
        // Frames of bodies are long at times, heads begin as those of a request do.
        if head[0] & 64 != 0, head[0] & 15 == 0 { payload += [UInt8](repeating: 5, count: 64 * payload.count) }
        if head[0] & 64 != 0, head[0] & 15 == 1 { payload = request(of: head[0] >> 4 & 3, payload) }
        bytes += frame(head[0] & 15, head[1], head[2], Array(payload.prefix(16_384)))
    }
    return bytes
}

private let paths = ["/", "/parts", "/written", "/behind", "/late", "/short"]

/// A block of fields that a request needs, each literal (RFC 7541, 6.2.2), and those that follow.
private func request(of kind: UInt8, _ rest: [UInt8]) -> [UInt8] {
    let path = paths[Int(rest.first ?? 0) % paths.count]
    let fields = [
        (":method", kind & 1 == 0 ? "POST" : "HEAD"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
    ]
    var block: [UInt8] = []
    for (name, value) in fields {
        block += [0, UInt8(name.utf8.count)]
        block += name.utf8
        block.append(UInt8(value.utf8.count))
        block += value.utf8
    }
    return block + rest.dropFirst()
}

private func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let length: [UInt8] = [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
    return length + [kind, flags, 0, 0, 0, stream] + payload
}

/// Sends all, and reads until the server closes; in HTTP/1.1 that may take as long as connections idle, so there the
/// client closes once nothing comes.
private func answer(to bytes: [UInt8], isOld: Bool) -> [UInt8] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = door.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { return [] }
    var patience = isOld ? timeval(tv_sec: 0, tv_usec: 5_000) : timeval(tv_sec: 4, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    _ = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    }
    if !isOld { shutdown(descriptor, Int32(SHUT_WR)) }
    var (answer, room) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
        let count = unsafe room.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        precondition(
            isOld || count >= 0 || errno == ECONNRESET, "the server keeps a connection that its client has ended")
        guard count > 0 else { return answer }
        answer += room.prefix(count)
    }
}

/// Whole frames, and none on a stream that was ended.
private func check(_ answer: [UInt8]) {
    var (rest, ended) = (answer[...], Set<UInt32>())
    while rest.count >= 9 {
        let head = Array(rest.prefix(9))
        let length = head.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        precondition(length <= 16_384 && head[3] <= 9, "a frame that no client has to take")
        // The connection may end within a frame.
        rest = rest.dropFirst(9 + length)
        let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard head[3] < 2 || head[3] == 3 else { continue }
        precondition(stream % 2 == 1, "an answer on a stream that no client began")
        if head[3] != 3 { precondition(!ended.contains(stream), "a stream goes on behind its end") }
        if head[3] == 3 || head[4] & 1 == 1 { ended.insert(stream) }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzDoor(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let isOld = (input.first ?? 1) & 1 == 1
    let answer = answer(to: sent(input[...]), isOld: isOld)
    if !isOld { check(answer) }
    for _ in 0..<4_000_000 where door.server.heldBytes > 0 { sched_yield() }
    precondition(door.server.heldBytes == 0, "memory is held for a connection that is over")
    return 0
}

extension HTTPServer { fileprivate var heldBytes: Int { memory.usage.held } }
