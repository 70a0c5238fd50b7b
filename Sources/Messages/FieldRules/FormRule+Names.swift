internal import Networks

// Names of what there is a fixed number of.
extension FormRule {
    static let placeNetwork = FormRule(names: Network.ofPlaces.names)
    static let liveNetwork = FormRule(
        names: Network.livePlaces.map(\.name), allowed: "the live networks % are")
    static let photoNetwork = FormRule(
        names: Network.livePhotos.names, allowed: "the networks of photos % are")
    static let searchedNetwork = FormRule(names: Network.chosen.names, allowed: "the networks % are")
    static let keyNetwork = FormRule(
        names: Network.ofKeys.names,
        allowed: Network.ofKeys.names.map { "\"\($0)\"" }.joined(separator: " and ") + " are")
    static let placeField = FormRule(
        names: ["id", "name", "categories", "position", "attributes", "distance_m", "hours"])
    static let branch = FormRule(names: ["places", "pins", "photos", "posts"])
    static let shown = FormRule(names: ["places", "pins", "photos"])
}
