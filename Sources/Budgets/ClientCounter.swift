internal import Synchronization

/// Counts something that clients have open, connections or watches, and divides the limit among them.
package final class ClientCounter: Sendable {
    private let shares: Mutex<FairShares>

    /// - Parameter limit: how many all clients together may have.
    package init(limit: Int) { shares = Mutex(FairShares(limit: limit)) }

    /// Counts one more for a client; false when it already has its share.
    package func open(_ client: ClientKey, _ standing: ClientStanding = .known) -> Bool {
        shares.withLock { $0.take(1, for: client, standing) }
    }

    /// Counts one less.
    package func close(_ client: ClientKey) { shares.withLock { $0.give(1, of: client) } }

    /// How many are open.
    package var count: Int { shares.withLock { $0.taken } }
}
