import Budgets
import Daemon
import EventLoops
import Synchronization

/// Runs imports one after the other on a thread of its own: each needs memory for its whole dataset, and searches shall
/// not wait for a free thread.
final class ImportQueue: Sendable {
    /// So many may wait for their turn.
    private static let mostWaiting = 16
    private let catalog: Catalog
    private let memory: MemoryBudget
    private let clock: WallClock
    private let pool = BlockingPool(threadCount: 1, queueLimit: ImportQueue.mostWaiting, name: "import")
    private let running = Mutex<Set<DatasetName>>([])

    /// - Parameter memory: what an import takes its rows' memory from.
    init(_ catalog: Catalog, memory: MemoryBudget = MemoryBudget(bytes: 1 << 30), clock: WallClock = .system) {
        self.memory = memory
        self.catalog = catalog
        self.clock = clock
    }

    /// Imports a file. When it returns the dataset is searchable; when it throws everything is as it was.
    func run(
        _ job: ImportJob, _ observer: any ImportObserver
    ) async throws -> (dataset: CatalogView.Dataset, tally: ImportTally) {
        try begin(job.dataset)
        defer { end(job.dataset) }
        do {
            return try await pool.run { [catalog, memory, clock] in
                let outcome = try catalog.install(job.dataset) { path throws(PlacesError) in
                    var reading = ImportReading(job, memory, observer)
                    let tally = try reading.build(path)
                    return (job.facts(tally, at: clock.unixMilliseconds), tally)
                }
                return (outcome.dataset, outcome.result)
            }
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
        facts.upload = uploadID.map {
            ImportedUpload(id: $0, rows: tally.rows, badRows: tally.badRows, duplicates: tally.duplicates)
        }
        return facts
    }
}
