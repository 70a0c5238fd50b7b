import Arguments
import EventLoops
import Geo
import Glibc

/// The radius index alone: one million places in a snapshot file, searched in this process. An answer is what a
/// server would send: the whole records, copied into one block; or, in `search-inproc`, only which places and how far.
struct InProcess {
    private let places: SnapshotSet
    private let queries: [Query]
    private let filter: ResolvedFilter?
    private let givesRecords: Bool

    init(_ places: SnapshotSet, _ queries: [Query], _ filter: ResolvedFilter? = nil) {
        self.places = places
        self.queries = queries
        self.filter = filter
        givesRecords = true
    }

    init(_ arguments: ParsedArguments) throws {
        queries = try BenchFile.queries(try arguments.required("queries"))
        let path = try arguments.required("snapshot")
        if unsafe access(path, R_OK) != 0 { try Self.build(try arguments.required("points"), path) }
        places = SnapshotSet([try Snapshot(path: path)])
        filter = nil
        givesRecords = arguments.name == "nearby-inproc"
    }

    /// The places of a file, all of them as they are.
    private static func build(_ points: String, _ path: String) throws {
        var resampling = try Resampling(points: points)
        _ = try resampling.places(resampling.realCount).write(to: path)
    }

    /// Runs all queries over and over for `seconds`.
    func run(seconds: Double, warmUpSeconds: Double) throws -> Window {
        let scratch = SearchScratch()
        var answer: [UInt8] = []
        var turn = 0
        try search(until: .now + .nanoseconds(Int64(warmUpSeconds * 1e9)), &turn, scratch, &answer) { _ in }
        let before = ProcessorTime.own
        let samples = Samples()
        try search(until: .now + .nanoseconds(Int64(seconds * 1e9)), &turn, scratch, &answer) {
            samples.add($0)
        }
        return samples.window(seconds: seconds, (client: ProcessorTime.own - before, server: 0))
    }

    private func search(
        until end: MonotonicTime, _ turn: inout Int, _ scratch: SearchScratch, _ answer: inout [UInt8],
        _ each: (UInt64) -> Void
    ) throws {
        var began = MonotonicTime.now
        while began < end {
            try self.answer(turn, scratch, &answer)
            turn += 1
            let now = MonotonicTime.now
            each(now.nanoseconds - began.nanoseconds)
            began = now
        }
    }

    /// Searches once, and puts the answer together.
    func answer(_ turn: Int, _ scratch: SearchScratch, _ answer: inout [UInt8]) throws {
        let query = queries[turn % queries.count]
        let centre = try Geo.Coordinate(latitude: query.latitude, longitude: query.longitude)
        _ = try places.nearby(
            NearbyQuery(
                centre: centre, radiusMetres: query.radiusMetres, limit: Int(query.limit), filter: filter),
            using: scratch)
        guard givesRecords else { return }
        answer.removeAll(keepingCapacity: true)
        try unsafe places.forEachPlace(scratch) { _, _, record in unsafe answer.append(contentsOf: record) }
    }
}
