import PhotoContracts
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

    func getPicture(
        _ request: GetPictureRequest, _ responses: ResponseWriter<GetPictureResponse>, _ context: CallContext
    ) async throws {
        let id = try PhotoID(request: request.photoId, field: "photo_id")
        let opened =
            if request.size == .original { try await openUploaded(id, context) } else {
                try await open(id, try PictureSize(request), request.allowWebp, context)
            }
        let blob = opened.blob
        try await responses.write(packed: opened.first)
        for start in stride(from: Self.chunk, to: blob.count, by: Self.chunk) {
            let head = Self.head([], blob.count, from: start)
            // Usually the kernel has read ahead; then no thread that may block is needed.
            let answer =
                if let ready = blob.bytesInMemory(behind: head, from: start, limit: Self.chunk) { ready } else {
                    try await blob.bytes(behind: head, from: start, limit: Self.chunk)
                }
            try await responses.write(packed: answer)
        }
    }

    /// A large picture may be removed between the look-up in the database and the one on the disk, a disk may lose any,
    /// and a backup may lack them: what can be made from a file is made again.
    private func open(
        _ id: PhotoID, _ size: PictureSize, _ allowsWebP: Bool, _ context: CallContext
    ) async throws -> OpenedBlob {
        if id.isShownThrough { return try await through(id, size, context) }
        let stored = try await picture(id, size, context)
        do {
            return try await open(stored, of: id, allowsWebP)
        } catch let error as BlobError where error.isLoss {
            let original = try await found(id, size, context).original
            guard let original, pictures.has(original) else { throw error }
            return try await open(try await store.make(WantedPicture(size, of: id)), of: id, allowsWebP)
        }
    }

    /// From where its account keeps it.
    private func through(_ id: PhotoID, _ size: PictureSize, _ context: CallContext) async throws -> OpenedBlob {
        _ = try await found(id, size, context)
        let (blob, mediaType) = try await pictures.through(id, size)
        let info = PictureInfo(
            mediaType: mediaType, byteCount: UInt64(blob.count), sha256: blob.name.text, shownThrough: true)
        let head = Self.head(GetPictureResponse(info: info).packedBytes(), blob.count, from: 0)
        return OpenedBlob(blob, first: try await blob.bytes(behind: head, from: 0, limit: Self.chunk))
    }

    /// An uploaded file as it came, for the account that uploaded it. One in whose album a guest has put it sees the
    /// photo, and not what the guest's camera wrote.
    private func openUploaded(_ id: PhotoID, _ context: CallContext) async throws -> OpenedBlob {
        let account = try context.account
        let found = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.photo(id, for: account).map { photo throws(SQLError) in
                (photo: photo, file: try transaction.original(id)?.upload)
            }
        }
        guard let found else { throw PhotoError.noPhoto(id) }
        guard found.photo.owner == account, let file = found.file, let name = BlobName(bytes: file.digest) else {
            throw PhotoError.notUploaded(id)
        }
        let (width, height) = (Int(found.photo.width), Int(found.photo.height))
        let bytes = StoredBytes(name: name, count: file.count)
        return try await open(
            StoredPicture(jpeg: bytes, width: width, height: height), of: id, bytes, mediaType: "")
    }

    /// In one step, since each switch to a thread that may block costs more than reading.
    private func open(_ picture: StoredPicture, of id: PhotoID, _ allowsWebP: Bool) async throws -> OpenedBlob {
        if allowsWebP, let webP = picture.webP {
            return try await open(picture, of: id, webP, mediaType: "image/webp")
        }
        return try await open(picture, of: id, picture.jpeg, mediaType: "image/jpeg")
    }

    private func open(
        _ picture: StoredPicture, of id: PhotoID, _ bytes: StoredBytes, mediaType: String
    ) async throws -> OpenedBlob {
        let info = GetPictureResponse(info: PictureInfo(picture, of: id, bytes, mediaType: mediaType)).packedBytes()
        return try await pictures.open(bytes, behind: Self.head(info, bytes.count, from: 0), limit: Self.chunk)
    }

    /// What precedes the bytes in an answer: its other fields, packed, and the number of bytes.
    /// - Parameter count: of the whole picture.
    private static func head(_ others: [UInt8], _ count: Int, from start: Int) -> [UInt8] {
        var head = others
        data.appendHead(max(0, min(chunk, count - start)), to: &head)
        return head
    }

    /// A service acts for none: its own caller had a signed address.
    private func found(
        _ id: PhotoID, _ size: PictureSize, _ context: CallContext
    ) async throws -> PhotoStore.FoundPicture {
        let account = context.identity?.service == nil ? try context.account : nil
        let found = try await store.picture(id, size, for: account, deadline: context.storageDeadline)
        guard found.mayBeShown else { throw PhotoError.noCredit(id) }
        return found
    }

    private func picture(_ id: PhotoID, _ size: PictureSize, _ context: CallContext) async throws -> StoredPicture {
        let found = try await found(id, size, context)
        if let stored = found.stored { return stored }
        // An earlier version made none.
        if size == .small, let stored = try await self.found(id, .thumbnail, context).stored { return stored }
        guard size != .thumbnail, let original = found.original, pictures.has(original) else {
            throw PhotoError.noPicture(id, found.state)
        }
        return size == .large ? try await store.make(WantedPicture(.large, of: id)) : try await small.picture(of: id)
    }
}

extension PictureSize {
    fileprivate init(_ request: GetPictureRequest) throws(Refusal) {
        switch request.size {
        case .unspecified, .thumbnail: self = .thumbnail
        case .large: self = .large
        case .small: self = .small
        default:
            throw Refusal(
                "size", request.size.rawValue,
                allowed: "PICTURE_SIZE_SMALL, _THUMBNAIL, _LARGE and _ORIGINAL are")
        }
    }
}

extension PictureInfo {
    fileprivate init(_ picture: StoredPicture, of id: PhotoID, _ bytes: StoredBytes, mediaType: String) {
        self.init(
            mediaType: mediaType, byteCount: UInt64(bytes.count), width: UInt32(clamping: picture.width),
            height: UInt32(clamping: picture.height), sha256: bytes.name.text, own: id.network == PhotoID.uploadNetwork)
    }
}
