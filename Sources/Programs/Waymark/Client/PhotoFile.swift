import Contracts
import Crypto
import EventLoops
import Files
import Terminal

/// Brings photos to the photo service, part by part. What was sent before, perhaps by an earlier command, is not sent
/// again.
struct PhotoSender: Sendable {
    /// The id of the pin whose album gets them; empty for none.
    let pin: String
    let uploads: UploadServiceClient
    let options: ClientOptions
    /// Makes a photo of an upload, or of a photo that was uploaded before, for another account's album; nil for none.
    var finish: (@Sendable (_ uploadID: String) async throws -> Photo?)?

    static let partBytes = 1 << 20

    /// - Parameter read: gives the next bytes from an offset on, at most `partBytes`.
    /// - Returns: the photo, and whether it was uploaded before.
    func send(
        _ sha256: String, _ size: UInt64, _ record: PhotoRecord? = nil,
        read: (UInt64) async throws -> [UInt8]
    ) async throws -> (photo: Photo, isKnown: Bool) {
        let begun = try await uploads.startUpload(
            StartUploadRequest(sha256: sha256, byteCount: size, pinId: pin), options.call)
        if let photo = begun.photo { return (try await finish?(photo.id) ?? photo, true) }
        var sent = begun.receivedByteCount
        while sent < size {
            let offset = sent
            let data = try await read(offset)
            guard !data.isEmpty else { throw CommandFailure("it became shorter while it was read") }
            let part = AddUploadPartRequest(uploadId: begun.uploadId, offset: offset, data: data)
            sent = try await uploads.addUploadPart(part, options.call).receivedByteCount
            guard sent > offset, sent <= size else {
                throw CommandFailure("the service has \(sent) of its \(size) bytes, which makes no sense")
            }
        }
        let request = FinishUploadRequest(uploadId: begun.uploadId, record: record)
        let made =
            if let finish { try await finish(begun.uploadId) } else {
                try await uploads.finishUpload(request, options.call).photo
            }
        guard let photo = made else {
            throw CommandFailure("the service answered without a photo")
        }
        return (photo, false)
    }
}

/// A photo in a file of this machine.
struct PhotoFile: Sendable {
    let path: String
    let blocking: BlockingPool

    func send(_ sender: PhotoSender) async throws -> Photo {
        let (digest, size) = try await blocking.run { [path] in try Self.digest(path) }
        return try await sender.send(digest, size) { offset in
            try await blocking.run { [path] in
                try OpenFile(reading: path).read(at: offset, limit: PhotoSender.partBytes)
            }
        }.photo
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
            let data = try file.read(at: offset, limit: PhotoSender.partBytes)
            if data.isEmpty { break }
            digest.update(data[...])
            offset += UInt64(data.count)
        }
        return (Picture.hexadecimal(digest.digest), size)
    }
}
