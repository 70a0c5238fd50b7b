// What is on this server, and asked over no network.
extension Network {
    /// The datasets that were imported.
    package static let catalog = Network(name: "catalog", label: "Catalog", places: PlaceOffer(maximumLinks: 1_000))
    /// The operator's folder of pictures.
    package static let folder = Network(name: "folder", label: "Own pictures", photos: PhotoOffer(isOfAreas: true))
    /// What people add themselves.
    package static let upload = Network(
        name: "upload", label: "Your photos", photos: PhotoOffer(isOfAreas: true), isChosen: false)
}
