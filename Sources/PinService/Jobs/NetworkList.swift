import ServiceRuntime

/// Keeps itself informed of which live networks the places service can ask.
struct NetworkList: Sendable {
    /// Between two questions; shorter as long as there was no answer.
    private static let interval: Duration = .seconds(30)
    private static let retry: Duration = .seconds(1)

    let networks: PinNetworks
    let finder: any PlaceFinder
    let log: Log?

    /// Asks until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let wait: Duration
            do throws(PeerError) {
                networks.setLive(try await finder.liveNetworks())
                wait = Self.interval
            } catch {
                log?.debug("the places service did not tell its networks", ["reason": "\(error)"])
                wait = Self.retry
            }
            try? await Task.sleep(for: wait)
        }
    }
}
