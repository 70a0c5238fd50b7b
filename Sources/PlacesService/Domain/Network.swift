/// Where places come from.
enum Network: String, CaseIterable, Sendable {
    case catalog, openstreetmap, foursquare, instagram, flickr, commons, folder

    /// All names, for sentences.
    static let list = allCases.map(\.rawValue).joined(separator: ", ")
}
