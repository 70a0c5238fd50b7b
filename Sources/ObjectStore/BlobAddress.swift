/// Where blobs are kept: a folder, or a bucket of a store that speaks S3.
package enum BlobAddress: Equatable, Sendable {
    case folder(String)
    case s3(S3Place)

    /// A path, or `s3://BUCKET[/PREFIX]?endpoint=https://HOST:PORT&region=REGION&style=path|host`.
    package init(_ text: String) throws(BlobAddressError) {
        if text.hasPrefix("s3://") {
            self = .s3(S3Place(address: try S3Address(text)))
        } else if text.isEmpty || text.contains("://") {
            throw BlobAddressError("\"\(text.prefix(100))\" is not an address; a folder, or s3://BUCKET/PREFIX, is")
        } else {
            self = .folder(text)
        }
    }
}

/// A place in a bucket, which `S3Blobs` opens.
package struct S3Place: Equatable, Sendable {
    let address: S3Address
}

/// Why an address of blobs, or what it needs, can't be used; the text says what is.
package struct BlobAddressError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
