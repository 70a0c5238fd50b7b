import Bytes
import HTTPClient
import Storage

/// A page of a bucket's list.
struct S3Page: Sendable {
    /// Keys without the prefix that was asked for, and milliseconds since 1970.
    var objects: [(key: String, modified: Int64)] = []
    /// By the store's clock.
    var now: Int64?
    var next: String?
}

extension S3Bucket {
    /// The objects whose keys begin with `prefix`, in order, as many as come at once. A store may list a key twice that
    /// two writers store at once (rclone 1.75 does); here it is listed once.
    /// - Parameter token: the `next` of the page before; nil for the first.
    func list(_ prefix: String, after token: String?) async throws(BlobError) -> S3Page {
        var query = [("list-type", "2"), ("max-keys", "\(settings.pageObjects)"), ("prefix", prefix)]
        if let token { query.append(("continuation-token", token)) }
        let answer = try await document(S3Request("GET", "", query, right: "s3:ListBucket"))
        guard answer.document.name == "ListBucketResult" else { throw strange("a list") }
        var page = S3Page()
        var keys: Set<String> = []
        page.now = answer.now
        for object in answer.document.all("Contents") {
            guard let key = object["Key"], key.begins(with: prefix),
                let modified = object["LastModified"].flatMap(S3Time.unixMilliseconds), keys.insert(key).inserted
            else { continue }
            page.objects.append((String(key.dropFirst(prefix.count)), modified))
        }
        if answer.document["IsTruncated"] == "true" {
            guard let next = answer.document["NextContinuationToken"], !next.isEmpty, next != token else {
                throw strange("a list, without its end")
            }
            page.next = next
        }
        return page
    }

    /// Sends a request and gives its answer parsed, with the store's time.
    func document(_ request: S3Request) async throws(BlobError) -> (document: S3Document, now: Int64?) {
        let answer = try await send(request)
        guard (200..<300).contains(answer.status), let document = S3Document(parsing: answer.body) else {
            throw strange("\(request.method), \(answer.status)")
        }
        return (document, Self.now(answer))
    }
}
