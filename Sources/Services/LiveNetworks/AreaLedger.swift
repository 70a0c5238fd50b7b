package import EventLoops
package import Geo

/// Records which cells of the grid are known for which network, and which search is asking for which. So an area is not
/// asked about again until the answer has expired, and no two searches ask for the same cell at once. Implemented by a
/// database.
package protocol AreaLedger: Sendable {
    /// Rung when the requests for some cells have ended, with any result.
    var bell: Bell { get }

    /// Leases the cells that are not known and that no other search is asking for. A cell is known when it was fetched
    /// at `notBefore` or later and has not expired.
    func claim(_ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at now: Int64) async throws -> AreaClaim

    /// Marks the cells as known, including those that another search has taken over meanwhile.
    func known(_ cells: [GridCell], of network: String, fetched: Int64, expires: Int64) async throws

    /// Extends the lease.
    func renew(_ lease: AreaLease, at now: Int64) async throws

    /// Releases the cells that were not asked for in the end.
    func free(_ lease: AreaLease) async throws

    /// Whether a search has found the nearest that it is for, though not all cells are known.
    func isSettled(_ asker: NetworkAsker, of network: String, at now: Int64) async throws -> Bool

    /// Records that it has.
    func settle(_ asker: NetworkAsker, of network: String) async throws

    /// Forgets that it has, and what it has asked: it starts over.
    func restart(_ asker: NetworkAsker, of network: String) async throws
}

/// What has to be done to make some cells known.
package struct AreaClaim: Equatable, Sendable {
    /// The cells that the caller is to ask for.
    package var mine: [GridCell] = []
    /// Those that another search is asking for.
    package var others: [GridCell] = []

    var isOthers: Bool { !others.isEmpty }

    package init() {}
}

/// A search's lease on cells, and how long others leave them to it.
package struct AreaLease: Sendable {
    /// The duration of a lease from when it was taken or renewed.
    package static let milliseconds: Int64 = 24_000
    /// When to renew it.
    static let renewal: Duration = .milliseconds(milliseconds / 3)

    package let network: String
    /// Not 0; drawn at random, so that no other search has the same.
    package let number: Int64

    /// The name of the cells of a network that an account asks for.
    static func area(of network: String, for account: String) -> String { "\(network) for \(account)" }

    package init(network: String) {
        self.network = network
        number = .random(in: 1...Int64.max)
    }
}
