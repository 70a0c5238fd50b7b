import PlaceContracts
import Storage
import Wire

/// An upload as it is stored.
struct UploadRow: Sendable {
    let id: String
    /// What the client stated; nil when an earlier version refuses it.
    let plan: ImportPlan?
    let stored: UInt64
    /// The replica that imports it; "" when none does.
    let taker: String
}

/// Bytes of an upload.
struct UploadChunk: Sendable {
    let start: Int
    let count: Int
    let blob: BlobName
}

extension Transaction {
    /// Whether one more upload may be open: the one that has been idle longest makes room for it.
    func makeRoomForUpload(at now: Int64) throws(SQLError) -> Bool {
        let count = try first("SELECT count(*) FROM uploads") { row throws(SQLError) in try row.integer(0) } ?? 0
        guard count >= Int64(Uploads.maximumOpen) else { return true }
        let idlest = try first(
            "SELECT id FROM uploads WHERE taker = '' AND used_ms < ?1 ORDER BY used_ms, id LIMIT 1",
            shared(now) - Uploads.evictedAfter.components.seconds * 1_000
        ) { row throws(SQLError) in try row.text(0) }
        guard let idlest else { return false }
        try dropUpload(idlest)
        return true
    }

    func putUpload(_ id: String, _ request: [UInt8], at now: Int64) throws(SQLError) {
        try execute(
            "INSERT INTO uploads (id, request, stored, used_ms, taker) VALUES (?1, ?2, 0, ?3, '')", id, request,
            shared(now))
    }

    func upload(_ id: String) throws(SQLError) -> UploadRow? {
        // No id of ours is longer, and no text with a zero byte is one.
        guard id.utf8.count == 32, !id.utf8.contains(0) else { return nil }
        return try first("SELECT request, stored, taker FROM uploads WHERE id = ?1", id) { row throws(SQLError) in
            let request = try? BeginImportRequest(packed: try row.blob(0))
            return UploadRow(
                id: id, plan: request.flatMap { try? ImportPlan($0) }, stored: UInt64(clamping: try row.integer(1)),
                taker: try row.text(2))
        }
    }

    /// Whether no replica that is alive imports it.
    func isFree(_ upload: UploadRow, for replica: String, at now: Int64) throws(SQLError) -> Bool {
        if upload.taker.isEmpty { return true }
        guard upload.taker != replica else { return false }
        return try !isAlive(upload.taker, at: now)
    }

    func addChunk(_ blob: HeldBlob, to upload: String, at offset: UInt64) throws(SQLError) {
        try execute(
            """
            INSERT INTO upload_chunks (upload, number, start, byte_count, blob)
            VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM upload_chunks WHERE upload = ?1), ?2, ?3, ?4)
            """, upload, Int64(clamping: offset), blob.count, blob.name)
    }

    /// In the order in which they came.
    func chunks(of upload: String) throws(SQLError) -> [UploadChunk] {
        try rows("SELECT start, byte_count, blob FROM upload_chunks WHERE upload = ?1 ORDER BY number", upload) {
            row throws(SQLError) in
            guard let blob = BlobName(bytes: try row.blob(2)) else {
                throw SQLError(.corrupt, "a chunk of an upload has a name that is none")
            }
            return UploadChunk(
                start: Int(clamping: try row.integer(0)), count: Int(clamping: try row.integer(1)), blob: blob)
        }
    }

    func setUpload(_ id: String, stored: UInt64, at now: Int64) throws(SQLError) {
        try execute(
            "UPDATE uploads SET stored = ?2, used_ms = ?3 WHERE id = ?1", id, Int64(clamping: stored),
            shared(now))
    }

    func setUpload(_ id: String, taker: String, at now: Int64) throws(SQLError) {
        try execute("UPDATE uploads SET taker = ?2, used_ms = ?3 WHERE id = ?1", id, taker, shared(now))
    }

    func dropUpload(_ id: String) throws(SQLError) {
        try execute("DELETE FROM upload_chunks WHERE upload = ?1", id)
        try execute("DELETE FROM uploads WHERE id = ?1", id)
    }

    /// Ends uploads that were not used since `time`, in milliseconds since 1970, and that no replica imports; returns
    /// how many.
    func dropIdleUploads(since time: Int64, at now: Int64) throws(SQLError) -> Int {
        let idle = try rows("SELECT id, taker FROM uploads WHERE used_ms < ?1", shared(time)) {
            row throws(SQLError) in (try row.text(0), try row.text(1))
        }
        var count = 0
        for (id, taker) in idle {
            if !taker.isEmpty, try isAlive(taker, at: now) { continue }
            try dropUpload(id)
            count += 1
        }
        return count
    }
}
