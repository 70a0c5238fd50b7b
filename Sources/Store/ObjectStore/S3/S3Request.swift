import Storage

/// A request for a bucket or an object in it.
struct S3Request: Sendable {
    /// Of no bytes.
    static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// "GET", "HEAD", "PUT", "POST" or "DELETE".
    let method: String
    /// "" for the bucket itself.
    var key = ""
    var query: [(String, String)] = []
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// SHA-256 of the body, which is signed.
    var hash = Self.emptyHash
    /// The permission that the access key needs for it: "s3:GetObject".
    let right: String
    var isSigned = true

    init(_ method: String, _ key: String = "", _ query: [(String, String)] = [], right: String) {
        self.method = method
        self.key = key
        self.query = query
        self.right = right
    }

    /// With a body, which is hashed.
    init(_ method: String, _ key: String, _ query: [(String, String)] = [], body: [UInt8], right: String) {
        self.init(method, key, query, right: right)
        self.body = body
        hash = BlobName(of: body).text
    }
}
