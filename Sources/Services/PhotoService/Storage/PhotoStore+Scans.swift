import PhotoContracts
import Storage
import Stores
import Wire

extension PhotoSchema {
    /// How far the last scan is, in one row: `phase` is 0 while it runs, 1 when it is done, 2 when it failed; `answer`
    /// is what the calls that wait for it are answered, with all skipped files.
    static let scans = Migration(
        "0.2.0 progress of scans",
        """
        CREATE TABLE scans (
            id BIGINT PRIMARY KEY,
            number BIGINT NOT NULL,
            phase BIGINT NOT NULL,
            reason TEXT NOT NULL,
            read_count BIGINT NOT NULL,
            answer BYTEA NOT NULL
        );
        """)
}

/// How far a scan is, as any replica can see it.
struct StoredScan: Sendable {
    let number: Int64
    /// Why it failed; nil while it runs and when it is done.
    let failure: String?
    /// Files that were opened.
    let readCount: Int64
    let answer: ScanPicturesResponse
}

extension PhotoStore {
    /// The subject of scans.
    private static let scans = "scans"

    /// Begins the next scan.
    func beginScan() async throws(StoreError) -> ScanProgress {
        try await writeScan { transaction throws(SQLError) in
            let progress = ScanProgress(number: try transaction.scanNumber() + 1)
            try transaction.publish(progress)
            return progress
        }
    }

    /// Lets those who wait know how far a scan is; unless a later one has begun.
    func publish(_ progress: ScanProgress) async throws(StoreError) {
        try await writeScan { transaction throws(SQLError) in
            if try transaction.scanNumber() == progress.number { try transaction.publish(progress) }
        }
    }

    /// The number of the scan that will begin next.
    func nextScan(deadline: ContinuousClock.Instant?) async throws(StoreError) -> Int64 {
        try await read(deadline: deadline) { transaction throws(SQLError) in try transaction.scanNumber() + 1 }
    }

    /// The scan of that number or a later one, if it has begun.
    func scan(notBefore number: Int64) async throws(StoreError) -> StoredScan? {
        let report = try await read { transaction throws(SQLError) in try transaction.scanReport() }
        return report.flatMap { $0.number >= number ? $0 : nil }
    }

    /// Watches how scans fare, from one on; its end does not wait for the pace.
    func watchScans(
        from number: Int64, pace: Duration, _ look: () async throws -> WatchLoop.Look
    ) async throws {
        try await WatchLoop(database.notices, of: Self.scans, pace: pace).run(
            isUrgent: { try await scan(notBefore: number)?.answer.done ?? false }, look)
    }

    private func writeScan<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.write(.subject(Self.scans)) { transaction throws(SQLError) in
                _ = try transaction.nextVersion(of: Self.scans)
                return try body(transaction)
            }
        }
    }
}

extension Transaction {
    fileprivate func scanNumber() throws(SQLError) -> Int64 {
        try first("SELECT number FROM scans WHERE id = 1") { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    fileprivate func scanReport() throws(SQLError) -> StoredScan? {
        try first("SELECT number, phase, reason, read_count, answer FROM scans WHERE id = 1") { row throws(SQLError) in
            guard let answer = try? ScanPicturesResponse(packed: try row.blob(4)) else {
                throw SQLError(.corrupt, "the progress of a scan can't be read")
            }
            return StoredScan(
                number: try row.integer(0), failure: try row.integer(1) == 2 ? try row.text(2) : nil,
                readCount: try row.integer(3), answer: answer)
        }
    }

    fileprivate func publish(_ progress: ScanProgress) throws(SQLError) {
        let (phase, reason): (Int64, String) =
            switch progress.phase {
            case .running: (0, "")
            case .done: (1, "")
            case .failed(let reason): (2, reason)
            }
        try execute(
            """
            INSERT INTO scans (id, number, phase, reason, read_count, answer) VALUES (1, ?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (id) DO UPDATE SET number = excluded.number, phase = excluded.phase, reason = excluded.reason,
                read_count = excluded.read_count, answer = excluded.answer
            """, progress.number, phase, reason, progress.read, ScanPicturesResponse(progress).packedBytes())
    }
}

extension ScanPicturesResponse {
    fileprivate init(_ progress: ScanProgress) {
        self.init(
            fileCount: UInt64(progress.files), addedCount: UInt64(progress.added), goneCount: UInt64(progress.gone),
            skippedCount: UInt64(progress.skippedCount),
            skipped: progress.skipped.map { SkippedFile(path: $0.path, reason: $0.reason) },
            done: progress.phase == .done)
    }
}
