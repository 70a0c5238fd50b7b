package import EventLoops
package import Geo

/// Keeps which cells of the grid are known of which network, and which search is asking for which. So an area is not
/// asked about again until the answer has expired, and no two searches ask for the same cell at once. A database
/// fulfils it.
package protocol AreaLedger: Sendable {
    /// Rung when cells were asked for, whatever came of it.
    var bell: Bell { get }

    /// Leases the cells that are not known and that no other search asks for. A cell is known when it was fetched at
    /// `notBefore` or later and has not expired.
    func claim(_ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at now: Int64) async throws -> AreaClaim

    /// The cells are known; those that another has taken over meanwhile, too.
    func known(_ cells: [GridCell], of network: String, fetched: Int64, expires: Int64) async throws

    /// Keeps what is leased for a while longer.
    func renew(_ lease: AreaLease, at now: Int64) async throws

    /// Lets go of what was not asked for in the end.
    func free(_ lease: AreaLease) async throws
}

/// What is to be done for some cells to be known.
package struct AreaClaim: Equatable, Sendable {
    /// Those that the caller is to ask for.
    package var mine: [GridCell] = []
    /// Whether another search is asking for some.
    package var isOthers = false

    package init() {}
}

/// Who asks for cells, and for how long others leave them to it.
package struct AreaLease: Sendable {
    /// From when it was taken or renewed.
    package static let milliseconds: Int64 = 90_000
    /// When to renew it.
    static let renewal: Duration = .milliseconds(milliseconds / 3)

    package let network: String
    /// Not 0; drawn at random, so that no other search has the same.
    package let number: Int64

    package init(network: String) {
        self.network = network
        number = .random(in: 1...Int64.max)
    }
}
