import Contracts
import EventLoops
import RPC
import Storage
import Stores

extension PhotoHandler {
    /// The shortest time between two answers.
    private static let scanPace = Duration.milliseconds(250)

    func scanPictures(
        _ request: ScanPicturesRequest, _ responses: ResponseWriter<ScanPicturesResponse>, _ context: CallContext
    ) async throws {
        guard pictures.folder != nil else { throw PhotoError.noFolder }
        let number = scans.nextNumber
        try await store.startScan(deadline: context.storageDeadline)
        var toldCount = 0
        while true {
            let count = store.changes.count
            if let progress = scans.progress(notBefore: number) {
                if case .failed(let reason) = progress.phase { throw RPCError(.unavailable, reason) }
                try await responses.write(ScanPicturesResponse(progress, toldCount: toldCount))
                toldCount = progress.skipped.count
                if progress.phase == .done { return }
            }
            try await store.waitForChange(after: count, pace: Self.scanPace)
        }
    }
}

extension ScanPicturesResponse {
    /// Reports the skipped files after the first `toldCount`.
    fileprivate init(_ progress: ScanProgress, toldCount: Int) {
        self.init(
            fileCount: UInt64(progress.files), addedCount: UInt64(progress.added), goneCount: UInt64(progress.gone),
            skippedCount: UInt64(progress.skippedCount),
            skipped: progress.skipped.dropFirst(toldCount).map { SkippedFile(path: $0.path, reason: $0.reason) },
            done: progress.phase == .done)
    }
}
