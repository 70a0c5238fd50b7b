import EventLoops
import Glibc
import TestSupport
import TestTools
import Testing

@Suite("A peer on the same machine", .timeLimit(.minutes(3)))
struct SharedProcessorTests {
    /// The two ends of a connection.
    private final class Ends: Sendable {
        let own: Socket
        let peer: Int32

        init() throws {
            let any = try #require(try Endpoint(host: "127.0.0.1", port: 0).resolve().first)
            let listener = try Socket.listening(on: any)
            let port = try #require(listener.localAddress?.port)
            peer = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let result = unsafe Loopback.withAddress(port) { [peer] in unsafe connect(peer, $0, $1) }
            try #require(result == 0)
            guard let accepted = try listener.accept() else { throw RawSocketError.ended }
            own = accepted
        }

        deinit { close(peer) }

        func send() { _ = unsafe Glibc.send(peer, "x", 1, Int32(MSG_NOSIGNAL)) }

        func receive() throws -> Bool {
            var byte: UInt8 = 0
            while try unsafe withUnsafeMutableBytes(of: &byte, { try unsafe own.read(into: $0) }) == nil {}
            return own.sharesProcessorWithPeer
        }
    }

    @Test(
        "takes turns with us when it sends from our processor, and not when it sends from another one",
        .enabled(if: Processors.count > 1, "on one processor all take turns"))
    func processors() async throws {
        let processors = try Self.usable()
        let ends = try await pinned(to: processors[0]) { try Ends() }
        for (sender, isShared) in [(processors[0], true), (processors[1], false), (processors[0], true)] {
            try await pinned(to: sender) { ends.send() }
            let takesTurns = try await pinned(to: processors[0]) { try ends.receive() }
            #expect(takesTurns == isShared)
        }
    }

    /// Runs `body` on a thread of its own that stays on one processor.
    private func pinned<Value: Sendable>(
        to processor: Int, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        var thread: PosixThread?
        defer { thread?.join() }
        return try await withCheckedThrowingContinuation { continuation in
            thread = PosixThread(name: "pinned") {
                continuation.resume(
                    with: Result {
                        // "<process>/task/<thread>"
                        let link = try #require(unsafe realpath("/proc/thread-self", nil))
                        defer { unsafe free(link) }
                        let thread = try #require(unsafe String(cString: link).split(separator: "/").last)
                        try #require(system("taskset -cp \(processor) \(thread) >/dev/null") == 0)
                        return try body()
                    })
            }
        }
    }

    /// The numbers of the processors that may be used: "0-2,5" in a file of the system.
    private static func usable() throws -> [Int] {
        let status = try WholeFile.text("/proc/self/status").split(separator: "\n")
        let line = try #require(status.first { $0.hasPrefix("Cpus_allowed_list:") })
        return line.split(whereSeparator: \.isWhitespace)[1].split(separator: ",").flatMap { part in
            let ends = part.split(separator: "-").compactMap { Int($0) }
            return Array(ends[0]...ends[ends.count - 1])
        }
    }
}
