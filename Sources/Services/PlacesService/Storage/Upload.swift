import EventLoops
import Files
import Glibc
import Refusals
import Synchronization

/// What a client stated about the file it sends.
struct ImportPlan: Sendable {
    let dataset: DatasetName
    /// Size of the file.
    let byteCount: UInt64
    let format: FileFormat
    let columns: ColumnNames
    let facts: DatasetFacts
}

/// A file that is being uploaded.
final class Upload: Sendable {
    private struct State {
        var stored: UInt64 = 0
        var lastUse: MonotonicTime
        var isTaken = false
    }

    let id: String
    let plan: ImportPlan
    let path: String
    private let descriptor: Int32
    private let state: Mutex<State>

    /// Makes the empty file. Blocks.
    init(id: String, plan: ImportPlan, folder: String, now: MonotonicTime) throws(PlacesError) {
        self.id = id
        self.plan = plan
        let path = "\(folder)/\(id)"
        self.path = path
        state = Mutex(State(lastUse: now))
        descriptor = try PlacesError.converting("the upload") { () throws(SystemError) in
            try syscall("open", path) { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        }
    }

    deinit {
        close(descriptor)
        _ = unsafe unlink(path)
    }

    /// How many bytes from the start of the file are stored.
    var storedBytes: UInt64 { state.withLock { $0.stored } }

    /// Stores a chunk, again if necessary; returns how much of the file is stored. Blocks.
    func write(_ data: [UInt8], at offset: UInt64, now: MonotonicTime) throws(PlacesError) -> UInt64 {
        let result: Result<UInt64, PlacesError> = state.withLock { state in
            do throws(PlacesError) {
                try store(data, at: offset, &state)
                state.lastUse = now
                return .success(state.stored)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Hands the file to an import; nothing is written until it is given back.
    func take() throws(PlacesError) {
        let problem: PlacesError? = state.withLock { state in
            if state.isTaken { return .importRuns(plan.dataset) }
            guard state.stored == plan.byteCount else {
                return .incompleteUpload(stored: state.stored, expected: plan.byteCount)
            }
            state.isTaken = true
            return nil
        }
        if let problem { throw problem }
    }

    /// Undoes `take`: no import has read the file.
    func giveBack(now: MonotonicTime) {
        state.withLock { state in
            state.isTaken = false
            state.lastUse = now
        }
    }

    /// When the last chunk came, or an import was refused.
    var lastUse: MonotonicTime { state.withLock { $0.lastUse } }

    /// Whether an import has the file.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    private func store(_ data: [UInt8], at offset: UInt64, _ state: inout State) throws(PlacesError) {
        if state.isTaken { throw .importRuns(plan.dataset) }
        guard offset <= state.stored else {
            throw .invalid(Refusal("offset", offset, allowed: "0 to \(state.stored), which are stored, are"))
        }
        let (end, overflow) = offset.addingReportingOverflow(UInt64(data.count))
        guard !overflow, end <= plan.byteCount, let start = Int(exactly: offset) else {
            throw .invalid(
                field: "data",
                problem: "the chunk ends behind the \(plan.byteCount) bytes that the file was said to have")
        }
        try PlacesError.converting("the upload") { () throws(SystemError) in
            try DiskFile.writeAll(data, to: descriptor, at: start, path)
        }
        state.stored = max(state.stored, end)
    }
}
