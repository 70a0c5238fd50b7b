import PhotoContracts
import Storage

/// A file that an account is uploading.
struct PhotoUpload: Equatable, Sendable {
    /// That of the photo that it becomes.
    let id: PhotoID
    let account: String
    /// Its bytes, by their digest.
    let name: BlobName
    let byteCount: Int64
    /// The pin whose album gets it; empty for none.
    let pin: String
    /// How many bytes are stored.
    var received: Int64 = 0

    init?(account: String, name: BlobName, byteCount: Int64, pin: String, received: Int64 = 0) {
        guard let id = Self.id(account, name) else { return nil }
        self.id = id
        self.account = account
        self.name = name
        self.byteCount = byteCount
        self.pin = pin
        self.received = received
    }

    /// The same file of the same account is the same photo; of another account it is another one.
    private static func id(_ account: String, _ name: BlobName) -> PhotoID? {
        let digest = BlobName(of: Array("\(account)\0".utf8) + name.bytes).text
        return PhotoID("\(PhotoID.uploadNetwork)/\(digest.prefix(32))")
    }
}

/// The limits of uploads.
enum UploadLimit {
    /// Bytes of one part.
    static let partBytes = AddUploadPartRequest.dataLength.upperBound
    /// Bytes of all unfinished uploads of one account.
    static let unfinishedBytes: Int64 = 256 << 20
    /// How long an unfinished upload is kept after its last part, in milliseconds.
    static let life: Int64 = 86_400_000
}
