/// How far a client is trusted with shared resources.
package enum ClientStanding: Int, Sendable {
    /// A service of ours, which calls for many clients: it may take all that is free.
    case trusted = 0
    /// A client that is let in: it may hold as much as stays free.
    case known = 1
    /// A client that has not yet proved who it is: a quarter of what stays free.
    case stranger = 4
}

/// Divides a limited number of things, bytes or connections, among clients so that none can take them all.
///
/// A client may hold at most as much as stays free. One alone gets half; where N clients take all that they can, each
/// has 1/(N + 1), and as much is free for the next client. (Dynamic thresholds: A. K. Choudhury, E. L.
/// Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM Transactions on Networking
/// 6(2), 1998.)
package struct FairShares: Sendable {
    /// How many there are.
    package let limit: Int
    /// How many all clients hold.
    package private(set) var taken = 0
    private var held: [ClientKey: Int] = [:]

    /// - Parameter limit: how many there are, 0 and more.
    package init(limit: Int) { self.limit = limit }

    /// How many a client holds.
    package func held(by client: ClientKey) -> Int { held[client] ?? 0 }

    /// How many clients hold some.
    package var clients: Int { held.count }

    /// Takes so many for a client; false when that would be too many.
    package mutating func take(_ amount: Int, for client: ClientKey, _ standing: ClientStanding) -> Bool {
        let before = held[client] ?? 0
        guard amount >= 0, amount <= limit - taken else { return false }
        let (weighted, overflow) = (before + amount).multipliedReportingOverflow(by: standing.rawValue)
        guard !overflow, weighted <= limit - taken - amount else { return false }
        taken += amount
        held[client] = before + amount
        return true
    }

    /// Gives back what was taken.
    package mutating func give(_ amount: Int, of client: ClientKey) {
        let before = held[client] ?? 0
        assert(amount <= before, "more is given back than was taken")
        // A mistake in counting must not be a way to stop the service.
        let given = min(max(amount, 0), before)
        taken -= given
        held[client] = before == given ? nil : before - given
    }
}
