import Bytes
import Contracts
import EventLoops
import Files
import RPC
import Terminal

/// One file on its way into the catalog, or several with changes to what is in it.
struct FileImport: Sendable {
    /// Files of changes that are taken at once.
    static let maximumFiles = RunImportRequest.earlierUploadIdsLength.upperBound + 1

    let paths: [String]
    /// Describes the files, all but their names and sizes.
    let request: BeginImportRequest
    let maximumBadRows: UInt64?
    let options: ClientOptions

    /// Uploads the files, then has them read.
    func run(_ link: TargetLink, _ report: inout ImportReport) async throws -> ImportSummary {
        let places = PlacesServiceClient(link.client)
        var ids: [String] = []
        for (index, path) in paths.enumerated() {
            let upload = FileUpload(path: path, places: places, options: options, blocking: link.blocking)
            var request = request
            request.fileName = path.split(at: "/").last.map(String.init) ?? path
            // Each upload is a change of its own.
            if index > 0 { request.requestId = String(self.request.requestId.unicodeScalars.prefix(60)) + ".\(index)" }
            request.byteCount = try await upload.size()
            let total = request.byteCount
            ids.append(try await upload.send(request) { report.uploaded($0, of: total) })
        }
        let run = RunImportRequest(
            uploadId: ids.removeLast(), maximumBadRows: maximumBadRows, earlierUploadIds: ids)
        var summary: ImportSummary?
        for try await event in places.runImport(run, options.longCall) {
            try report.received(event)
            if case .summary(let end) = event.event { summary = end }
        }
        guard let summary else {
            throw CommandFailure("the service ended the import of \(paths.last ?? "") without a summary")
        }
        return summary
    }
}

/// Brings a file to the places service, chunk by chunk.
struct FileUpload: Sendable {
    let path: String
    let places: PlacesServiceClient
    let options: ClientOptions
    let blocking: BlockingPool

    /// What a chunk has at most, whatever the service would take.
    private static let largestChunk: UInt32 = 1 << 20

    /// The file's size in bytes.
    func size() async throws -> UInt64 {
        try await blocking.run { [path] in
            guard let size = try OpenFile(reading: path).size() else {
                throw CommandFailure("\(path) is no ordinary file; import needs one")
            }
            return size
        }
    }

    /// Sends the whole file; gives the id of the upload. `progress` is called with how many bytes are stored.
    func send(_ request: BeginImportRequest, progress: (UInt64) -> Void) async throws -> String {
        let begun = try await places.beginImport(request, options.call)
        let limit = Int(min(Self.largestChunk, max(1, begun.maximumChunkBytes)))
        var stored: UInt64 = 0
        while stored < request.byteCount {
            let chunk = try await read(at: stored, limit: limit)
            guard !chunk.isEmpty else { throw CommandFailure("\(path) became shorter while it was read") }
            let write = WriteImportRequest(uploadId: begun.uploadId, offset: stored, data: chunk)
            let answer = try await places.writeImport(write, options.call)
            guard answer.storedByteCount > stored, answer.storedByteCount <= request.byteCount else {
                throw CommandFailure(
                    "the service stored \(answer.storedByteCount) bytes of \(path), which makes no sense")
            }
            stored = answer.storedByteCount
            progress(stored)
        }
        return begun.uploadId
    }

    private func read(at offset: UInt64, limit: Int) async throws -> [UInt8] {
        try await blocking.run { [path] in try OpenFile(reading: path).read(at: offset, limit: limit) }
    }
}
