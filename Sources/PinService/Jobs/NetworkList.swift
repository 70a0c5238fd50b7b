import Daemon

/// Keeps the list of live networks that the places service can ask up to date.
struct NetworkList: Sendable {
    /// The interval between two requests; shorter as long as there was no answer.
    private static let interval: Duration = .seconds(30)
    private static let retry: Duration = .seconds(1)

    let networks: PinNetworks
    let finder: any PlaceFinder
    let log: Log?

    /// Asks once, so that the first pin after a start is searched for in all networks. Returns after `patience` at the
    /// latest.
    func begin(patience: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await ask() }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Asks until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let wait = await ask() ? Self.interval : Self.retry
            try? await Task.sleep(for: wait)
        }
    }

    /// Whether there was an answer.
    private func ask() async -> Bool {
        do throws(PeerError) {
            networks.setLive(try await finder.liveNetworks())
            return true
        } catch {
            log?.debug("the places service did not list its networks", ["reason": "\(error)"])
            return false
        }
    }
}
