// Names of what there is a fixed number of.
extension FormRule {
    static let placeNetwork = FormRule(names: ["catalog", "foursquare", "instagram", "openstreetmap"])
    static let liveNetwork = FormRule(
        names: ["openstreetmap", "foursquare", "instagram"], allowed: "the live networks % are")
    static let photoNetwork = FormRule(
        names: ["commons", "panoramax", "flickr", "foursquare", "instagram"],
        allowed: "the networks of photos % are")
    static let searchedNetwork = FormRule(
        names: ["catalog", "commons", "flickr", "folder", "foursquare", "instagram", "openstreetmap", "panoramax"],
        allowed: "the networks % are")
    static let keyNetwork = FormRule(
        names: ["immich", "instagram"], allowed: "\"immich\" and \"instagram\" are")
    static let placeField = FormRule(names: ["id", "name", "categories", "position", "attributes", "distance_m"])
    static let branch = FormRule(names: ["places", "pins", "photos", "posts"])
    static let shown = FormRule(names: ["places", "pins", "photos"])
}
