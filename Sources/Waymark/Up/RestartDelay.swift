import EventLoops

/// How long a service that ended is left alone: doubling while it keeps ending, short again once it has lived.
struct RestartDelay: Equatable, Sendable {
    static let shortest: Duration = .milliseconds(200)
    static let longest: Duration = .seconds(10)
    /// Who lived for so long starts afresh.
    static let longLife: Duration = .seconds(30)

    /// How many restarts in a row there were.
    private(set) var attempt = 0

    /// The delay before the next restart of a process that lived for `life`.
    mutating func next(life: Duration) -> Duration {
        if life >= Self.longLife { attempt = 0 }
        attempt += 1
        var delay = Self.shortest
        for _ in 1..<attempt where delay < Self.longest { delay = delay * 2 }
        return min(delay, Self.longest)
    }
}
