package import Refusals

/// Networks in a request that searches may ask.
package enum SearchedNetworks {
    /// All that there are, in alphabetical order. Libraries that accounts open with keys of their own are not among
    /// them: giving the key is the choice.
    package static let known = [
        "catalog", "commons", "flickr", "folder", "foursquare", "instagram", "openstreetmap", "panoramax",
    ]

    /// Their names, validated.
    /// - Parameters:
    ///   - field: the field's path in the .proto.
    ///   - most: how many names it may have.
    package static func checked(_ names: [String], _ field: String, most: Int) throws(Refusal) -> Set<String> {
        guard names.count <= most else {
            throw Refusal(field, names.count, "networks", allowed: "at most \(most) are")
        }
        for (index, name) in names.enumerated() where !known.contains(name) {
            throw Refusal(
                "\(field)[\(index)]", text: name, allowed: "the networks \(known.joined(separator: ", ")) are")
        }
        return Set(names)
    }
}
