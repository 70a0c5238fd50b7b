import Budgets
package import Daemon
import EventLoops
import Geo
package import Requests
package import Storage
import Synchronization

/// Searches for rows around a point: candidates come from memory, and rows that were read before too. What memory lacks
/// is read in one transaction, from which the whole answer comes then.
package final class NearSearch: Sendable {
    /// Points that are tested on an event loop; a search that needs more runs on a storage thread.
    private static let testedOnLoop = 20_000
    /// How many rows at one distance are read for their order, beyond those that are asked for. A larger crowd is
    /// ordered by the table itself.
    private static let maximumTied = 400
    /// What rows in memory may take: a 64th of the machine's memory, or the container's, within these. A pin's message
    /// has some 200 bytes, a photo's 400: the least is 60,000 of them.
    package static let cacheBytes = min(max(MemoryLimit.ofProcess().bytes / 64, 24 << 20), 256 << 20)

    /// Thrown to leave the loop.
    private struct TakesLong: Error {}

    /// What a search found, and how.
    package struct Found: Sendable {
        let rows: PackedRows
        package let isTruncated: Bool
        let work: Work
    }

    /// What a search did.
    struct Work: Sendable {
        var indexCount = 0
        var visited = 0
        var tested = 0
        /// When the candidates were known, and the rows were begun to be gathered.
        let end: MonotonicTime
    }

    let table: any NearTable
    let database: Database
    let points: FollowedPoints
    private let scratches = ScratchPool()
    private let verifier: NearVerifier?
    private let counts = Mutex(NearCounts())

    /// - Parameter verifyRate: compares one in so many searches with the table's own; 0 for none.
    package init(
        _ table: any NearTable, _ database: Database, verifyRate: Int = 0, log: Log? = nil,
        cacheBytes: Int = cacheBytes
    ) {
        self.table = table
        self.database = database
        points = FollowedPoints(table, database, cacheBytes: cacheBytes)
        verifier = verifyRate > 0 ? NearVerifier(rate: verifyRate, log: log) : nil
    }

    /// Reads all rows. Before it has ended, and without it, searches read what they need.
    package func load() async throws(SQLError) {
        try await database.read { [points] transaction throws(SQLError) in try points.load(transaction) }
    }

    /// The rows within a radius that an account sees, nearest first, with all that was committed before the call.
    package func near(
        _ query: NearQuery, for account: String, deadline: ContinuousClock.Instant? = nil
    ) async throws(SQLError) -> Found {
        let found: Found
        if let warm = warm(query, account) {
            counts.withLock { $0.warm += 1 }
            found = warm
        } else {
            found = try await database.read(deadline: deadline) { [self] transaction throws(SQLError) in
                let (hits, work) = try read(query, account, transaction)
                return self.found(hits, work)
            }
        }
        verifier?.offer(query, account)
        return found
    }

    /// An answer from memory alone, if it can be had.
    private func warm(_ query: NearQuery, _ account: String) -> Found? {
        guard let view = points.current(table.subject(of: account)),
            let found = try? search(query, account, view, onLoop: true),
            let rows = points.packed(found.hits, limit: query.limit, for: account, at: view)
        else { return nil }
        return Found(rows: rows, isTruncated: found.isTruncated, work: found.work)
    }

    private func read(
        _ query: NearQuery, _ account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> (NearHits, Work) {
        let (subject, edition) = (table.subject(of: account), table.edition)
        guard let view = try points.current(subject, transaction),
            let found = try? search(query, account, view, onLoop: false),
            found.hits.count <= query.limit + Self.maximumTied
        else { return try bySQL(query, account, transaction) }
        var hits: [NearHits.Hit] = []
        var fresh: [(PointID, NearRow)] = []
        for (hit, row) in zip(found.hits, points.rows(found.hits, for: account, at: view)) {
            if let row {
                hits.append(NearHits.Hit(row, metres: hit.metres))
                continue
            }
            guard let row = try table.row(hit.id, for: account, transaction), row.position == hit.position else {
                // Another search has applied what this transaction does not see, or the index is wrong.
                if view.isOfTransaction { points.forget(subject) }
                return try bySQL(query, account, transaction)
            }
            hits.append(NearHits.Hit(row, metres: hit.metres))
            fresh.append((hit.id, row))
        }
        points.keep(fresh, for: account, at: view, edition)
        counts.withLock { $0.read += 1 }
        if !table.isOrderedByPointID { hits.sort { $0.isBefore($1) } }
        return (NearHits(Array(hits.prefix(query.limit)), isTruncated: found.isTruncated), found.work)
    }

    /// An answer that only the table can give.
    package func bySQL(
        deadline: ContinuousClock.Instant?,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> NearHits
    ) async throws(SQLError) -> Found {
        counts.withLock { $0.bySQL += 1 }
        return found(try await database.read(deadline: deadline, body), Work(end: .now))
    }

    private func bySQL(
        _ query: NearQuery, _ account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> (NearHits, Work) {
        counts.withLock { $0.bySQL += 1 }
        return (try table.nearest(query, for: account, transaction), Work(end: .now))
    }

    private func found(_ hits: NearHits, _ work: Work) -> Found {
        Found(rows: PackedRows(hits.hits, table.distance), isTruncated: hits.isTruncated, work: work)
    }
}

extension NearSearch {
    /// Points that may be in the answer.
    private struct Candidates {
        let hits: [PointHit]
        let isTruncated: Bool
        let work: Work
    }

    private func search(
        _ query: NearQuery, _ account: String, _ view: FollowedPoints.View, onLoop: Bool
    ) throws -> Candidates {
        let indexes = view.indexes(of: table.owners(seenBy: account))
        let found = try scratches.withScratch { scratch in
            try PointIndex.nearest(
                in: indexes, to: query.centre, radiusMetres: query.radiusMetres, limit: query.limit, using: scratch
            ) { tested in if onLoop, tested >= Self.testedOnLoop { throw TakesLong() } }
        }
        let hits = table.isOrderedByPointID && found.isTruncated ? Array(found.hits.prefix(query.limit)) : found.hits
        let work = Work(
            indexCount: indexes.reduce(0) { $0 + $1.layerCount }, visited: found.visited, tested: found.tested,
            end: .now)
        return Candidates(hits: hits, isTruncated: found.isTruncated, work: work)
    }

    /// Compares the index with the table in one transaction; nil when the index was ahead of it.
    func compare(_ query: NearQuery, _ account: String) async throws(SQLError) -> (given: NearHits, expected: NearHits)?
    {
        try await database.read { [self] transaction throws(SQLError) -> (NearHits, NearHits)? in
            guard let view = try points.current(table.subject(of: account), transaction), view.isOfTransaction
            else { return nil }
            let given = try read(query, account, transaction).0
            return (given, try table.nearest(query, for: account, transaction))
        }
    }
}

extension NearHits.Hit {
    fileprivate func isBefore(_ other: Self) -> Bool {
        metres == other.metres ? row.id.utf8.lexicographicallyPrecedes(other.row.id.utf8) : metres < other.metres
    }
}

/// How searches were answered.
struct NearCounts: Equatable {
    /// From memory alone.
    var warm: UInt64 = 0
    /// From memory, and from rows or a version that were read.
    var read: UInt64 = 0
    /// By the table itself.
    var bySQL: UInt64 = 0
}

extension NearSearch {
    /// The metrics of these searches.
    package var families: [MetricFamily] {
        let (counts, size) = (counts.withLock { $0 }, points.size)
        func sample(_ kind: String, _ count: UInt64) -> MetricSample {
            MetricSample(["rows": table.content, "from": kind], .count(count))
        }
        func gauge(_ name: String, _ help: String, _ count: Int) -> MetricFamily {
            MetricFamily(
                "waymark_near_\(name)", .gauge, help,
                [MetricSample(["rows": table.content], .count(UInt64(clamping: count)))])
        }
        return [
            MetricFamily(
                "waymark_near_searches_total", .counter, "Searches around a point, by what they were answered from.",
                [sample("memory", counts.warm), sample("rows", counts.read), sample("table", counts.bySQL)]),
            gauge("points", "Points in memory, those that are superseded included.", size.points),
            gauge("index_bytes", "Bytes that these take.", size.bytes),
            gauge("cached_rows", "Rows in memory.", size.rows),
        ] + (verifier?.families(of: table.content) ?? [])
    }

    /// Brings up to date what lacks much, and compares searches if there is a rate, until the task is cancelled.
    package func run() async {
        async let _: Void? = verifier?.run(self)
        await points.follow(database)
    }
}
