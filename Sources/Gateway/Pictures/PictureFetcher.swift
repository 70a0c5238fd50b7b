import Contracts
import Crypto
import EventLoops
import RPC
import ServiceRuntime

/// Fetches pictures from the photo service into files.
struct PictureFetcher: Sendable {
    /// What is to be done with a picture whose facts have come.
    enum Verdict {
        /// Its file is there already.
        case found
        case keep
        /// It is too large for the cache.
        case pass
    }

    /// How long fetching one picture may take.
    private static let timeout = Duration.seconds(60)

    let folder: PictureFolder
    let photos: PhotoServiceClient
    let signer: IdentitySigner
    let blocking: BlockingPool
    let log: Log?

    /// The parts of a picture. The ticket is the permission, so any account may ask.
    func stream(_ ticket: PictureTicket, _ requestID: String) -> ResponseStream<GetPictureResponse> {
        let options = CallOptions(
            deadline: .now + Self.timeout, requestID: requestID,
            signedIdentity: signer.sign(ClientAdmission.localAccount))
        return photos.getPicture(GetPictureRequest(photoId: ticket.photoId, size: ticket.size), options)
    }

    /// Fetches a picture and tells `download` how far it is. Gives its facts when its file is there at the end.
    func fetch(
        _ download: PictureDownload, _ ticket: PictureTicket, _ requestID: String, judge: (PictureFacts) -> Verdict
    ) async throws -> PictureFacts? {
        let parts = stream(ticket, requestID).makeAsyncIterator()
        guard let first = try await parts.next(), let facts = PictureFacts(first.info) else {
            throw RPCError(.unavailable, "the photo service said nothing of the picture")
        }
        switch judge(facts) {
        case .found: download.begin(.found(facts))
        case .pass: download.begin(.bytes(facts), .unwritable)
        case .keep:
            guard let draft = await draft() else {
                download.begin(.bytes(facts), .unwritable)
                return nil
            }
            download.begin(.bytes(facts), .written(draft.file, count: 0))
            return try await write(first.data, parts, facts, draft, download)
        }
        return nil
    }

    /// Nil when the disk does not take it.
    private func draft() async -> PictureFolder.Draft? {
        do {
            return try await blocking.run { [folder] in try folder.draft() }
        } catch {
            log?.info("a picture is not kept", ["reason": "\(error)"])
            return nil
        }
    }

    private func write(
        _ first: [UInt8], _ parts: ResponseStream<GetPictureResponse>.Iterator, _ facts: PictureFacts,
        _ draft: PictureFolder.Draft, _ download: PictureDownload
    ) async throws -> PictureFacts? {
        do {
            var picture = GrowingPicture(draft: draft, facts: facts)
            var data: [UInt8]? = first
            while let bytes = data {
                picture = try await added(bytes, to: picture)
                // The end is told when it is known to be right.
                if picture.count < facts.byteCount { download.tell(.written(draft.file, count: picture.count)) }
                data = try await parts.next()?.data
            }
            try picture.checkEnd()
            download.tell(.written(draft.file, count: picture.count))
        } catch {
            drop(draft)
            guard let error = error as? SystemError else { throw error }
            log?.info("a picture is not kept", ["reason": "\(error)"])
            download.tell(.unwritable)
            return nil
        }
        return await keep(draft, facts)
    }

    private func added(_ bytes: [UInt8], to picture: GrowingPicture) async throws -> GrowingPicture {
        try await blocking.run {
            var picture = picture
            try picture.add(bytes)
            return picture
        }
    }

    /// The readers have the bytes already: when the file can't get its name, nothing is lost but the next fetch.
    private func keep(_ draft: PictureFolder.Draft, _ facts: PictureFacts) async -> PictureFacts? {
        do {
            try await blocking.run { [folder] in try folder.keep(draft, as: facts.sha256) }
            return facts
        } catch {
            drop(draft)
            return nil
        }
    }

    /// Also when the task is cancelled; should the pool be full, the next start removes it.
    private func drop(_ draft: PictureFolder.Draft) {
        try? blocking.submit { [folder] in folder.drop(draft) }
    }
}

/// A picture as far as it is written.
private struct GrowingPicture: Sendable {
    let draft: PictureFolder.Draft
    let facts: PictureFacts
    private(set) var count = 0
    private var hash = RunningSHA256()

    init(draft: PictureFolder.Draft, facts: PictureFacts) {
        self.draft = draft
        self.facts = facts
    }

    /// Blocks.
    mutating func add(_ bytes: [UInt8]) throws {
        guard bytes.count <= facts.byteCount - count else { throw Self.damaged }
        try draft.file.write(bytes, at: count)
        hash.update(bytes)
        count += bytes.count
    }

    func checkEnd() throws {
        guard count == facts.byteCount, PictureFacts.text(hash.digest) == facts.sha256 else { throw Self.damaged }
    }

    private static var damaged: RPCError {
        RPCError(.dataLoss, "the picture's bytes are not those that the photo service announced")
    }
}

extension PictureFacts {
    init?(_ info: PictureInfo?) {
        guard let info else { return nil }
        self.init(sha256: info.sha256, byteCount: info.byteCount, mediaType: info.mediaType)
    }
}
