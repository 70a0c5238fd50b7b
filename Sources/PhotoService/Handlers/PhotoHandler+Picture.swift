import Contracts
import RPC
import Refusals
import Storage
import Stores
import Wire

extension PhotoHandler {
    /// Bytes in one answer: few enough that a typical picture is never whole in the memory of a server that forwards
    /// it.
    private static let chunk = 128 << 10

    /// `GetPictureResponse.data`.
    private static let data = BytesField(1)

    /// A picture, open, and the first answer.
    private typealias Opened = (file: BlobFile, first: [UInt8])

    func getPicture(
        _ request: GetPictureRequest, _ responses: ResponseWriter<GetPictureResponse>, _ context: CallContext
    ) async throws {
        let id = try PhotoID(request: request.photoId, field: "photo_id")
        let (file, first) = try await open(id, try PictureSize(request), context)
        try await responses.write(packed: first)
        for start in stride(from: Self.chunk, to: file.count, by: Self.chunk) {
            let head = Self.head([], file, from: start)
            // Usually the kernel has read ahead; then no thread that may block is needed.
            let answer =
                if let ready = file.bytesInMemory(behind: head, from: start, limit: Self.chunk) { ready } else {
                    try await pictures.run { try file.bytes(behind: head, from: start, limit: Self.chunk) }
                }
            try await responses.write(packed: answer)
        }
    }

    /// A large picture may be removed between the look-up in the database and the one on the disk, a disk may lose any,
    /// and a backup may lack them: what can be made from a file is made again.
    private func open(_ id: PhotoID, _ size: PictureSize, _ context: CallContext) async throws -> Opened {
        let stored = try await picture(id, size, context)
        do {
            return try await open(stored)
        } catch let error as BlobError where error.isLoss {
            let original = try await store.picture(id, size, deadline: context.storageDeadline).original
            guard pictures.folder != nil, let original else { throw error }
            return try await open(try await onDemand.make(size, from: original))
        }
    }

    /// In one step, since each switch to a thread that may block costs more than reading.
    private func open(_ picture: StoredPicture) async throws -> Opened {
        try await pictures.open(picture) { file in
            let info = GetPictureResponse(info: PictureInfo(picture)).packedBytes()
            let head = Self.head(info, file, from: 0)
            return (file, try file.bytes(behind: head, from: 0, limit: Self.chunk))
        }
    }

    /// What precedes the bytes in an answer: its other fields, packed, and the number of bytes.
    private static func head(_ others: [UInt8], _ file: BlobFile, from start: Int) -> [UInt8] {
        var head = others
        data.appendHead(file.count(from: start, limit: chunk), to: &head)
        return head
    }

    private func picture(_ id: PhotoID, _ size: PictureSize, _ context: CallContext) async throws -> StoredPicture {
        let found = try await store.picture(id, size, deadline: context.storageDeadline)
        if let stored = found.stored { return stored }
        guard size == .large, let original = found.original, pictures.folder != nil else {
            throw PhotoError.noPicture(id, found.state)
        }
        return try await onDemand.make(.large, from: original)
    }
}

extension PictureSize {
    fileprivate init(_ request: GetPictureRequest) throws(Refusal) {
        switch request.size {
        case .unspecified, .thumbnail: self = .thumbnail
        case .large: self = .large
        default:
            throw Refusal("size", request.size.rawValue, allowed: "PICTURE_SIZE_THUMBNAIL and _LARGE are")
        }
    }
}

extension PictureInfo {
    fileprivate init(_ picture: StoredPicture) {
        self.init(
            mediaType: "image/jpeg", byteCount: UInt64(picture.byteCount), width: UInt32(clamping: picture.width),
            height: UInt32(clamping: picture.height), sha256: picture.name.text)
    }
}
