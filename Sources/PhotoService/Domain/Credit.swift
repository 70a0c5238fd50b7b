import Refusals

/// Who has to be named where a photo is shown.
struct Credit: Equatable, Sendable {
    /// May be empty, as all of these, unless the network demands it.
    let author: String
    let licence: String
    /// The page that the network shows the photo on; http or https.
    let sourceURL: String

    /// A network's terms.
    private struct Demand {
        let author: Bool
        let licence: Bool
        let source: Bool
    }

    /// What the networks demand to be shown with a photo of theirs; a network that is not here demands nothing.
    private static let demands = [
        "flickr": Demand(author: true, licence: true, source: true),
        "commons": Demand(author: true, licence: true, source: true),
        "foursquare": Demand(author: true, licence: false, source: true),
        "instagram": Demand(author: true, licence: false, source: true),
    ]

    /// Whether a photo may be shown: nothing is missing that its network demands.
    func suffices(for network: String) -> Bool { (try? check(demandsOf: network)) != nil }

    /// Refuses a photo that could not be shown, because what its network demands is missing.
    func check(demandsOf network: String) throws(Refusal) {
        guard let demand = Self.demands[network] else { return }
        let parts = [
            ("photo.author", demand.author && author.isEmpty), ("photo.licence", demand.licence && licence.isEmpty),
            ("photo.source_url", demand.source && sourceURL.isEmpty),
        ]
        guard let missing = parts.first(where: \.1) else { return }
        throw Refusal(missing.0, "it is empty; a photo of \(network) is not shown without it")
    }
}
