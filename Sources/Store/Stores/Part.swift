package import Daemon
package import RPC
package import Storage

/// A feature of a service: in one place all that its process has to know of it. A service is the list of its parts, in
/// the order of their tables. What a part does not have it leaves out.
package protocol Part: Sendable {
    /// The steps that make its tables.
    static var migrations: [Migration] { get }
    /// Deletes rows of a deleted account that may be too many for one transaction, stored up to a time; returns whether
    /// there may be more.
    static func eraseSome(
        of account: String, upTo time: Int64, at now: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> Bool
    /// Deletes all other rows of a deleted account, and requests what has to be done for it elsewhere.
    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError)

    /// The services that it answers. Asked once.
    var services: [any RPCService] { get }
    /// The kinds of its jobs. Asked once.
    var jobs: [JobKind] { get }
    var families: [MetricFamily] { get }
    /// Deletes what is no longer needed, `limit` rows of a kind at most; returns how many it were.
    func forget(at now: Int64, limit: Int, _ transaction: borrowing Transaction) throws(SQLError) -> Int
    /// What has to be done before the first call. The parts before it in the list have done it.
    func begin() async throws
    /// What it does besides jobs until its task is cancelled.
    func run() async
    /// Releases what it holds.
    func close() async
}

extension Part {
    package static var migrations: [Migration] { [] }
    package static func eraseSome(
        of account: String, upTo time: Int64, at now: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> Bool { false }
    package static func erase(
        _ account: String, at now: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) {}

    package var services: [any RPCService] { [] }
    package var jobs: [JobKind] { [] }
    package var families: [MetricFamily] { [] }
    package func forget(
        at now: Int64, limit: Int, _ transaction: borrowing Transaction
    ) throws(SQLError) -> Int { 0 }
    package func begin() async throws {}
    package func run() async {}
    package func close() async {}
}
