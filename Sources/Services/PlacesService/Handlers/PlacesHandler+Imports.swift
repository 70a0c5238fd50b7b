import PlaceContracts
import Daemon
import RPC
import Stores

extension PlacesHandler {
    func beginImport(_ request: BeginImportRequest, _ context: CallContext) async throws -> BeginImportResponse {
        let plan = try ImportPlan(request)
        if request.follow || !request.updatesUrl.isEmpty {
            try (updates?.servers ?? DiffServers()).check(request.updatesUrl)
        }
        let change = try Change(request.requestId, request, context, clock: clock)
        let id = try await unlessBusy { try await uploads.begin(request, plan, change) }
        return BeginImportResponse(uploadId: id, maximumChunkBytes: UInt32(Uploads.chunkBytes))
    }

    func writeImport(_ request: WriteImportRequest, _ context: CallContext) async throws -> WriteImportResponse {
        let stored = try await unlessBusy {
            try await uploads.write(request.data, to: request.uploadId, at: request.offset)
        }
        return WriteImportResponse(storedByteCount: stored)
    }

    func runImport(
        _ request: RunImportRequest, _ responses: ResponseWriter<RunImportResponse>, _ context: CallContext
    ) async throws {
        // Another replica may have run it.
        if catalog.view.datasets.allSatisfy({ $0.facts.upload?.id != request.uploadId }) { try await shared?.follow() }
        if let summary = earlierImport(request.uploadId) {
            return try await responses.write(RunImportResponse(event: .summary(summary)))
        }
        let files = try await take(request.earlierUploadIds + [request.uploadId])
        let summary: ImportSummary
        do {
            let job = try ImportJob(files, maximumBadRows: request.maximumBadRows, maximumBytes: uploads.maximumBytes)
            summary = try await watched(job, responses)
        } catch let error as PlacesError where error.isBeforeImport {
            for upload in files { await uploads.giveBack(upload) }
            throw error
        } catch {
            for upload in files { await uploads.end(upload) }
            throw error
        }
        for upload in files { await uploads.end(upload) }
        await updates?.request()
        if let problem = followProblem(summary) {
            try await responses.write(RunImportResponse(event: .badRow(BadRow(line: 1, reason: problem))))
        }
        try await responses.write(RunImportResponse(event: .summary(summary)))
    }

    /// Why what was imported can't be followed, though that is wished for.
    private func followProblem(_ summary: ImportSummary) -> String? {
        let servers = updates?.servers ?? DiffServers()
        guard let source = summary.dataset?.source, source.followed, !source.updatesUrl.isEmpty,
            servers.folder(source.updatesUrl) == nil
        else { return nil }
        return servers.problem(source.updatesUrl)
    }

    /// All of these uploads, or none.
    private func take(_ ids: [String]) async throws -> [TakenUpload] {
        var taken: [TakenUpload] = []
        do {
            for id in ids { taken.append(try await uploads.take(id)) }
        } catch {
            for upload in taken { await uploads.giveBack(upload) }
            throw error
        }
        return taken
    }

    /// The result of an import that was run before, as long as its dataset exists.
    private func earlierImport(_ uploadID: String) -> ImportSummary? {
        for dataset in catalog.view.datasets {
            guard let upload = dataset.facts.upload, upload.id == uploadID else { continue }
            return ImportSummary(
                dataset: PlaceContracts.Dataset(dataset), rowCount: upload.rows, badRowCount: upload.badRows,
                duplicateCount: upload.duplicates)
        }
        return nil
    }

    /// Runs an import and reports its progress to the reader; it is stopped when the reader goes away.
    private func watched(
        _ job: ImportJob, _ responses: ResponseWriter<RunImportResponse>
    ) async throws -> ImportSummary {
        let events = ImportEvents()
        return try await withTaskCancellationHandler {
            async let outcome = run(job, events)
            do {
                while let batch = await events.next() {
                    for message in batch.messages { try await responses.write(message) }
                }
            } catch {
                events.stop()
                throw error
            }
            let (dataset, tally) = try await outcome
            return ImportSummary(
                dataset: PlaceContracts.Dataset(dataset), rowCount: tally.rows, badRowCount: tally.badRows,
                duplicateCount: tally.duplicates)
        } onCancel: {
            events.stop()
        }
    }

    /// When it returns, the dataset's places are searchable, by their names and addresses too.
    private func run(
        _ job: ImportJob, _ events: ImportEvents
    ) async throws -> (dataset: CatalogView.Dataset, tally: ImportTally) {
        defer { events.end() }
        let outcome = try await imports.run(job, events)
        let sources = await geocoder.sources
        // What can't be read now is read by the next upkeep: the import is done.
        try? await runBlocking {
            let checkpoint = { if events.isStopped { throw PlacesError.cancelled } }
            try sources.names.read(outcome.dataset.snapshot, checkpoint: checkpoint)
            try sources.addresses.read(outcome.dataset, checkpoint: checkpoint)
        }
        return outcome
    }
}

extension ImportJob {
    /// - Parameter uploads: the file; or files of changes, in their order.
    init(_ uploads: [TakenUpload], maximumBadRows: UInt64?, maximumBytes: UInt64) throws(PlacesError) {
        guard let upload = uploads.last else { throw .noUpload("") }
        let isRight = uploads.allSatisfy { $0.plan.format == .osmChanges && $0.plan.dataset == upload.plan.dataset }
        guard uploads.count == 1 || isRight else {
            throw .invalid(
                field: "earlier_upload_ids",
                problem: "only several files of changes to one dataset are imported at once")
        }
        self.init(
            dataset: upload.plan.dataset, path: upload.path, format: upload.plan.format, columns: upload.plan.columns,
            facts: upload.plan.facts, changes: uploads.dropLast().map(\.path), isKept: true, uploadID: upload.id,
            maximumBadRows: maximumBadRows ?? Self.defaultBadRows, maximumBytes: maximumBytes)
    }
}

extension ImportEvents.Batch {
    /// The batch as messages of the stream.
    fileprivate var messages: [RunImportResponse] {
        let rows = badRows.map { RunImportResponse(event: .badRow(BadRow(line: $0.line, reason: $0.reason))) }
        let progress = progress.map { RunImportResponse(event: .progress(PlaceContracts.ImportProgress($0))) }
        return rows + [progress].compactMap(\.self)
    }
}

extension PlaceContracts.ImportProgress {
    fileprivate init(_ progress: ImportState) {
        self.init(
            phase: progress.phase.rawValue, readByteCount: progress.readBytes, totalByteCount: progress.totalBytes,
            rowCount: progress.rows)
    }
}
