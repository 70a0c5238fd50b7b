import Daemon
import EventLoops
import FeatureFiles
import Files
import HTTPClient
import Storage
import Stores
import Synchronization

/// Brings datasets up to date that are followed: every day one replica asks their folders for new diffs, fetches them
/// and applies them. What fails is tried again in minutes, then less often, but at least every hour.
final class DatasetUpdates: Sendable {
    static let name = "update"
    private static let day: Int64 = 86_400_000
    /// The first and the longest pause after a failure.
    private static let pauses: ClosedRange<Duration> = .seconds(60) ... .seconds(3_600)
    /// For all datasets.
    private static let longestRun: Duration = .seconds(12 * 3_600)
    private static let longestSilence: Duration = .seconds(60)
    /// Diffs that are applied at once, and those that a dataset may lack.
    private static let atOnce: Int64 = 32
    private static let maximumBehind: Int64 = 2_000
    private static let longestState = 64 << 10

    let servers: DiffServers
    private let database: Database
    private let catalog: Catalog
    private let imports: ImportQueue
    private let client: HTTPClient
    private let maximumBytes: UInt64
    private let blocking: BlockingPool
    private let clock: WallClock
    private let log: Log?
    /// Reads the names and addresses of what has changed.
    private let changed: @Sendable () async -> Void
    /// What keeps datasets from being up to date.
    private let problems = Mutex<[DatasetName: String]>([:])
    private let applied = Atomic(UInt64(0))

    /// - Parameter maximumBytes: the largest file that is fetched.
    init(
        _ servers: DiffServers, _ database: Database, _ catalog: Catalog, _ imports: ImportQueue, _ client: HTTPClient,
        maximumBytes: UInt64, _ blocking: BlockingPool, clock: WallClock = .system, log: Log? = nil,
        changed: @escaping @Sendable () async -> Void = {}
    ) {
        (self.servers, self.database, self.catalog, self.imports) = (servers, database, catalog, imports)
        (self.client, self.maximumBytes, self.blocking) = (client, maximumBytes, blocking)
        (self.clock, self.log, self.changed) = (clock, log, changed)
    }

    var kind: JobKind {
        JobKind(
            Self.name, workers: 1, timeout: Self.longestRun, backoff: Self.pauses, reach: .milliseconds(Self.day),
            pause: { Self.isPermanent($0) ? .milliseconds(Self.day) : .zero }, body: run)
    }

    /// Whether the same diffs will fail again: they are not fetched each hour for that.
    private static func isPermanent(_ error: any Error) -> Bool {
        switch error as? PlacesError {
        case .badFile, .tooManyBadRows, .noSource: true
        default: false
        }
    }

    /// Has all be brought up to date soon, if any is followed.
    func request() async {
        guard catalog.view.datasets.contains(where: \.isFollowed) else { return }
        let now = clock.unixMilliseconds
        // Without the database nothing can be imported either; the next start asks again.
        try? await database.write { transaction throws(SQLError) in
            try transaction.enqueue(Self.name, "datasets", at: now)
        }
    }

    /// How old datasets are that can be brought up to date, and what was done for it.
    var families: [MetricFamily] {
        let now = clock.unixMilliseconds
        let ages = catalog.view.datasets.compactMap { dataset in
            dataset.facts.source?.dataTime.map { time in
                MetricSample(["dataset": "\(dataset.name)"], .number(Double(max(0, now - time)) / 1000))
            }
        }
        return [
            MetricFamily(
                "waymark_dataset_age_seconds", .gauge,
                "How long ago the last change was made that a dataset of OpenStreetMap's has.", ages),
            MetricFamily(
                "waymark_dataset_diffs_total", .counter, "Diffs that were fetched and applied.",
                .count(applied.load(ordering: .relaxed))),
        ]
    }

    /// What those who run the service have to know; nil while all is well.
    var warning: String? {
        problems.withLock { problems in
            let first = problems.min { $0.key < $1.key }
            return first.map { "dataset \($0.key) can't be brought up to date: \($0.value)" }
        }
    }

