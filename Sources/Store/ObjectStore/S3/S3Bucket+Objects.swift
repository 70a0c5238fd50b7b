import Bytes
import HTTPClient
import Storage

/// What the store says of an object.
struct S3ObjectFacts: Equatable, Sendable {
    let count: Int
    let etag: String
    /// Milliseconds since 1970, by the store's clock, in whole seconds.
    let modified: Int64
    /// By the store's clock too.
    let now: Int64?
}

extension S3Bucket {
    /// Stores an object.
    /// - Parameters:
    ///   - hash: SHA-256 of the body.
    ///   - onlyNew: whether nothing is stored when there is an object of that key: then the answer is nil.
    /// - Returns: its ETag, "" when the store gives none.
    func put(
        _ key: String, _ body: [UInt8], hash: String, onlyNew: Bool = false
    ) async throws(BlobError) -> String? {
        var request = S3Request("PUT", key, right: "s3:PutObject")
        request.body = body
        request.hash = hash
        if onlyNew { request.headers.append(("If-None-Match", "*")) }
        let answer = try await send(request)
        if answer.status == 412 { return nil }
        return try etag(answer)
    }

    /// Nil when there is no such object.
    func facts(_ key: String) async throws(BlobError) -> S3ObjectFacts? {
        let answer = try await send(S3Request("HEAD", key, right: "s3:GetObject"))
        guard answer.status == 200 else { return nil }
        guard let count = answer.headers["content-length"].flatMap({ Int($0) }),
            let modified = answer.headers["last-modified"].flatMap({ HTTPDate.unixSeconds($0) })
        else { throw strange("a HEAD") }
        return S3ObjectFacts(
            count: count, etag: Self.unquoted(answer.headers["etag"] ?? ""), modified: modified * 1_000,
            now: Self.now(answer))
    }

    /// Removes an object; it need not exist.
    func delete(_ key: String, tries: Int? = nil) async throws(BlobError) {
        _ = try await send(S3Request("DELETE", key, right: "s3:DeleteObject"), tries: tries)
    }

    /// The name that a store gives to bytes, without its quotes.
    func etag(_ answer: HTTPClientResponse) throws(BlobError) -> String {
        guard (200..<300).contains(answer.status) else { throw strange("a PUT, \(answer.status)") }
        return Self.unquoted(answer.headers["etag"] ?? "")
    }

    static func unquoted(_ etag: String) -> String { etag.without("\"") }

    /// Milliseconds since 1970, by the store's clock; nil when it does not say.
    static func now(_ answer: HTTPClientResponse) -> Int64? {
        answer.headers["date"].flatMap { HTTPDate.unixSeconds($0) }.map { $0 * 1_000 }
    }

    /// An answer that no store should give.
    func strange(_ what: String) -> BlobError {
        .failed("the store at \(address.endpoint) gives an answer to \(what) that can't be understood")
    }
}
