import Contracts
import Crypto
import EventLoops
import Files
import Terminal

/// A photo on its way from a file of this machine to the photo service, part by part. What was sent before, perhaps by
/// an earlier command, is not sent again.
struct PhotoFile: Sendable {
    let path: String
    /// The id of the pin whose album gets it; empty for none.
    let pin: String
    let uploads: UploadServiceClient
    let options: ClientOptions
    let blocking: BlockingPool

    private static let partBytes = 1 << 20

    func send() async throws -> Photo {
        let (digest, size) = try await blocking.run { [path] in try Self.digest(path) }
        let begun = try await uploads.startUpload(
            StartUploadRequest(sha256: digest, byteCount: size, pinId: pin), options.call)
        if let photo = begun.photo { return photo }
        var sent = begun.receivedByteCount
        while sent < size {
            let offset = sent
            let data = try await blocking.run { [path] in
                try OpenFile(reading: path).read(at: offset, limit: Self.partBytes)
            }
            guard !data.isEmpty else { throw CommandFailure("it became shorter while it was read") }
            let part = AddUploadPartRequest(uploadId: begun.uploadId, offset: offset, data: data)
            sent = try await uploads.addUploadPart(part, options.call).receivedByteCount
            guard sent > offset, sent <= size else {
                throw CommandFailure("the service has \(sent) of its \(size) bytes, which makes no sense")
            }
        }
        let answer = try await uploads.finishUpload(FinishUploadRequest(uploadId: begun.uploadId), options.call)
        guard let photo = answer.photo else { throw CommandFailure("the service answered without a photo") }
        return photo
    }

    /// The SHA-256 of a file in hexadecimal digits, and its size. Blocks.
    private static func digest(_ path: String) throws -> (String, UInt64) {
        let file = try OpenFile(reading: path)
        guard let size = try file.size() else { throw CommandFailure("it is no ordinary file") }
        let limit = StartUploadRequest.byteCountRange.upperBound
        guard (1...limit).contains(size) else {
            throw CommandFailure("it has \(size) bytes; 1 to \(limit) are allowed")
        }
        var (digest, offset) = (RunningSHA256(), UInt64(0))
        while offset < size {
            let data = try file.read(at: offset, limit: partBytes)
            if data.isEmpty { break }
            digest.update(data[...])
            offset += UInt64(data.count)
        }
        let text = digest.digest.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return (text.joined(), size)
    }
}