    private func run(_ lease: JobLease) async throws {
        // Another replica may have imported what is followed, right before it requested this.
        try await imports.shared?.follow()
        let followed = catalog.view.datasets.filter(\.isFollowed).map(\.name)
        problems.withLock { problems in problems = problems.filter { followed.contains($0.key) } }
        var failure: (any Error)?
        for name in followed {
            do {
                try await update(name)
                problems.withLock { $0[name] = nil }
            } catch {
                try Task.checkCancellation()
                problems.withLock { $0[name] = "\(error)" }
                log?.warning("a dataset can't be brought up to date now", ["dataset": "\(name)", "reason": "\(error)"])
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        let now = clock.unixMilliseconds
        try await database.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: now) else { return try transaction.undo() }
            if !followed.isEmpty { try transaction.enqueueNext(Self.name, lease.key, at: now + Self.day) }
        }
    }
}

// MARK: one dataset

extension DatasetUpdates {
    private func update(_ name: DatasetName) async throws {
        while let source = catalog.view.dataset(name)?.facts.source, source.isFollowed {
            if let problem = source.problem { throw UpdateProblem.unfollowable(problem) }
            guard let address = source.updates, let have = source.sequence else { return }
            guard let folder = servers.folder(address) else {
                throw UpdateProblem.unfollowable(servers.problem(address))
            }
            let state = try await self.state(folder.state)
            guard state.sequence != have else { return }
            guard state.sequence > have else { throw UpdateProblem.older(have: have, last: state.sequence) }
            guard state.sequence - have <= Self.maximumBehind else {
                throw UpdateProblem.behind(have: have, last: state.sequence)
            }
            if source.isOfOtherFolder { try await compare(source, folder, have) }
            let last = min(state.sequence, have + Self.atOnce)
            let reached = last == state.sequence ? state : try await self.state(folder.state(after: last))
            try await apply(folder, have, DiffFolder.State(sequence: last, time: reached.time), to: name)
        }
    }

    /// The number of a file's last diff is of the folder that the file names; another one has others.
    private func compare(_ source: SourceFacts, _ folder: DiffFolder, _ have: Int64) async throws {
        let state = try await self.state(folder.state(after: have))
        guard let time = source.dataTime, time != state.time else { return }
        throw UpdateProblem.unfollowable(
            "its diffs are others than those of \(folder.address): number \(have) is of \(FileTime.text(state.time))"
                + " there, and the data of \(FileTime.text(time))")
    }

    private func apply(
        _ folder: DiffFolder, _ have: Int64, _ state: DiffFolder.State, to name: DatasetName
    ) async throws {
        var files: [String] = []
        let result: Result<ImportTally, any Error>
        do {
            for sequence in have + 1...state.sequence {
                files.append(DownloadedFile.newPath(in: catalog.uploadFolder))
                try await DownloadedFile.fetch(
                    folder.diff(sequence), to: files[files.count - 1], limit: maximumBytes, client, blocking)
            }
            var job = ImportJob(
                dataset: name, path: files[files.count - 1], format: .osmChanges,
                facts: DatasetFacts(title: "", attribution: "", licence: ""), changes: files.dropLast(),
                maximumBytes: maximumBytes)
            job.reached = ImportJob.Reached(time: state.time, sequence: state.sequence, before: have)
            let observer = StoppableImport()
            let tally = try await withTaskCancellationHandler {
                try await imports.run(job, observer).tally
            } onCancel: {
                observer.stop()
            }
            result = .success(tally)
        } catch {
            result = .failure(error)
        }
        await blocking.removing(files)
        let tally = try result.get()
        applied.add(UInt64(files.count), ordering: .relaxed)
        await changed()
        log?.info(
            "dataset brought up to date",
            [
                "dataset": "\(name)", "sequence": "\(state.sequence)", "diffs": "\(files.count)",
                "bad_rows": "\(tally.badRows)",
            ])
    }

    private func state(_ request: HTTPClientRequest) async throws -> DiffFolder.State {
        var request = request
        request.maximumBytes = Self.longestState
        request.timeout = Self.longestSilence
        let answer = try await client.send(request)
        guard answer.status == 200 else { throw UpdateProblem.status(answer.status, request.url) }
        guard let state = DiffFolder.State(answer.body) else { throw UpdateProblem.noState(request.url) }
        return state
    }
}

extension CatalogView.Dataset {
    /// Whether it is to be brought up to date every day.
    fileprivate var isFollowed: Bool { facts.source?.isFollowed ?? false }
}
