import Geo
import Networks
import Refusals

/// The record of one picture: where it was taken, who made it, under which terms it may be shown.
struct Photo: Equatable, Sendable {
    let id: PhotoID
    /// Caption; may be empty.
    let title: String
    let position: Coordinate
    let credit: Credit
    /// The https URL of its bytes; may be empty.
    let originalURL: String
    /// Width in pixels; 0 when not known.
    let width: UInt32
    /// Height in pixels; 0 when not known.
    let height: UInt32
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known. Where the offset is not known, what the clock
    /// showed is taken for UTC.
    let takenMilliseconds: Int64?
    /// How many minutes the clocks there were ahead of UTC; nil when not known.
    var takenOffsetMinutes: Int?
    /// Where the camera looked; nil when not known.
    var view: CameraView?
    /// As `PhotoTags` allows them.
    var tags: [String] = []
    /// What it was taken with, and through which lens, as `CameraName` has them; empty when not known.
    var camera = ""
    var lens = ""
    /// Of the folder: paths of files with the same bytes.
    var copyPaths: [String] = []
    /// The state of its picture; a record that was put in has none.
    var picture = PictureStatus()
    /// Whether the account that asks is shown its thumbnail, and what is known of its picture.
    var showsPicture = true
    /// Whether it is a favourite of the account that asks.
    var isFavourite = false
    /// What it is signed with, when another account than the one that asks has added it to an album; empty otherwise.
    var addedBy = ""
    /// The account that it is of alone; empty when all may see it.
    var owner = ""

    /// The other account that has added it; empty when that is the one that asks.
    var adder: String { addedBy.isEmpty ? "" : owner }

    /// A photo is not shown without the credit that its network requires.
    var mayBeShown: Bool { credit.suffices(for: id.network) }
}

/// Who has to be named where a photo is shown.
struct Credit: Equatable, Sendable {
    /// May be empty, as all of these, unless the network demands it.
    let author: String
    let licence: String
    /// The page that the network shows the photo on; http or https.
    let sourceURL: String

    /// Whether a photo may be shown: nothing is missing that its network requires.
    func suffices(for network: String) -> Bool { (try? check(demandsOf: network)) != nil }

    /// Refuses a photo that could not be shown, because something that its network requires is missing.
    /// - Parameter message: the field that has the parts.
    func check(demandsOf network: String, in message: String = "photo") throws(Refusal) {
        guard let demand = Network.named(network)?.photos?.demand else { return }
        let parts = [
            ("author", demand.author && author.isEmpty), ("licence", demand.licence && licence.isEmpty),
            ("source_url", demand.source && sourceURL.isEmpty),
        ]
        guard let missing = parts.first(where: \.1) else { return }
        throw Refusal("\(message).\(missing.0)", "it is empty; a photo of \(network) is not shown without it")
    }
}

/// What the pictures of a photo are made from: a file in the folder, as it was when it was scanned, or bytes that its
/// network has.
struct Original: Equatable, Sendable {
    let id: PhotoID
    /// EXIF's number, 1 to 8.
    let orientation: Int
    /// When it was last modified, in nanoseconds since 1970.
    let modifiedNs: Int64
    /// Where its network has it; empty for a file.
    var url = ""
    /// The bytes of an uploaded file; nil for all others, and where only the record was read.
    var upload: UploadedBytes?

    /// The networks whose photos fill albums, besides the folder.
    static let networks = Set(Network.livePhotos.names)

    var path: String { id.providerID }
}

/// The bytes of an uploaded file, by their SHA-256.
struct UploadedBytes: Equatable, Sendable {
    let digest: [UInt8]
    let count: Int
}

/// A photo, where it was taken, and where to. It sorts by its id.
struct PhotoPoint: Comparable, Sendable {
    let id: PhotoID
    let position: Coordinate
    let view: CameraView?

    static func < (left: PhotoPoint, right: PhotoPoint) -> Bool { left.id < right.id }
    static func == (left: PhotoPoint, right: PhotoPoint) -> Bool { left.id == right.id }
}

/// The state of a photo's picture. The numbers are stored.
enum PictureState: Int64, Sendable {
    /// Only the record is stored.
    case unspecified = 0
    /// It will be fetched.
    case waiting = 1
    /// Its thumbnail is there.
    case ready = 3
    /// It can't be obtained.
    case failed = 4
}

/// What is known of the picture of a photo.
struct PictureStatus: Equatable, Sendable {
    /// Bytes that distinguish one picture of a photo from another.
    static let sourceLength = 8

    var state = PictureState.unspecified
    /// How large the original is; 0 when not known.
    var byteCount: Int64 = 0
    /// Why it can't be obtained; empty unless it failed.
    var failure = ""
    /// A blurred preview (https://blurha.sh); empty until the picture was read.
    var placeholder = ""
    /// The first bytes of the thumbnail's name; empty while there is none.
    var thumbnail: [UInt8] = []
    /// Whether a large picture was made.
    var hasLarge = false
    /// What it is made from; nil when there is nothing, or no longer.
    var original: Original?
    /// While it is being fetched.
    var fetched = FetchedBytes()
}

/// How much of a picture has come.
struct FetchedBytes: Equatable, Sendable {
    var count: Int64 = 0
    /// 0 when it is not known.
    var total: Int64 = 0
}
