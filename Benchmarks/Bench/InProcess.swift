import Contracts
import EventLoops
import Geo
import Glibc
import Wire

/// The radius index alone: one million places in a snapshot file, searched in this process. An answer is what a
/// server would send: the whole records, copied into one block.
struct InProcess {
    private let places: SnapshotSet
    private let queries: [Query]

    init(_ arguments: Arguments) throws {
        queries = try BenchFile.queries(try arguments.text("queries"))
        let path = try arguments.text("snapshot")
        if unsafe access(path, R_OK) != 0 { try Self.build(try arguments.text("points"), path) }
        places = SnapshotSet([try Snapshot(path: path)])
    }

    /// Columns id, name, categories, lat, lon.
    private static func build(_ points: String, _ path: String) throws {
        var builder = SnapshotBuilder()
        for columns in try BenchFile.rows(points) {
            guard columns.count >= 5, let latitude = Double(columns[3]), let longitude = Double(columns[4])
            else { continue }
            let id = "catalog/bench/\(columns[0])"
            let place = Place(
                id: id, name: String(columns[1]), categories: [String(columns[2])],
                position: Contracts.Coordinate(latitude: latitude, longitude: longitude))
            let categories = try builder.categorySet([Array(columns[2].utf8)])
            let position = try Geo.Coordinate(latitude: latitude, longitude: longitude)
            try builder.add(id: Array(id.utf8), at: position, categories: categories, record: place.packedBytes())
        }
        _ = try builder.write(to: path)
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
            try answerQuery(queries[turn % queries.count], scratch, &answer)
            turn += 1
            let now = MonotonicTime.now
            each(now.nanoseconds - began.nanoseconds)
            began = now
        }
    }

    private func answerQuery(_ query: Query, _ scratch: SearchScratch, _ answer: inout [UInt8]) throws {
        let centre = try Geo.Coordinate(latitude: query.latitude, longitude: query.longitude)
        _ = try places.nearby(
            NearbyQuery(centre: centre, radiusMetres: query.radiusMetres, limit: Int(query.limit)), using: scratch)
        answer.removeAll(keepingCapacity: true)
        try unsafe places.forEachPlace(scratch) { _, _, record in unsafe answer.append(contentsOf: record) }
    }
}
