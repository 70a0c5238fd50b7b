import Synchronization

/// Lets a few lines of each kind per second through, and counts the others.
final class LogPace<Kind: Hashable & Sendable>: Sendable {
    private struct Second {
        var second: Int64 = 0
        var lines = 0
        var dropped = 0
    }

    private let maximumLines: Int
    /// One entry for each kind; there are only as many as the program has.
    private let seconds = Mutex<[Kind: Second]>([:])

    /// - Parameter lines: how many per second.
    init(lines: Int) { maximumLines = lines }

    /// Counts one line in second `now` since 1970. Returns whether it is to be written, and how many were dropped since
    /// the last one that was.
    func add(_ kind: Kind, at now: Int64) -> (isLogged: Bool, dropped: Int) {
        seconds.withLock { seconds in
            var second = seconds[kind] ?? Second()
            if now != second.second { (second.second, second.lines) = (now, 0) }
            defer { seconds[kind] = second }
            guard second.lines < maximumLines else {
                second.dropped += 1
                return (false, 0)
            }
            second.lines += 1
            defer { second.dropped = 0 }
            return (true, second.dropped)
        }
    }
}
