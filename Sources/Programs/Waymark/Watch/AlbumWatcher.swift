import Contracts
import EventLoops
import RPC
import Terminal

/// An album that is watched while its pictures come.
struct AlbumWatcher: Sendable {
    let subject: String
    let options: ClientOptions
    /// Whether to continue when all pictures are stored.
    let follows: Bool

    /// Shows the progress of the album. Success when there are pictures, or none can be found.
    func run(_ link: TargetLink, _ session: Session) async throws -> ExitCode {
        let call = options.longCall
        var screen = WatchScreen(session)
        var progress = WatchedAlbum(subject: subject)
        try await Watch(follows: follows, deadline: call.deadline).run(&progress) { progress in
            PhotoServiceClient(link.client).watchAlbum(
                WatchAlbumRequest(subject: subject, fromVersion: progress.version), call)
        } show: { event, progress in
            let view = WatchedAlbumView(progress: progress)
            switch event {
            case .message(let message): try screen.show(message, lines: view.lines, line: view.line)
            case .broken: screen.broken(lines: view.lines)
            }
        }
        return progress.isWell ? .success : .failure
    }
}

/// The state of an album as received by a watch.
struct WatchedAlbum: WatchProgress {
    private(set) var album: Album
    /// Photos whose pictures were stored, failed or began last, the latest at the end.
    private(set) var latest: [Photo] = []
    private(set) var isGone = false
    private(set) var hasBegun = false
    /// The version that has been received.
    private(set) var version: UInt64 = 0

    /// How many photos are kept.
    static let maximumLatest = 5

    init(subject: String) { album = Album(subject: subject) }

    mutating func apply(_ message: WatchAlbumResponse) {
        hasBegun = true
        version = message.version
        isGone = message.deleted
        if let album = message.album, !isGone { self.album = album }
        let replaced = message.isWhole ? Set(latest.map(\.id)) : Set(message.photos.map(\.id))
        let begun = message.photos.filter { ![.waiting, .unspecified].contains($0.state) }
        latest = Array((latest.filter { !replaced.contains($0.id) } + begun).suffix(Self.maximumLatest))
    }

    /// Its pictures are stored or failed. The pictures of a place's album that was never opened are not fetched by
    /// themselves.
    var isSettled: Bool {
        let state = album.summary?.state ?? .unspecified
        return state.isFinal || state == .listed
    }

    /// Whether there is something to show, even if it is known to be empty.
    var isWell: Bool { !isGone && album.summary?.state != .failed }
}

/// An album that fills up, as lines for a person.
struct WatchedAlbumView {
    let progress: WatchedAlbum

    /// The lines of a view that is redrawn.
    func lines(on sink: TextSink) -> [String] {
        guard !progress.isGone else { return [Style.yellow.paint(line, on: sink)] }
        let album = AlbumView(album: progress.album, photos: [], sink: sink).headLines
        guard !progress.latest.isEmpty else { return album }
        let photos = PhotoTable.lines(progress.latest, on: sink.indented(2)).dropFirst()
        return album + [""] + photos.map { "  \($0)" }
    }

    /// All in one line, for a log.
    var line: String {
        let album = progress.album
        guard !progress.isGone else { return "\(album.subject): the album was deleted".printable }
        let summary = album.summary ?? AlbumSummary()
        let words = summary.photoCount > 0 ? ": \(AlbumBar.words(summary))" : ""
        let warning = album.warning.isEmpty ? "" : "; \(album.warning)"
        return "\(album.subject) \(Look(summary.state).word)\(words)\(warning)".printable
    }
}
