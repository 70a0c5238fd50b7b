import Contracts
import EventLoops
import Files
import RPC
import Terminal

/// Brings a file to the places service, chunk by chunk.
struct Upload: Sendable {
    let path: String
    let places: PlacesServiceClient
    let options: ClientOptions
    let blocking: BlockingPool

    /// What a chunk has at most, whatever the service would take.
    private static let largestChunk: UInt32 = 1 << 20

    /// The file's size in bytes.
    func size() async throws -> UInt64 {
        try await blocking.run { [path] in
            guard let size = try File(reading: path).size() else {
                throw CommandFailure("\(path) is no ordinary file; import needs one")
            }
            return size
        }
    }

    /// Sends the whole file; gives the id of the upload. `progress` is told how many bytes are stored.
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
        try await blocking.run { [path] in try File(reading: path).read(at: offset, limit: limit) }
    }
}
