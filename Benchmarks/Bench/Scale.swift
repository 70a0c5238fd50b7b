import EventLoops
import Geo
import Glibc
import Synchronization

/// The radius index alone, at several sizes, and while places change: what a search, a filter, a start and a change
/// cost, and how much room a place takes.
struct Scale {
    /// Of a hundred places one has it.
    private static let rareCategory = "hospital"
    private static let changesPerSecond = 5_000
    private static let batch = 50

    let points: String
    let queries: [Query]
    let folder: String
    let seconds: Double

    /// What one size gave.
    struct Row: Sendable {
        let places: Int
        let rowsPerSecond: Double
        let fileBytes: Int
        let indexBytesPerPlace: Double
        let openMilliseconds: Double
        let residentBytes: Int
        let plain: Window
        let rare: Window

        static let header =
            "     places   built/s   file MB  index B/place  open ms  resident MB   p50 us   p99 us   1 % p50   1 % p99"

        var row: String {
            [
                (Double(places), 11, 0), (rowsPerSecond, 9, 0), (Double(fileBytes) / 1e6, 9, 0),
                (indexBytesPerPlace, 14, 1), (openMilliseconds, 8, 0), (Double(residentBytes) / 1e6, 12, 0),
                (plain.p50Microseconds, 8, 2), (plain.p99Microseconds, 8, 2), (rare.p50Microseconds, 9, 2),
                (rare.p99Microseconds, 9, 2),
            ].map { Self.text($0.0, $0.1, $0.2) }.joined(separator: " ")
        }

        private static func text(_ number: Double, _ width: Int, _ digits: Int) -> String {
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            let whole = Int64((number * scale).rounded())
            let unit = Int64(scale)
            let fraction = digits == 0 ? "" : "." + String("\(unit + whole % unit)".dropFirst())
            let text = "\(whole / unit)\(fraction)"
            return String(repeating: " ", count: max(0, width - text.count)) + text
        }
    }

    /// Builds, opens and searches `count` places.
    func measure(_ count: Int) throws -> Row {
        let path = "\(folder)/\(count).snapshot"
        let began = MonotonicTime.now
        var resampling = try Resampling(points: points)
        _ = try resampling.places(count).write(to: path)
        let built = MonotonicTime.now
        let snapshot = try Snapshot(path: path)
        let opened = MonotonicTime.now
        let set = SnapshotSet([snapshot])
        let plain = try InProcess(set, queries).run(seconds: seconds, warmUpSeconds: seconds)
        let filter = try unsafe set.resolve(PlaceFilter(include: [Array(Self.rareCategory.utf8)]))
        let rare = try InProcess(set, queries, filter).run(seconds: seconds, warmUpSeconds: 0.5)
        return Row(
            places: count, rowsPerSecond: Double(count) / Self.seconds(built.since(began)),
            fileBytes: snapshot.fileBytes, indexBytesPerPlace: Double(snapshot.indexBytes) / Double(count),
            openMilliseconds: Self.seconds(opened.since(built)) * 1e3, residentBytes: Memory.residentBytes,
            plain: plain, rare: rare)
    }

    /// Searches a base of `count` places, first alone, then while thousands of places a second change.
    func measureChanges(
        _ count: Int
    ) async throws -> (alone: Window, changing: Window, perSecond: Double, layers: Int) {
        let layers = Shared(PlaceLayers(base: try Snapshot(path: "\(folder)/\(count).snapshot")))
        let resampling = try Resampling(points: points)
        let alone = try searching(layers, for: seconds)
        let start = MonotonicTime.now
        let end = start + .nanoseconds(Int64(seconds * 1e9))
        async let changed = Self.change(layers, resampling, count, from: start, until: end)
        let changing = try searching(layers, for: seconds)
        return (alone, changing, Double(try await changed) / seconds, layers.value.layers.count)
    }

    /// Batches of changes at the wanted rate, half of them places that are there and move, half new ones; gives how
    /// many there were.
    @concurrent
    private static func change(
        _ layers: Shared, _ resampling: Resampling, _ count: Int, from start: MonotonicTime, until end: MonotonicTime
    ) async throws -> Int {
        var resampling = resampling
        var turn = 0
        while MonotonicTime.now < end {
            var builder = SnapshotBuilder()
            for place in 0..<batch {
                let number = turn * batch + place
                try resampling.add(place % 2 == 0 ? count + number : number * 97 % count, to: &builder)
            }
            var next = layers.value
            try next.apply(builder)
            layers.value = next
            turn += 1
            let due = start + .nanoseconds(Int64(turn) * Int64(batch) * 1_000_000_000 / Int64(changesPerSecond))
            try await Task.sleep(for: max(.zero, due.since(.now)))
        }
        return turn * batch
    }

    private func searching(_ layers: Shared, for seconds: Double) throws -> Window {
        let samples = Samples()
        let scratch = SearchScratch()
        var answer: [UInt8] = []
        var turn = 0
        let end = MonotonicTime.now + .nanoseconds(Int64(seconds * 1e9))
        let before = ProcessorTime.own
        var began = MonotonicTime.now
        while began < end {
            let set = SnapshotSet(layers.value.layers)
            try InProcess(set, queries).answer(turn, scratch, &answer)
            turn += 1
            let now = MonotonicTime.now
            samples.add(now.nanoseconds - began.nanoseconds)
            began = now
        }
        return samples.window(seconds: seconds, (client: ProcessorTime.own - before, server: 0))
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}

/// The layers that one side changes and the other searches.
private final class Shared: Sendable {
    private let state: Mutex<PlaceLayers>

    init(_ layers: PlaceLayers) { state = Mutex(layers) }

    var value: PlaceLayers {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// What this process holds in memory.
enum Memory {
    static var residentBytes: Int {
        let pages = TextFile.read("/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
