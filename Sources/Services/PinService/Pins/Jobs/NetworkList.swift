import Daemon
import EventLoops

/// Follows which live networks the places service asks. Pins without any place are searched again when there is one
/// that was not asked for them; so is a pin that was made after a network was switched on, and before that was heard.
struct NetworkList: Sendable {
    /// How much later than a switch its news may come, in milliseconds.
    private static let lateness: Int64 = 10_000

    let store: PinStore
    let networks: PinNetworks
    let finder: any PlaceFinder
    let clock: WallClock
    let log: Log?

    /// Asks once, so that the first pin after a start is searched for in all networks. Returns after `patience` at the
    /// latest.
    func begin(patience: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await ask() }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Follows until the task is cancelled.
    func run() async {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            do {
                try await finder.followNetworks { names in
                    backoff.reset()
                    try await take(names)
                }
            } catch {
                log?.debug("the watch of the places service's networks ended", ["reason": "\(error)"])
                // One of an earlier version can only be asked.
                await ask()
            }
            try? await Task.sleep(for: backoff.next(using: &random))
        }
    }

    private func ask() async {
        do throws(PeerError) {
            networks.setLive(try await finder.liveNetworks())
        } catch {
            log?.debug("the places service did not list its networks", ["reason": "\(error)"])
        }
    }

    private func take(_ names: [String]) async throws {
        networks.setLive(names)
        let now = clock.unixMilliseconds
        let count = try await store.searchEmptyPins(
            madeSince: now - Self.lateness, networks.current, at: now)
        if count > 0 { log?.info("pins are searched again", ["count": "\(count)"]) }
    }
}
