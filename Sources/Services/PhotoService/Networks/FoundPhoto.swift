import Geo
import LiveNetworks

/// A photo as a network lists it.
struct FoundPhoto: Sendable, Equatable {
    /// Its record. `originalURL` is where bytes of it are that are large enough for all our sizes.
    let photo: Photo

    /// Nil when it may not be shown, or can't be: a network demands an author, or its bytes are of a kind or at a place
    /// that we don't fetch.
    init?(
        network: String, id: String, title: String, position: Coordinate, credit: Credit, fetchURL: String,
        width: UInt32, height: UInt32, takenMilliseconds: Int64?, takenOffsetMinutes: Int? = nil,
        view: CameraView? = nil,
        tags: [String] = []
    ) {
        guard let id = PhotoID("\(network)/\(id)"), credit.suffices(for: network) else { return nil }
        photo = Photo(
            id: id, title: title, position: position, credit: credit, originalURL: fetchURL, width: width,
            height: height, takenMilliseconds: takenMilliseconds, takenOffsetMinutes: takenOffsetMinutes, view: view,
            tags: PhotoTags.fitted(tags))
    }
}

/// Where a network's pictures are.
protocol PictureSource: Sendable {
    /// Whether bytes are fetched from an address.
    func mayFetch(_ url: String) -> Bool
    /// Whether the operator has named where its bytes are: then that may be a server of the own network.
    var isNamedByOperator: Bool { get }
    /// How many redirects its servers use.
    var redirects: Int { get }
}

extension PictureSource {
    var redirects: Int { 0 }
}

/// A network that lists photos around a point.
protocol PhotoProvider: NetworkProvider<FoundPhoto>, PictureSource {}
