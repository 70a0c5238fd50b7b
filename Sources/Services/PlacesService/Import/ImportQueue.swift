import Budgets
import Daemon
import EventLoops
import Synchronization

/// Runs imports one after the other on its own thread: each needs memory for its whole dataset, and searches must not
/// wait for a free thread.
final class ImportQueue: Sendable {
    /// How many may wait for their turn.
    private static let maximumWaiting = 16
    let catalog: Catalog
    private let memory: MemoryBudget
    private let tables: ImportMemory
    private let clock: WallClock
    let pool = BlockingPool(threadCount: 1, queueLimit: ImportQueue.maximumWaiting, name: "import")
    private let running = Mutex<Set<DatasetName>>([])
    /// Where datasets are published for all replicas; nil for a catalog that is only here.
    let shared: SharedCatalog?

    /// - Parameters:
    ///   - memory: what an import takes its memory from.
    ///   - tables: how much of it.
    init(
        _ catalog: Catalog, _ shared: SharedCatalog? = nil, memory: MemoryBudget = MemoryBudget(bytes: 1 << 30),
        tables: ImportMemory = ImportMemory(), clock: WallClock = .system
    ) {
        self.shared = shared
        (self.memory, self.tables) = (memory, tables)
        self.catalog = catalog
        self.clock = clock
    }

    /// Imports a file. When it returns the dataset is searchable; when it throws nothing has changed.
    func run(
        _ job: ImportJob, _ observer: any ImportObserver
    ) async throws -> (dataset: CatalogView.Dataset, tally: ImportTally) {
        try begin(job.dataset)
        defer { end(job.dataset) }
        if job.format == .osmChanges {
            return try await changing(job.dataset) { file in try await run(try job.applied(to: file), file, observer) }
        }
        return try await run(job, nil, observer)
    }

    private func run(
        _ job: ImportJob, _ base: DatasetFile?, _ observer: any ImportObserver
    ) async throws -> (dataset: CatalogView.Dataset, tally: ImportTally) {
        let build = { @Sendable [memory, tables, clock] (path: String) throws(PlacesError) in
            var reading = ImportReading(job, memory, observer, tables, now: clock.unixMilliseconds)
            let tally = try reading.build(path)
            return (facts: job.facts(tally, at: clock.unixMilliseconds), result: tally)
        }
        do {
            guard let shared else {
                return try await pool.run { [catalog] in
                    let outcome = try catalog.install(job.dataset, insteadOf: base?.dataset.snapshot, build: build)
                    return (outcome.dataset, outcome.result)
                }
            }
            let (draft, tally) = try await pool.run { [catalog] in try catalog.draft(job.dataset, build: build) }
            return (try await shared.publish(draft, insteadOf: base?.sharedSnapshot), tally)
        } catch {
            throw error is BlockingPool.Refusal ? PlacesError.tooManyImports : error
        }
    }

    /// Whether an import runs or waits for its turn.
    var isRunning: Bool { running.withLock { !$0.isEmpty } }

    /// Waits for what runs and stops the thread. Blocks.
    func close() { pool.close() }

    private func begin(_ dataset: DatasetName) throws(PlacesError) {
        guard running.withLock({ $0.insert(dataset).inserted }) else { throw .importRuns(dataset) }
    }

    private func end(_ dataset: DatasetName) { _ = running.withLock { $0.remove(dataset) } }
}

extension ImportJob {
    /// What is known of the dataset once the file was read.
    fileprivate func facts(_ tally: ImportTally, at time: Int64) -> DatasetFacts {
        var facts = facts
        facts.importedUnixMilliseconds = time
        facts.tiles = tally.tiles
        facts.areas = tally.areas
        facts.addressCount = tally.addresses
        facts.source = tally.source
        if let uploadID {
            facts.upload = ImportedUpload(
                id: uploadID, rows: tally.rows, badRows: tally.badRows, duplicates: tally.duplicates)
        }
        return facts
    }
}

/// One file to be read into one dataset.
struct ImportJob: Sendable {
    /// Bad rows that are skipped by default.
    static let defaultBadRows: UInt64 = 1000

    let dataset: DatasetName
    let path: String
    let format: FileFormat
    var columns = ColumnNames()
    var facts: DatasetFacts
    /// Files of changes that are applied to the one at `path` first, in their order.
    var changes: [String] = []
    /// What the file has after them, where their folder says it.
    var reached: Reached?
    /// Whether the file is kept beside the dataset, so that changes can be applied to it.
    var isKept = false
    /// The upload that the file came with; nil for bundled data.
    var uploadID: String?
    var maximumBadRows = ImportJob.defaultBadRows
    /// A compressed file may unpack to so much.
    var maximumBytes: UInt64 = 8 << 30

    /// How far a folder's diffs go.
    struct Reached: Sendable {
        /// Up to when they have all changes, in milliseconds since 1970.
        let time: Int64
        let sequence: Int64
        /// The last one that the dataset has before them.
        let before: Int64
    }
}

/// The result of reading a file.
struct ImportTally: Sendable, Equatable {
    /// Rows read, bad ones included.
    var rows: UInt64 = 0
    var badRows: UInt64 = 0
    /// Rows whose id came again later in the file.
    var duplicates: UInt64 = 0
    /// Places with a street address.
    var addresses: UInt64 = 0
    /// The map that was made; nil when there is none.
    var tiles: TileFacts?
    /// The areas that were found; nil when there are none.
    var areas: AreaFacts?
    /// The file that was read; nil when it is not kept.
    var source: SourceFacts?
}

/// How far an import is.
struct ImportState: Sendable, Equatable {
    enum Phase: String, Sendable { case changing, reading, mapping, writing }
    var phase = Phase.reading
    var readBytes: UInt64 = 0
    var totalBytes: UInt64 = 0
    var rows: UInt64 = 0
}

/// Is notified of the progress of an import. Called on the import's thread; must not block.
protocol ImportObserver: Sendable {
    /// Whether the import is no longer wanted.
    var isStopped: Bool { get }
    func progress(_ progress: ImportState)
    func badRow(_ line: UInt64, _ reason: String)
}
