import PhotoContracts
import Daemon
import EventLoops
import NearRows
import RPC
import Requests
import Storage
import Stores
import Wire

/// Answers calls about photos. Their records are shared by all accounts.
struct PhotoHandler: PhotoServiceHandler {
    let store: PhotoStore
    let pictures: PictureStore
    let links: PictureLinks
    let small: SmallPictures
    /// Searches for photos around a point.
    let near: NearSearch

    /// - Parameter verifyRate: compares one in so many searches with the database's; 0 for none.
    init(store: PhotoStore, pictures: PictureStore, links: PictureLinks, verifyRate: Int = 0, log: Log? = nil) {
        self.store = store
        self.pictures = pictures
        self.links = links
        small = SmallPictures(store)
        near = NearSearch(NearPhotos(links), store.database, verifyRate: verifyRate, log: log)
    }

    func putPhoto(_ request: PutPhotoRequest, _ context: CallContext) async throws -> PutPhotoResponse {
        let photo = try Photo(request)
        let change = try Change(request.requestId, request, context, clock: store.clock)
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.putPhoto(photo)
            return .success(PutPhotoResponse(photo: PhotoContracts.Photo(photo, links)))
        }
    }

    func getPhoto(_ request: GetPhotoRequest, _ context: CallContext) async throws -> GetPhotoResponse {
        let id = try PhotoID(request: request.id, field: "id")
        let account = try context.account
        let photo = try await store.photo(id, for: account, deadline: context.storageDeadline)
        return GetPhotoResponse(
            photo: PhotoContracts.Photo(photo, links), liked: await pictures.isLiked(id, by: account))
    }

    func photosNear(_ request: PhotosNearRequest, _ context: CallContext) async throws -> Packed<PhotosNearResponse> {
        let (account, start) = (try context.account, MonotonicTime.now)
        let query = try NearQuery(
            centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        let filter = try PhotoFilter(request)
        let found = try await StoreError.converting("photos") { () async throws(SQLError) in
            if filter == PhotoFilter() {
                return try await near.near(query, for: account, deadline: context.storageDeadline)
            }
            return try await near.bySQL(deadline: context.storageDeadline) { [links] transaction throws(SQLError) in
                try NearPhotos(links).nearest(query, filter, for: account, transaction)
            }
        }
        return found.packed(explains: request.explain, since: start, context) {
            PhotosNearResponse(truncated: $0, explanation: $1)
        }
    }
}

extension PhotoHandler {
    /// The shortest time between two answers.
    private static let scanPace = Duration.milliseconds(250)

    func scanPictures(
        _ request: ScanPicturesRequest, _ responses: ResponseWriter<ScanPicturesResponse>, _ context: CallContext
    ) async throws {
        guard pictures.folder != nil else { throw PhotoError.noFolder }
        let number = try await store.nextScan(deadline: context.storageDeadline)
        var (isAsked, toldCount) = (false, 0)
        try await store.watchScans(from: number, pace: Self.scanPace) {
            if !isAsked { try await store.startScan(deadline: context.storageDeadline) }
            isAsked = true
            guard let report = try await store.scan(notBefore: number) else { return .idle }
            if let reason = report.failure { throw RPCError(.unavailable, reason) }
            var answer = report.answer
            answer.skipped.removeFirst(min(toldCount, answer.skipped.count))
            toldCount = report.answer.skipped.count
            try await responses.write(answer)
            return answer.done ? .end : .paced
        }
    }

    func listLeftOutFiles(
        _ request: ListLeftOutFilesRequest, _ context: CallContext
    ) async throws -> ListLeftOutFilesResponse {
        guard pictures.folder != nil else { return ListLeftOutFilesResponse() }
        let after = try Self.leftOut.end(in: request.pageToken) { String(decoding: $0, as: UTF8.self) }
        let limit = Int(request.pageSize ?? ListLeftOutFilesRequest.pageSizeDefault)
        let (files, count) = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            (try transaction.unusableFiles(after: after ?? "", limit: limit + 1), try transaction.unusableCount())
        }
        let shown = files.prefix(limit)
        return ListLeftOutFilesResponse(
            files: shown.map { SkippedFile(path: $0.path, reason: $0.reason) },
            nextPageToken: files.count > limit ? Self.leftOut.text(after: Array((shown.last?.path ?? "").utf8)) : "",
            totalCount: UInt64(clamping: count), hasFolder: true)
    }

    private static let leftOut = PageToken(of: "files that are left out")
}
