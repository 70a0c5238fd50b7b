import Contracts
import Daemon
import EventLoops
import RPC
import Wire

/// Fetches pictures from the photo service into files.
struct PictureFetcher: Sendable {
    /// What to do with a picture whose facts have arrived.
    enum Verdict {
        /// Its file exists already.
        case found
        case keep
        /// It is too large for the cache, or may not be kept.
        case pass
    }

    /// How long fetching one picture may take.
    private static let timeout = Duration.seconds(60)

    let folder: PictureCacheFolder
    let photos: RPCClient
    let signer: IdentitySigner
    let blocking: BlockingPool
    let log: Log?

    /// Fetches a picture and reports progress to `download`. Returns its facts when its file is stored at the end.
    func fetch(
        _ download: PictureDownload, _ wish: PictureWish, _ requestID: String,
        judge: (CachedPictureFacts) -> Verdict
    ) async throws -> CachedPictureFacts? {
        let parts = try await begin(wish, requestID)
        switch judge(parts.facts) {
        case .found: download.publish(.found(parts.facts))
        case .pass: download.pass(parts)
        case .keep: return try await keep(parts, download)
        }
        return nil
    }

    /// The parts of a picture whose first part has arrived. The ticket is the permission, so no account is asked for.
    func begin(_ wish: PictureWish, _ requestID: String) async throws -> PictureParts {
        let options = CallOptions(
            deadline: .now + Self.timeout, requestID: requestID,
            signedIdentity: signer.sign(.service("gateway", for: nil)))
        let request = GetPictureRequest(
            photoId: wish.ticket.photoId, size: wish.ticket.size, allowWebp: wish.allowsWebP)
        let answers = photos.serverStreamingBytes(PhotoServiceMethods.getPicture, request.packedBytes(), options)
            .makeAsyncIterator()
        guard let first = try await answers.next().map(PicturePart.init), let facts = CachedPictureFacts(first.info)
        else {
            throw RPCError(.unavailable, "the photo service did not describe the picture")
        }
        return PictureParts(facts: facts, first: first.data, answers: answers)
    }

    private func keep(_ parts: PictureParts, _ download: PictureDownload) async throws -> CachedPictureFacts? {
        var picture: GrowingPicture?
        do {
            var data: ArraySlice<UInt8>? = parts.first
            while let bytes = data {
                let grown = try await grow(picture, parts.facts, bytes, download)
                if grown.isWhole { return grown.isKept ? parts.facts : nil }
                picture = grown
                data = try await parts.next()
            }
            throw GrowingPicture.damaged
        } catch {
            drop(picture)
            guard error is SystemError || error is BlockingPool.Refusal else { throw error }
            log?.info("a picture is not kept", ["reason": "\(error)"])
            // If no part was written yet, a reader takes these parts; otherwise each reader has to fetch it again.
            if picture == nil { download.pass(parts) } else { download.publish(.bytes(parts.facts), .unwritable) }
            return nil
        }
    }

    /// Writes a part, reports it, and stores the file when it was the last one: in one step, since each switch to a
    /// thread that may block costs more than writing.
    private func grow(
        _ picture: GrowingPicture?, _ facts: CachedPictureFacts, _ bytes: ArraySlice<UInt8>, _ download: PictureDownload
    ) async throws -> GrowingPicture {
        try await blocking.run { [folder] in
            var picture = try picture ?? GrowingPicture(facts, in: folder)
            do {
                try picture.add(bytes)
            } catch {
                picture.drop()
                throw error
            }
            download.publish(.bytes(facts), .written(picture.file, count: picture.count, last: bytes))
            if picture.isWhole { picture.keep() }
            return picture
        }
    }

    /// Also when the task is cancelled; if the pool is full, the next start removes it.
    private func drop(_ picture: GrowingPicture?) {
        if let picture { try? blocking.submit { picture.drop() } }
    }
}

/// A picture arriving from the photo service.
struct PictureParts: Sendable {
    let facts: CachedPictureFacts
    let first: ArraySlice<UInt8>
    fileprivate let answers: ResponseStream<[UInt8]>.Iterator

    /// The next bytes; nil at the end.
    func next() async throws -> ArraySlice<UInt8>? { try await answers.next().map(PicturePart.init)?.data }
}

/// One answer of the photo service. The picture's bytes are not copied out of it.
private struct PicturePart {
    /// `GetPictureResponse.data`.
    private static let field = BytesField(1)

    let data: ArraySlice<UInt8>
    let info: PictureInfo?

    init(_ answer: [UInt8]) throws(RPCError) {
        guard let (data, others) = Self.field.split(answer) else {
            let message = try GetPictureResponse(answer: answer)
            (data, info) = (message.data[...], message.info)
            return
        }
        self.data = data
        info = others.isEmpty ? nil : try GetPictureResponse(answer: others).info
    }
}

extension CachedPictureFacts {
    init?(_ info: PictureInfo?) {
        guard let info else { return nil }
        self.init(
            sha256: info.sha256, byteCount: info.byteCount, mediaType: info.mediaType,
            mayBeKept: !info.shownThrough && !info.own)
    }
}
