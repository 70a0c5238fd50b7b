import EventLoops

/// How long a search may run, checked every few thousand candidates.
enum SearchPace {
    /// Candidates that are tested on an event loop; a search that needs more moves to a thread of its own.
    static let candidatesOnLoop = 20_000
    /// Candidates on the loop of a search by name, where each costs more.
    static let namesOnLoop = 4_096

    /// Thrown to leave the loop.
    struct TakesLong: Error {}

    static func onLoop(byName: Bool) -> (Int) throws -> Void {
        let most = byName ? namesOnLoop : candidatesOnLoop
        return { tested in if tested >= most { throw TakesLong() } }
    }

    static func until(_ deadline: MonotonicTime?, _ isStopped: StopFlag) -> (Int) throws -> Void {
        return { _ in
            if isStopped.isSet { throw PlacesError.cancelled }
            if let deadline, MonotonicTime.now >= deadline { throw PlacesError.tooLate }
        }
    }
}
