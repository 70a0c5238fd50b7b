import PhotoContracts
import PinContracts
import Daemon
import EventLoops
import FeatureFiles
import Files
import RPC
import Refusals
import Storage
import Stores

/// Reads the file of an import twice: as a whole, then to store its pins. A run that was cut off is followed by another
/// one, which passes over the pins that had their turn: how many these are is stored with them.
struct ImportRun: Sendable {
    /// Pins of one transaction: others who write wait for no more than one.
    static let batch = 500
    static let pace: Duration = .milliseconds(250)

    let store: PinStore
    let clock: WallClock
    let folder: ImportFolder
    let blocking: BlockingPool
    /// The only networks that searches of the pins may ask.
    let limit: NetworkChoice
    let responses: ResponseWriter<RunPinImportResponse>

    /// Gives the import as it is in the end; a trial stores nothing.
    func run(_ it: PinImport, isTrial: Bool) async throws -> PinImport {
        let path = folder.newPath()
        do {
            try await gather(it, path)
            var checked = it
            let colours: ListColours
            (checked.counts, colours) = try await check(it, path)
            if !isTrial {
                let begun = try await begin(checked)
                try await store(begun, path, colours)
                checked = try await end(begun)
            }
            try? await remove(path)
            return checked
        } catch {
            try? await remove(path)
            if let problem = error as? SourceError, case .bad(let reason) = problem {
                throw PinImportError.badFile(
                    name: it.fileName.isEmpty ? "the file" : it.fileName.quoted, reason: reason)
            }
            throw error
        }
    }

    /// Also when the call was cancelled.
    private func remove(_ path: String) async throws {
        try await Task { [blocking] in try await blocking.run { try DiskFile.remove(path) } }.value
    }

    /// Writes the parts to a file.
    private func gather(_ it: PinImport, _ path: String) async throws {
        let file = try await blocking.run { try Descriptor.appending(to: path) }
        var start: Int64 = 0
        while start < it.byteCount {
            let part = try await store.read { [start] transaction throws(SQLError) in
                try transaction.part(of: it.id, at: start)
            }
            guard let part, !part.isEmpty else { throw try await ending(of: it) }
            try await blocking.run { [start] in
                try DiskFile.writeAll(part, to: file.number, at: Int(start), path)
            }
            start += Int64(part.count)
        }
    }

    /// Why parts are missing that were there: another run has ended meanwhile, or they were kept for too long.
    private func ending(of it: PinImport) async throws -> PinImportError {
        let found = try await store.read { transaction throws(SQLError) in
            try transaction.pinImport(it.id, of: it.account)
        }
        return found?.state == it.state ? .closed(it.state) : .overtaken
    }

    private func begin(_ it: PinImport) async throws -> PinImport {
        try await change(it) { found in
            guard found.state == .sent || found.state == .running else { return false }
            (found.state, found.counts) = (.running, it.counts)
            return true
        }
    }

    private func end(_ it: PinImport) async throws -> PinImport {
        let now = clock.unixMilliseconds
        let ended = try await write(it.account) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(it.id, of: it.account), found.state != .undone else {
                return Result<PinImport, PinImportError>.failure(.overtaken)
            }
            found.state = .done
            try transaction.update(found, at: now)
            try transaction.deleteParts(of: it.id)
            return .success(found)
        }
        return try ended.get()
    }

    /// No client needs to know what is in a file that was taken back.
    func checkNotUndone(_ it: PinImport) async throws {
        let found = try await store.read { transaction throws(SQLError) in
            try transaction.pinImport(it.id, of: it.account)
        }
        guard let found, found.state != .undone else { throw PinImportError.closed(.undone) }
    }

    /// The next items of the file.
    func batch(of reading: PinFileReading, _ it: PinImport, at now: Int64) async throws -> CheckedBatch {
        try await withTaskCancellationHandler {
            try await blocking.run { [limit] in try CheckedBatch(reading, it, limit, at: now) }
        } onCancel: {
            reading.stop()
        }
    }

    private func change(
        _ it: PinImport, _ body: @escaping @Sendable (inout PinImport) -> Bool
    ) async throws -> PinImport {
        let now = clock.unixMilliseconds
        let changed = try await write(it.account) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(it.id, of: it.account), body(&found) else {
                return Result<PinImport, PinImportError>.failure(.overtaken)
            }
            try transaction.update(found, at: now)
            return .success(found)
        }
        return try changed.get()
    }

    func write<Value: Sendable>(
        _ account: String, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws -> Value {
        try await StoreError.converting("imports") { () async throws(SQLError) in
            try await store.database.write(.subject(account), body)
        }
    }

    /// Whether it was time to.
    func report(_ progress: PinImportProgress, _ next: inout ContinuousClock.Instant) async throws -> Bool {
        guard ContinuousClock.now >= next else { return false }
        next = .now + Self.pace
        try await responses.write(RunPinImportResponse(event: .progress(progress)))
        return true
    }
}
