import AlbumArchive
import Contracts
import RPC

/// A picture that was read to the end, since a ZIP has its checksum before its bytes. A large one is not kept, neither
/// in memory nor in a file: it is asked for again when it is sent.
struct MeasuredPicture: Sendable {
    /// The most bytes that are kept: more than nearly all pictures have that are made for being seen.
    private static let maximumKept = 2 << 20
    /// The most bytes of a picture.
    private static let limit: UInt64 = 64 << 20

    let photo: Photo
    let request: GetPictureRequest
    let notes: FileNotes
    /// Nil for a large one.
    let bytes: [UInt8]?

    /// Reads all parts. DATA_LOSS when they are not what the service announced.
    init(
        _ photo: Photo, _ request: GetPictureRequest, _ parts: ResponseStream<GetPictureResponse>
    ) async throws {
        var (notes, kept) = (FileNotes(), [UInt8]())
        var info: PictureInfo?
        for try await part in parts {
            info = info ?? part.info
            notes.update(part.data[...])
            guard notes.byteCount <= min(info?.byteCount ?? 0, Self.limit) else { throw Self.changed }
            if notes.byteCount <= Self.maximumKept { kept += part.data } else { kept = [] }
        }
        guard notes.byteCount == info?.byteCount, notes.sha256 == info?.sha256 else { throw Self.changed }
        self.photo = photo
        self.request = request
        self.notes = notes
        bytes = notes.byteCount <= Self.maximumKept ? kept : nil
    }

    static var changed: RPCError {
        RPCError(.dataLoss, "a picture's bytes are not those that the photo service announced")
    }
}
