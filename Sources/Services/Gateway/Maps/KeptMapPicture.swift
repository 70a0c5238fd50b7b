import Crypto
import MapPicture

/// A picture of the map that was drawn.
struct KeptMapPicture: Equatable, Sendable {
    let png: [UInt8]
    let attribution: String
    /// 64 hexadecimal digits in lower case.
    let sha256: String
}

extension KeptMapPicture {
    init(_ picture: MapPicture) {
        self.init(
            png: picture.png, attribution: picture.attribution,
            sha256: CachedPictureFacts.text(SHA256.digest(picture.png)))
    }
}

/// What a picture shows: a view, and which editions of the maps of datasets.
struct MapSubject: Hashable, Sendable {
    let view: MapView
    var sets: [MapTileSet] = []
}
