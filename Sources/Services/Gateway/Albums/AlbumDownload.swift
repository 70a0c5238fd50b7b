import AlbumArchive
import Contracts
import EventLoops
import HTTP
import RPC

/// One download of a pin's album, in the caller's name: to the services another account's pin is none.
struct AlbumDownload: Sendable {
    /// How long one answer of a service may take.
    private static let patience = Duration.seconds(60)
    /// How long the client may take to receive one large picture.
    private static let longest = Duration.seconds(900)
    /// Photos asked for at once.
    private static let pageSize: UInt32 = 250
    /// More photos than an album has.
    private static let maximumPhotos = 10_000

    let pinID: String
    let backends: Backends
    let admission: ClientAdmission
    let caller: Caller

    private var photos: PhotoServiceClient { PhotoServiceClient(backends.photos) }

    /// All that has to be known before the first byte can be sent. FAILED_PRECONDITION when no picture can be had.
    func begin() async throws -> BegunDownload {
        let answer = try await PinServiceClient(backends.pins).getPin(
            GetPinRequest(id: pinID), options(PinServiceMethods.getPin, within: Self.patience))
        guard let pin = answer.pin.flatMap(ArchivedPin.init) else {
            throw RPCError(.internalError, "the pin service did not say where the pin is")
        }
        var (archive, rest) = (GrowingArchive(), try await album()[...])
        while let photo = rest.popFirst() {
            if let first = try await measure(photo, for: &archive) {
                return BegunDownload(download: self, pin: pin, archive: archive, first: first, rest: rest)
            }
        }
        throw RPCError(
            .failedPrecondition,
            archive.leftOut.first.map { "none of the album's pictures can be had, the first because \($0.reason)" }
                ?? "the album has no photos")
    }

    var subject: String { "pin/\(pinID)" }

    private func album() async throws -> [Photo] {
        var request = GetAlbumRequest(subject: subject, pageSize: Self.pageSize)
        var all: [Photo] = []
        repeat {
            let page = try await photos.getAlbum(
                request, options(PhotoServiceMethods.getAlbum, within: Self.patience))
            all += page.photos
            request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty && all.count < Self.maximumPhotos
        return all
    }

    /// Reads a picture for what the archive says of it before its bytes; nil when it is left out.
    func measure(_ photo: Photo, for archive: inout GrowingArchive) async throws -> MeasuredPicture? {
        do {
            let request = try GetPictureRequest(archiving: photo)
            return try await MeasuredPicture(photo, request, pictures(request, within: Self.patience))
        } catch let error as RPCError where error.leavesOutPicture {
            archive.leaveOut(photo, error.message)
            return nil
        }
    }

    /// Sends the bytes of a picture: those that were kept, or else once more from the service.
    func send(_ picture: MeasuredPicture, _ writer: HTTPBodyWriter) async throws {
        if let bytes = picture.bytes { return try await writer.write(bytes) }
        var sent = FileNotes()
        for try await part in try await pictures(picture.request, within: Self.longest) {
            sent.update(part.data[...])
            guard sent.byteCount <= picture.notes.byteCount else { throw MeasuredPicture.changed }
            try await writer.write(part.data)
        }
        guard sent.sha256 == picture.notes.sha256 else { throw MeasuredPicture.changed }
    }

    private func pictures(
        _ request: GetPictureRequest, within time: Duration
    ) async throws(RPCError) -> ResponseStream<GetPictureResponse> {
        photos.getPicture(request, try await options(PhotoServiceMethods.getPicture, within: time))
    }

    /// Signed for each call: a download may outlast a signature.
    private func options(_ method: MethodDescriptor, within time: Duration) async throws(RPCError) -> CallOptions {
        var options = try await admission.options(try caller.context(method))
        options.deadline = .now + time
        return options
    }
}
