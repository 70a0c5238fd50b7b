import PlaceContracts
import Daemon
import EventLoops
import Files
import Refusals
import Storage
import Stores
import Wire

/// The uploads of all replicas: each chunk is a blob and a row, so any replica takes the next one, and any imports the
/// whole.
struct SharedUploads: ImportUploads {
    let maximumBytes: UInt64
    let database: Database
    let blobs: any Blobs
    let blocking: BlockingPool
    /// Where a whole file is put together.
    let folder: String
    let clock: WallClock

    func begin(_ request: BeginImportRequest, _ plan: ImportPlan, _ change: Change) async throws -> String {
        guard plan.byteCount <= maximumBytes else {
            throw PlacesError.invalid(Refusal("byte_count", plan.byteCount, allowed: "1 to \(maximumBytes) bytes are"))
        }
        let (now, id) = (clock.unixMilliseconds, Uploads.newID())
        // The name of the change belongs to the request's row, not to the upload's.
        var request = request
        request.requestId = ""
        let bytes = request.packedBytes()
        let begun = try await database.make(change, of: "uploads") {
            transaction throws(SQLError) -> Result<BeginImportResponse, PlacesError> in
            guard try transaction.makeRoomForUpload(at: now) else {
                return .failure(.tooManyUploads(limit: Uploads.maximumOpen))
            }
            try transaction.putUpload(id, bytes, at: now)
            return .success(BeginImportResponse(uploadId: id, maximumChunkBytes: UInt32(Uploads.chunkBytes)))
        }
        return begun.uploadId
    }

    func write(_ data: [UInt8], to id: String, at offset: UInt64) async throws -> UInt64 {
        // Refused before its bytes are stored, where that is certain.
        try await check(id, data, offset)
        let blob = try await blocking.run { HeldBlob(data) }
        try await PlacesError.converting { () async throws(BlobError) in try await blobs.put(blob) }
        let now = clock.unixMilliseconds
        return try await changing { transaction throws(SQLError) -> Result<UInt64, PlacesError> in
            let upload = try transaction.upload(id)
            if let refusal = Self.refusal(of: data, at: offset, upload, id) { return .failure(refusal) }
            try transaction.addChunk(blob, to: id, at: offset)
            let stored = max(upload?.stored ?? 0, offset + UInt64(data.count))
            try transaction.setUpload(id, stored: stored, at: now)
            return .success(stored)
        }
    }

    func take(_ id: String) async throws -> TakenUpload {
        let (now, replica) = (clock.unixMilliseconds, database.replica)
        let (plan, chunks) = try await changing { transaction throws(SQLError) -> Result<TakenRows, PlacesError> in
            guard let upload = try transaction.upload(id), let plan = upload.plan else {
                return .failure(.noUpload(id))
            }
            guard try transaction.isFree(upload, for: replica, at: now) else {
                return .failure(.importRuns(plan.dataset))
            }
            guard upload.stored == plan.byteCount else {
                return .failure(.incompleteUpload(stored: upload.stored, expected: plan.byteCount))
            }
            try transaction.setUpload(id, taker: replica, at: now)
            return .success((plan, try transaction.chunks(of: id)))
        }
        do {
            return TakenUpload(id: id, plan: plan, path: try await assemble(id, chunks))
        } catch {
            await free(id)
            throw error
        }
    }

    func giveBack(_ upload: TakenUpload) async {
        await free(upload.id)
        await remove(upload.path)
    }

    func end(_ upload: TakenUpload) async {
        _ = try? await database.write { transaction throws(SQLError) in try transaction.dropUpload(upload.id) }
        await remove(upload.path)
    }

    private typealias TakenRows = (plan: ImportPlan, chunks: [UploadChunk])

    private func check(_ id: String, _ data: [UInt8], _ offset: UInt64) async throws {
        let upload = try await StoreError.converting("uploads") { () async throws(SQLError) in
            try await database.read { transaction throws(SQLError) in try transaction.upload(id) }
        }
        if let refusal = Self.refusal(of: data, at: offset, upload, id) { throw refusal }
    }

    private static func refusal(
        of data: [UInt8], at offset: UInt64, _ upload: UploadRow?, _ id: String
    ) -> PlacesError? {
        guard let upload, let plan = upload.plan else { return .noUpload(String(id.prefix(64))) }
        if !upload.taker.isEmpty { return .importRuns(plan.dataset) }
        guard offset <= upload.stored else {
            return .invalid(Refusal("offset", offset, allowed: "0 to \(upload.stored), which are stored, are"))
        }
        let (end, overflow) = offset.addingReportingOverflow(UInt64(data.count))
        guard !overflow, end <= plan.byteCount else {
            return .invalid(
                field: "data",
                problem: "the chunk ends behind the \(plan.byteCount) bytes that the file was said to have")
        }
        return nil
    }

    /// Puts the chunks together, in the order in which they came.
    private func assemble(_ id: String, _ chunks: [UploadChunk]) async throws -> String {
        let path = "\(folder)/\(id)"
        do {
            let file = try await blocking.run { try DraftFile(path) }
            for chunk in chunks {
                let bytes = try await PlacesError.converting { () async throws(BlobError) in
                    try await blobs.open(chunk.blob, count: chunk.count, behind: [], limit: chunk.count).first
                }
                try await blocking.run { try file.write(bytes, at: chunk.start) }
            }
            return path
        } catch {
            await remove(path)
            throw error
        }
    }

    private func free(_ id: String) async {
        let now = clock.unixMilliseconds
        // What can't be freed now is free once this replica is gone.
        _ = try? await database.write { transaction throws(SQLError) in
            try transaction.setUpload(id, taker: "", at: now)
        }
    }

    private func remove(_ path: String) async { _ = try? await blocking.run { try DiskFile.removeIfThere(path) } }

    private func changing<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Value, PlacesError>
    ) async throws -> Value {
        let result = try await StoreError.converting("uploads") { () async throws(SQLError) in
            try await database.write(.everything, body)
        }
        return try result.get()
    }
}
