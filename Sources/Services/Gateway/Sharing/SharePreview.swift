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
    /// Of an album alone its first photo stands for it.
    init(_ shared: GetSharedPinResponse) {
        guard shared.albumOnly else {
            self.init(name: shared.name, picture: shared.mapUrl)
            return
        }
        self.init(
            name: shared.name.isEmpty ? "Photos" : shared.name, picture: shared.photos.first?.thumbnailUrl ?? "",
            kind: "website", words: "An album of photos.")
    }
}
