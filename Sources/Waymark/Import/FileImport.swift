import Contracts
import RPC
import Terminal

/// One file on its way into the catalog.
struct FileImport: Sendable {
    let path: String
    /// Describes the file, all but its size.
    let request: BeginImportRequest
    let maximumBadRows: UInt64?
    let options: ClientOptions

    /// Uploads the file, then has it read.
    func run(_ link: Link, _ report: inout ImportReport) async throws -> ImportSummary {
        let places = PlacesServiceClient(link.client)
        let upload = Upload(path: path, places: places, options: options, blocking: link.blocking)
        var request = request
        request.byteCount = try await upload.size()
        let total = request.byteCount
        let id = try await upload.send(request) { report.uploaded($0, of: total) }
        let run = RunImportRequest(uploadId: id, maximumBadRows: maximumBadRows)
        var summary: ImportSummary?
        for try await event in places.runImport(run, options.longCall) {
            try report.received(event)
            if case .summary(let end) = event.event { summary = end }
        }
        guard let summary else { throw CommandFailure("the service ended the import of \(path) without a summary") }
        return summary
    }
}
