import Wire

/// How a server fares, as it was told last. There is no end to it.
struct StatsProgress: WatchProgress {
    private(set) var stats = ServerStats()
    private(set) var hasBegun = false
    let isSettled = false
    let isGone = false

    mutating func apply(_ message: WatchStatsResponse) {
        hasBegun = true
        stats = message.stats ?? ServerStats()
    }
}
