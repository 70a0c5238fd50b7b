/// Why the place of blobs, or what it needs, can't be used; the text says what is.
package struct BlobAddressError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
