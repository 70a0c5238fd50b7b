import PhotoContracts
import PinContracts
import Daemon
import EventLoops
import FieldRules
import PinFiles
import RPC
import Storage
import Stores
import Wire

/// Answers calls about files of pins.
struct PinFileHandler: PinFileServiceHandler {
    let store: PinStore
    let clock: WallClock
    /// Where files lie while they are read.
    let folder: ImportFolder
    /// Reads and writes them.
    let blocking: BlockingPool
    /// Imports that run: one of a client at a time, so that none takes all threads.
    let running = FairSlots(4, waiting: 64, maximumOfClient: 1)

    func startPinImport(
        _ request: StartPinImportRequest, _ context: CallContext
    ) async throws -> StartPinImportResponse {
        let (account, now) = (try context.account, clock.unixMilliseconds)
        let new = PinImport(
            id: PinID.make(unixMilliseconds: now).description, account: account,
            fileName: FieldText.line(request.fileName),
            byteCount: Int64(request.byteCount), createdMilliseconds: now)
        let change = try Change(request.requestId, request, context, clock: clock)
        return try await store.database.make(
            change, of: "imports", .subject(account), deadline: context.storageDeadline
        ) { transaction throws(SQLError) -> Result<StartPinImportResponse, PinImportError> in
            guard try transaction.sentImports(of: account) < PinImport.maximumSent else { return .failure(.tooMany) }
            try transaction.insert(new)
            return .success(
                StartPinImportResponse(
                    import: PinContracts.PinImport(new), maximumPartBytes: UInt32(PinImport.partBytes)))
        }
    }

    func addPinImportPart(
        _ request: AddPinImportPartRequest, _ context: CallContext
    ) async throws -> AddPinImportPartResponse {
        let (account, id) = (try context.account, try PinID(request: request.id).description)
        let (data, offset, now) = (request.data, request.offset, clock.unixMilliseconds)
        return try await change(account, context) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(id, of: account) else { return .failure(.notFound(id)) }
            let end = offset.addingReportingOverflow(UInt64(data.count))
            // A part whose answer was lost comes again.
            if !end.overflow, end.partialValue <= UInt64(found.receivedBytes) {
                return .success(AddPinImportPartResponse(receivedByteCount: UInt64(found.receivedBytes)))
            }
            guard found.state == .sent else { return .failure(.closed(found.state)) }
            guard offset == UInt64(found.receivedBytes) else {
                return .failure(.gap(offset: offset, received: found.receivedBytes))
            }
            guard end.partialValue <= UInt64(found.byteCount) else { return .failure(.tooLong(found.byteCount)) }
            try transaction.addPart(data, to: id, at: found.receivedBytes)
            found.receivedBytes += Int64(data.count)
            try transaction.update(found, at: now)
            return .success(AddPinImportPartResponse(receivedByteCount: UInt64(found.receivedBytes)))
        }
    }

    func runPinImport(
        _ request: RunPinImportRequest, _ responses: ResponseWriter<RunPinImportResponse>, _ context: CallContext
    ) async throws {
        let (account, id) = (try context.account, try PinID(request: request.id).description)
        let found = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.pinImport(id, of: account)
        }
        guard let found else { throw PinImportError.notFound(id) }
        if found.state == .done {
            return try await responses.write(RunPinImportResponse(event: .import(PinContracts.PinImport(found))))
        }
        guard found.state != .undone else { throw PinImportError.closed(.undone) }
        guard found.receivedBytes == found.byteCount else {
            throw PinImportError.incomplete(received: found.receivedBytes, of: found.byteCount)
        }
        let run = ImportRun(
            store: store, clock: clock, folder: folder, blocking: blocking, limit: NetworkChoice(limitOf: context),
            responses: responses)
        let ended = try await running.run { try await run.run(found, isTrial: request.isTrial) }
        try await responses.write(RunPinImportResponse(event: .import(PinContracts.PinImport(ended))))
    }

    func undoPinImport(_ request: UndoPinImportRequest, _ context: CallContext) async throws -> UndoPinImportResponse {
        let (account, id) = (try context.account, try PinID(request: request.id).description)
        let now = clock.unixMilliseconds
        while true {
            let (undone, isOver) = try await change(account, context) {
                transaction throws(SQLError) -> Result<(PinImport, Bool), PinImportError> in
                guard var found = try transaction.pinImport(id, of: account) else { return .failure(.notFound(id)) }
                if found.state != .undone {
                    try transaction.deleteParts(of: id)
                    try transaction.deleteUnplaced(ofImport: id)
                    found.removedTracks = try transaction.deleteTracks(ofImport: id, account)
                    (found.counts.unplaced, found.counts.tracks) = (0, 0)
                }
                found.state = .undone
                let removed = try transaction.removeImported(by: id, of: account, limit: ImportRun.batch, at: now)
                found.removedCount += Int64(removed)
                if removed < ImportRun.batch { try transaction.removeImportedLists(by: id, of: account) }
                try transaction.update(found, at: now)
                return .success((found, removed < ImportRun.batch))
            }
            if isOver { return UndoPinImportResponse(import: PinContracts.PinImport(undone)) }
        }
    }

    func listPinImports(
        _ request: ListPinImportsRequest, _ context: CallContext
    ) async throws -> ListPinImportsResponse {
        let account = try context.account
        let imports = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.pinImports(of: account)
        }
        return ListPinImportsResponse(imports: imports.map { PinContracts.PinImport($0) })
    }

    private func change<Value: Sendable>(
        _ account: String, _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Value, PinImportError>
    ) async throws -> Value {
        let result = try await StoreError.converting("imports") { () async throws(SQLError) in
            try await store.database.write(.subject(account), deadline: context.storageDeadline, body)
        }
        return try result.get()
    }
}
