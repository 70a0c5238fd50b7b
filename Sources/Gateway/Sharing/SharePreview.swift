import Contracts

/// What a preview of a link shows, as programs make one of the page's head.
struct SharePreview {
    let name: String
    /// Path of its picture; empty for none.
    let picture: String
    /// The kind of thing as the Open Graph protocol names it, https://ogp.me.
    var kind = "place"
    var words = "A place on the map, what is around it, and its photos."
}

extension SharePreview {
    /// Of an album alone, with its first photo.
    init(_ album: GetSharedPinResponse) {
        name = album.name.isEmpty ? "Photos" : album.name
        picture = album.photos.first?.thumbnailUrl ?? ""
        (kind, words) = ("website", "An album of photos.")
    }
}
