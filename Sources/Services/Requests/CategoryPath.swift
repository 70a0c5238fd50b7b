import Contracts
package import Refusals

/// A category that a request names: "amenity", "amenity/cafe".
package enum CategoryPath {
    /// How long a category may be, in characters (Unicode scalars).
    private static let length = 1...255

    /// The categories of a field, in UTF-8 and without a slash at the end: "amenity/" is meant as "amenity".
    package static func checked(_ texts: [String], field: String) throws(Refusal) -> [[UInt8]] {
        let most = NearbyRequest.categoriesLength.upperBound
        guard texts.count <= most else {
            throw Refusal(field, texts.count, "entries", allowed: "at most \(most) are")
        }
        var paths: [[UInt8]] = []
        for (index, text) in texts.enumerated() { paths.append(try checked(text, "\(field)[\(index)]")) }
        return paths
    }

    private static func checked(_ text: String, _ field: String) throws(Refusal) -> [UInt8] {
        let scalars = text.unicodeScalars
        let name = scalars.last == "/" ? scalars.dropLast() : scalars[...]
        guard length.contains(name.count) else {
            throw Refusal(field, name.count, "characters", allowed: "1 to \(length.upperBound) are")
        }
        return Array(String(name).utf8)
    }
}
