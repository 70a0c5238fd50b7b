import Bytes

/// A category that a request names: "amenity", "amenity/cafe".
package enum CategoryPath {
    /// In UTF-8 and without a slash at the end: "amenity/" is meant as "amenity".
    package static func bytes(_ text: String) -> [UInt8] { Array((text.before("/") ?? text[...]).utf8) }
}
