import PlaceContracts
import EventLoops
import Files
import Glibc
import Refusals
import Stores
import Synchronization

/// The files being uploaded. They do not outlive the process.
final class Uploads: Sendable {
    /// Longest chunk in bytes.
    static let chunkBytes = WriteImportRequest.dataLength.upperBound
    /// An upload that is not continued is removed after this.
    static let idleTime: Duration = .seconds(3600)
    /// How many may be open at once. Beyond that the one that has been idle longest is ended, if it was idle for longer
    /// than `evictedAfter`.
    static let maximumOpen = 32
    static let evictedAfter: Duration = .seconds(30)
    /// So many named changes are remembered.
    private static let maximumRequests = 10_000
    /// Left free on the disk for the rest of the service.
    private static let reservedBytes: UInt64 = 64 << 20

    /// Largest file in bytes.
    let maximumBytes: UInt64
    private let folder: String
    private let now: @Sendable () -> MonotonicTime
    private let open = Mutex<[String: Upload]>([:])
    /// The named changes, by key. They end with the process, as the uploads do.
    private let requests = Mutex<[String: Begun]>([:])

    private struct Begun {
        let uploadID: String
        let fingerprint: [UInt8]
        let time: Int64
    }

    init(folder: String, maximumBytes: UInt64, now: @escaping @Sendable () -> MonotonicTime = { .now }) {
        self.folder = folder
        self.maximumBytes = maximumBytes
        self.now = now
    }

    /// Opens an upload and returns its id. A repeated call with the same `change` gets the same upload. Blocks.
    func begin(_ plan: ImportPlan, _ change: Change? = nil) throws(PlacesError) -> String {
        guard let change else { return try begin(plan).id }
        let result: Result<String, PlacesError> = requests.withLock { requests in
            do throws(PlacesError) {
                if let begun = requests[change.key] {
                    switch change.judge(begun.fingerprint, at: begun.time) {
                    case .outlived: break
                    case .same: return .success(begun.uploadID)
                    case .another: return .failure(.usedRequestID)
                    }
                }
                let id = try begin(plan).id
                Self.makeRoom(in: &requests, at: change.time)
                requests[change.key] = Begun(uploadID: id, fingerprint: change.fingerprint, time: change.time)
                return .success(id)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func makeRoom(in requests: inout [String: Begun], at time: Int64) {
        guard requests.count >= maximumRequests else { return }
        requests = requests.filter { $0.value.time >= time - Change.lifeMilliseconds }
        if requests.count >= maximumRequests { requests.removeAll() }
    }

    /// Opens an upload. Blocks.
    private func begin(_ plan: ImportPlan) throws(PlacesError) -> Upload {
        try refuseWithoutRoom(plan.byteCount)
        let upload = try Upload(id: Self.newID(), plan: plan, folder: folder, now: now())
        let isTooMany = open.withLock { open in
            if open.count >= Self.maximumOpen, !evictIdlest(of: &open) { return true }
            open[upload.id] = upload
            return false
        }
        if isTooMany { throw .tooManyUploads(limit: Self.maximumOpen) }
        return upload
    }

    func upload(_ id: String) throws(PlacesError) -> Upload {
        guard let upload = open.withLock({ $0[id] }) else { throw .noUpload(String(id.prefix(64))) }
        return upload
    }

    /// Stores a chunk. Blocks.
    func write(_ data: [UInt8], to id: String, at offset: UInt64) throws(PlacesError) -> UInt64 {
        try upload(id).write(data, at: offset, now: now())
    }

    /// Gives back an upload whose import was refused, so that another one can be tried.
    func giveBack(_ upload: Upload) { upload.giveBack(now: now()) }

    /// Forgets an upload; its file is removed with its last user.
    func end(_ upload: Upload) { _ = open.withLock { $0.removeValue(forKey: upload.id) } }

    /// Ends idle uploads; returns how many.
    func endIdle() -> Int {
        let now = now()
        return open.withLock { open in
            let idle = open.values.filter { now.since($0.lastUse) >= Self.idleTime && !$0.isTaken }
            for upload in idle { open[upload.id] = nil }
            return idle.count
        }
    }

    private func evictIdlest(of open: inout [String: Upload]) -> Bool {
        let now = now()
        let idle = open.values.filter { !$0.isTaken && now.since($0.lastUse) > Self.evictedAfter }
        guard let idlest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return false }
        open[idlest.id] = nil
        return true
    }

    private func refuseWithoutRoom(_ bytes: UInt64) throws(PlacesError) {
        guard bytes <= maximumBytes else {
            throw .invalid(Refusal("byte_count", bytes, allowed: "1 to \(maximumBytes) bytes are"))
        }
        let free = try PlacesError.converting("the upload") { () throws(SystemError) in
            try DiskFile.freeBytes(in: folder)
        }
        guard free >= Self.reservedBytes, free - Self.reservedBytes >= bytes else {
            throw .diskFull(
                what: "a file of \(bytes) bytes; \(free) bytes are free, \(Self.reservedBytes) of them reserved")
        }
    }

    static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = [generator.next(), generator.next()].map { (number: UInt64) in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        return digits.joined()
    }
}
