import Contracts
import EventLoops
import HTTP
import RPC
import Wire

/// The timing of event streams.
struct EventPace: Sendable {
    /// The interval of comments: a reader that has gone is noticed by then at the latest.
    var heartbeat: Duration = .seconds(15)
    /// How long a watch that broke off waits before it is started again, longer each time.
    var pauses: ClosedRange<Duration> = .milliseconds(250) ... .seconds(10)
}

/// One client's stream of events: each watch is a task, and regular comments show that the connection is alive.
struct EventStream: Sendable {
    /// The delay after which a browser reconnects, in milliseconds.
    private static let greeting = "retry: 1000\n: watching\n\n"

    let server: Server
    let watches: [WatchedMethod]
    let caller: Caller
    let progress: EventProgress
    let pace: EventPace

    /// Runs until the reader leaves or the gateway stops.
    func run(_ writer: HTTPBodyWriter) async throws {
        try await writer.write(Array(Self.greeting.utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in watches.indices { group.addTask { try await watch(index, writer) } }
            group.addTask { try await beat(writer) }
            try await group.waitForAll()
        }
    }

    private func beat(_ writer: HTTPBodyWriter) async throws {
        while true {
            try await Task.sleep(for: pace.heartbeat)
            try await writer.write(Array(":\n\n".utf8))
        }
    }

    /// Starts the watch again from where it was when its service was unavailable.
    private func watch(_ index: Int, _ writer: HTTPBodyWriter) async throws {
        var backoff = Backoff(first: pace.pauses.lowerBound, longest: pace.pauses.upperBound)
        var random = SystemRandomNumberGenerator()
        while true {
            let before = progress[index]
            let failure = await follow(index, writer)
            try Task.checkCancellation()
            guard let failure, Self.isPassing(failure) else { return try await writer.write(last(index, failure)) }
            if progress[index] != before { backoff.reset() }
            try await Task.sleep(for: backoff.next(using: &random))
        }
    }

    /// Runs a watch once; returns why it broke off, nil when it has ended.
    private func follow(_ index: Int, _ writer: HTTPBodyWriter) async -> RPCError? {
        let watch = watches[index]
        let from = WatchMark(version: progress[index]).packedBytes()
        let sink = EventSink(index: index, output: watch.method.output, progress: progress, writer: writer)
        do throws(RPCError) {
            let context = try caller.context(watch.method.descriptor)
            // Concatenated protobuf messages are merged: the version is appended to the rest of the request.
            try await server.answer(context, to: sink) { watch.request + from }
            return nil
        } catch {
            return error
        }
    }

    private static func isPassing(_ error: RPCError) -> Bool {
        switch error.code {
        case .unavailable, .resourceExhausted, .deadlineExceeded, .aborted, .cancelled, .unknown: true
        default: false
        }
    }

    /// The event that reports how a watch has ended.
    private func last(_ index: Int, _ failure: RPCError?) -> [UInt8] {
        let reason = failure.map { ConnectError($0.naming(caller.requestID)).json }
        let end = reason.map { #""error":"# + String(decoding: $0, as: UTF8.self) } ?? #""end":true"#
        return Array("data: {\"watch\":\(index),\(end)}\n\n".utf8)
    }
}

/// Writes the answers of one watch as events.
private struct EventSink: AnswerSink {
    let index: Int
    let output: String
    let progress: EventProgress
    let writer: HTTPBodyWriter

    func write(packed bytes: [UInt8]) async throws {
        let message = try ConnectCodec.json.text(bytes, of: output)
        let version = try WatchMark(packed: bytes).version
        let id = progress.id(index, at: version)
        let head = "id: \(id)\ndata: {\"watch\":\(index),\"message\":"
        try await writer.write(Array(head.utf8) + message + Array("}\n\n".utf8))
        progress.sent(index, version)
    }
}
