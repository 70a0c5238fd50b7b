import EventLoops
import RPC

/// Reads a stream of changes. When it breaks it is reopened, from where it broke.
struct Watch<Progress: WatchProgress> {
    /// What a watch shows.
    enum Event {
        case message(Progress.Message)
        /// The stream broke; it is opened again soon.
        case broken
    }

    /// Whether to continue when there is nothing more to wait for.
    var follows = false
    /// When to give up; nil for never.
    var deadline: MonotonicTime?
    var now: @Sendable () -> MonotonicTime = { .now }
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    private static var backoff: Backoff { Backoff(first: .milliseconds(200), longest: .seconds(5)) }

    private static var late: RPCError { RPCError(.deadlineExceeded, "it was not over when the time was up") }

    /// Runs until the progress is settled, or the watched object was deleted. A target that can't be reached from the
    /// start is an error; one that goes away later is waited for.
    /// - Parameters:
    ///   - open: starts the stream after what is known.
    ///   - show: called with each event, and the progress after it.
    func run<Stream: AsyncSequence>(
        _ progress: inout Progress, open: (Progress) -> Stream, show: (Event, Progress) throws -> Void
    ) async throws where Stream.Element == Progress.Message {
        var backoff = Self.backoff
        var random = SystemRandomNumberGenerator()
        while true {
            do {
                for try await message in open(progress) {
                    backoff.reset()
                    progress.apply(message)
                    try show(.message(message), progress)
                    if progress.isGone || progress.isSettled && !follows { return }
                }
                // A stream without an end has ended: the server is about to stop.
            } catch {
                guard progress.hasBegun, let code = (error as? RPCError)?.code else { throw error }
                if code == .deadlineExceeded { throw Self.late }
                guard code == .unavailable || code == .aborted else { throw error }
            }
            try show(.broken, progress)
            try await wait(backoff.next(using: &random))
        }
    }

    private func wait(_ delay: Duration) async throws {
        guard let deadline else { return try await pause(delay) }
        try await pause(min(delay, deadline.since(now())))
        guard now() < deadline else {
            throw Self.late
        }
    }
}

/// What a watch has received so far, combined message by message. It knows from where the watch resumes.
protocol WatchProgress: Sendable {
    associatedtype Message: Sendable

    /// Applies an update.
    mutating func apply(_ message: Message)

    /// Whether what was waited for has arrived: nothing more comes by itself.
    var isSettled: Bool { get }
    /// Whether the watched object was deleted. Nothing follows.
    var isGone: Bool { get }
    /// Whether anything was received yet.
    var hasBegun: Bool { get }
}
