/// A photo's file in the folder, as it was when it was scanned.
struct Original: Equatable, Sendable {
    let id: PhotoID
    /// EXIF's number, 1 to 8.
    let orientation: Int
    /// When it was changed last, in nanoseconds since 1970.
    let modifiedNs: Int64

    var path: String { id.providerID }
}
