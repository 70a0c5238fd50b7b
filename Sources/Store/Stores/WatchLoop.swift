internal import EventLoops
internal import RPC
package import Storage

/// The loop of every watch: it sends at once what its client does not have, and then what is new whenever the subject
/// has changed, here or at another replica. A watch that only waits costs nothing.
package struct WatchLoop: Sendable {
    /// What one look has come to.
    package enum Look: Sendable {
        /// There is more to send at once.
        case more
        /// There was nothing to send: the next change is looked at as soon as it comes.
        case idle
        /// The next look comes after the pace at the earliest: small changes are collected until then.
        case paced
        /// The watch is over.
        case end
    }

    private let notices: Notices
    private let subject: String
    private let pace: Duration

    /// - Parameter pace: the shortest time between two answers that nothing urgent brings.
    package init(_ notices: Notices, of subject: String, pace: Duration) {
        self.notices = notices
        self.subject = subject
        self.pace = pace
    }

    /// Runs until a look ends it, the task is cancelled, or the service stops.
    /// - Parameters:
    ///   - isUrgent: whether there is news that does not wait for the pace.
    ///   - look: sends what is new.
    package func run(
        isUrgent: () async throws -> Bool = { false }, _ look: () async throws -> Look
    ) async throws {
        try await notices.watching(subject) { bell in
            while true {
                let count = bell.count
                if notices.isClosed { throw RPCError(.unavailable, "the service is stopping; watch again") }
                switch try await look() {
                case .end: return
                case .more: continue
                case .idle: break
                case .paced: try await debounce(bell, isUrgent)
                }
                await bell.wait(after: count)
                try Task.checkCancellation()
            }
        }
    }

    /// Returns when the pace is over, or earlier when there is urgent news.
    private func debounce(_ bell: Bell, _ isUrgent: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + pace
        while true {
            let count = bell.count
            let left = end - .now
            guard left > .zero, try await !isUrgent(), !notices.isClosed else { return }
            await bell.wait(after: count, timeout: left)
            try Task.checkCancellation()
        }
    }
}
