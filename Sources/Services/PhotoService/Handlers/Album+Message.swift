import PhotoContracts
import Wire

extension PhotoContracts.Album {
    init(_ album: Album) {
        self.init(
            subject: album.subject.text, summary: AlbumSummary(album), collection: UInt32(clamping: album.collection),
            removedCount: UInt32(clamping: album.removedCount), repeatedCount: UInt32(clamping: album.repeatedCount),
            version: UInt64(clamping: album.version), warning: album.warning)
    }
}

extension AlbumSummary {
    init(_ album: Album) {
        self.init(
            state: BaseContracts.AlbumState(album.state), photoCount: UInt32(clamping: album.counters.photos),
            readyCount: UInt32(clamping: album.counters.ready), failedCount: UInt32(clamping: album.counters.failed))
    }
}

extension BaseContracts.AlbumState {
    init(_ state: AlbumState) {
        self =
            switch state {
            case .searching: .searching
            case .downloading: .downloading
            case .complete: .complete
            case .empty: .empty
            case .completeWithErrors: .completeWithErrors
            case .failed: .failed
            case .listed: .listed
            }
    }
}

extension WatchSummariesResponse {
    init(_ found: PhotoStore.Summaries, epoch: Int64) {
        self.init(
            albums: found.albums.map { entry in
                SubjectSummary(
                    subject: entry.album.subject.text, summary: AlbumSummary(entry.album),
                    accounts: entry.accounts.map {
                        AccountPhotos(account: $0.account, photoCount: UInt32(clamping: $0.photos))
                    }, generation: UInt64(clamping: entry.album.completeGeneration), warning: entry.album.warning)
            }, version: UInt64(clamping: found.version), epoch: UInt64(clamping: epoch))
    }
}

extension GetAlbumResponse {
    init(_ answer: AlbumAnswer, _ page: AlbumPage, _ links: PictureLinks) {
        self.init(
            album: PhotoContracts.Album(answer.album), photos: answer.photos.map { PhotoContracts.Photo($0, links) },
            nextPageToken: page.token(after: answer.next))
    }
}

extension OpenAlbumResponse {
    init(_ answer: AlbumAnswer, _ links: PictureLinks) {
        self.init(
            album: PhotoContracts.Album(answer.album), photos: answer.photos.map { PhotoContracts.Photo($0, links) })
    }
}

extension WatchAlbumResponse {
    /// The update that `watch` has just taken in.
    init(_ delta: AlbumDelta, _ watch: AlbumWatch, _ links: PictureLinks) {
        let version = UInt64(clamping: watch.version)
        switch delta {
        case .gone:
            self.init(album: PhotoContracts.Album(subject: watch.subject.text), deleted: true, version: version)
        case .album(let answer, let isWhole):
            self.init(
                album: PhotoContracts.Album(answer.album),
                photos: answer.photos.map { PhotoContracts.Photo($0, links) },
                isWhole: isWhole, version: version)
        }
    }
}
