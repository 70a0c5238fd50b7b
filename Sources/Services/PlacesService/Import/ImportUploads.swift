import PlaceContracts
import Daemon
import EventLoops
import Stores

/// The files being uploaded: in a folder of this process, or shared by replicas, so that each chunk may reach another.
protocol ImportUploads: Sendable {
    /// Largest file in bytes.
    var maximumBytes: UInt64 { get }

    /// Opens an upload and returns its id. A repeated call with the same named change gets the same upload.
    func begin(_ request: BeginImportRequest, _ plan: ImportPlan, _ change: Change) async throws -> String

    /// Stores a chunk; returns how much of the file is stored.
    func write(_ data: [UInt8], to id: String, at offset: UInt64) async throws -> UInt64

    /// Hands the file to an import; nothing is written until it is given back.
    func take(_ id: String) async throws -> TakenUpload

    /// Gives back an upload whose import was refused, so that another one can be tried.
    func giveBack(_ upload: TakenUpload) async

    /// Forgets an upload.
    func end(_ upload: TakenUpload) async
}

/// An upload that is being imported: its whole file lies at `path`.
struct TakenUpload: Sendable {
    let id: String
    let plan: ImportPlan
    let path: String
    /// Keeps the file.
    var upload: Upload?
}

/// The uploads of one process.
struct LocalUploads: ImportUploads {
    let uploads: Uploads
    let blocking: BlockingPool

    var maximumBytes: UInt64 { uploads.maximumBytes }

    func begin(_ request: BeginImportRequest, _ plan: ImportPlan, _ change: Change) async throws -> String {
        try await blocking.run { [uploads] in try uploads.begin(plan, change.isNamed ? change : nil) }
    }

    func write(_ data: [UInt8], to id: String, at offset: UInt64) async throws -> UInt64 {
        try await blocking.run { [uploads] in try uploads.write(data, to: id, at: offset) }
    }

    func take(_ id: String) async throws -> TakenUpload {
        let upload = try uploads.upload(id)
        try upload.take()
        return TakenUpload(id: id, plan: upload.plan, path: upload.path, upload: upload)
    }

    func giveBack(_ upload: TakenUpload) async { upload.upload.map(uploads.giveBack) }

    func end(_ upload: TakenUpload) async { upload.upload.map(uploads.end) }
}
