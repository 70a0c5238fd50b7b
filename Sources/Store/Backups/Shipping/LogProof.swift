internal import Bytes
internal import EventLoops
internal import Files
internal import Storage

/// Proves a log: reads all of it, brings its last moment back into a scratch folder, and says how far one can go back.
package struct LogProof: Sendable {
    /// Times at which a database can be brought back, in milliseconds since 1970: of all moments between them.
    package struct Span: Equatable, Sendable {
        package let from: Int64
        package let to: Int64
    }

    /// Objects that were read, with pictures, and their bytes.
    package private(set) var objectCount = 0
    package private(set) var byteCount = 0
    /// For each database: when it can be brought back, the last span last. Between two spans it can't.
    package private(set) var spans: [String: [Span]] = [:]
    /// What is wrong, in sentences; none when all is as it was.
    package private(set) var faults: [String] = []
    /// What a person has to know besides.
    package private(set) var remarks: [String] = []
    /// Whether the services' own programs have opened it.
    package private(set) var isOpened = false

    package var isGood: Bool { faults.isEmpty }

    /// All databases can be brought back as they were at any second of this; nil when there is none.
    package var span: Span? {
        let last = spans.values.compactMap(\.last)
        guard last.count == spans.count, let from = last.map(\.from).max(), let to = last.map(\.to).max() else {
            return nil
        }
        return Span(from: min(from, to), to: to)
    }

    private static let maximumInFlight = 8
    /// Faults of one kind that are named.
    private static let named = 20

    /// Nil when there is no log.
    /// - Parameters: as `BackupProof.make` has them.
    ///   - source: of the deployment; that with the newest log when nil.
    package static func make(
        in vault: BackupVault, of source: String?, scratch: String,
        open: (_ folder: String) async throws -> [String]?,
        _ report: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
    ) async throws -> LogProof? {
        guard let plan = try await LogRestore(vault).plan(at: nil, of: source) else { return nil }
        var proof = LogProof()
        proof.remarks = plan.remarks
        let pictures = try await vault.store.pictures.list("pictures").map(\.name).sorted()
        let total = plan.logs.values.reduce(pictures.count) { $0 + $1.objects.count }
        for (database, log) in plan.logs.sorted(by: { $0.key < $1.key }) {
            let damaged = try await proof.read(log.objects.map(\.text), vault, total, report) { name, bytes in
                vault.unwrap(bytes, as: name).flatMap { ShippedPages(packed: $0) } != nil
            }
            for name in log.gaps {
                proof.faults.append("the log of \(database) has a gap before \(name.text)")
            }
            proof.spans[database] = Self.spans(log, without: damaged)
        }
        _ = try await proof.read(pictures, vault, total, report) { name, bytes in
            LogRestore.picture(bytes, of: name, vault) != nil
        }
        if proof.faults.isEmpty { try await proof.restore(plan, vault, scratch, open) }
        return proof
    }

    /// Reads objects; gives those that are damaged.
    private mutating func read(
        _ names: [String], _ vault: BackupVault, _ total: Int,
        _ report: (Int, Int) -> Void, _ isWhole: @escaping @Sendable (_ name: String, _ bytes: [UInt8]) -> Bool
    ) async throws -> Set<String> {
        var damaged: [String] = []
        for start in stride(from: 0, to: names.count, by: Self.maximumInFlight) {
            try await withThrowingTaskGroup(of: (String, Int, Bool).self) { group in
                for name in names[start..<min(names.count, start + Self.maximumInFlight)] {
                    group.addTask {
                        let limit = ShippingPictures.longest + 1_024
                        // One that was removed meanwhile is needed for no moment any more.
                        guard let bytes = try await vault.store.pictures.get(name, limit: limit) else {
                            return (name, 0, true)
                        }
                        return (name, bytes.count, try await vault.blocking.run { isWhole(name, bytes) })
                    }
                }
                for try await (name, count, isWhole) in group {
                    objectCount += 1
                    byteCount += count
                    if !isWhole { damaged.append(name) }
                    report(objectCount, total)
                }
            }
        }
        faults += damaged.sorted().prefix(Self.named).map { "\($0) is damaged" }
        if damaged.count > Self.named { faults.append("\(damaged.count - Self.named) more are damaged") }
        return Set(damaged)
    }

    /// When a database can be brought back.
    static func spans(_ log: ShippedLog, without damaged: Set<String>) -> [Span] {
        var spans: [Span] = []
        var goesOn = false
        // From where on objects are there one behind the other.
        var (start, last): (UInt64, String) = (1, "")
        for name in log.objects {
            let isWhole = !damaged.contains(name.text)
            if !name.before.isSame(as: last) || !isWhole { start = isWhole ? name.number : name.number + 1 }
            last = name.mark
            guard name.isState else { continue }
            guard isWhole, name.first >= start else {
                goesOn = false
                continue
            }
            let from = goesOn ? spans.removeLast().from : name.time
            spans.append(Span(from: from, to: max(from, name.time)))
            goesOn = true
        }
        return spans
    }

    private mutating func restore(
        _ plan: LogRestore.Plan, _ vault: BackupVault, _ scratch: String,
        _ open: (_ folder: String) async throws -> [String]?
    ) async throws {
        let scratch = try await vault.blocking.run { try ProofFolder(in: scratch) }
        defer { withExtendedLifetime(scratch) {} }
        let folder = scratch.path
        do {
            try await LogRestore(vault).run(plan, to: folder, withPictures: false) { _, _ in }
        } catch let error as BackupError {
            return faults.append("\(error)")
        }
        faults = try await vault.blocking.run {
            try plan.databases.flatMap { path in
                try SQLiteFacts.faults(of: "\(folder)/\(path)").map { "\(path): \($0)" }
            }
        }
        guard faults.isEmpty, let found = try await open(folder) else { return }
        (faults, isOpened) = (found, true)
    }
}
