import Bytes
package import EventLoops
package import HTTPClient
package import Storage
import Synchronization

/// Blobs in a bucket of a store that speaks S3, under the names that a folder would have: PREFIX/ab/cdef0123…
///
/// Stores differ in what they check. So what was sent is compared with what the store says that it received, or read
/// back; what is read is compared with its name.
package final class S3Blobs: Blobs {
    let bucket: S3Bucket
    let blocking: BlockingPool
    private let known = Mutex<S3Abilities?>(nil)

    /// - Parameters:
    ///   - client: the owner closes it.
    ///   - blocking: hashes what is long.
    package init(
        _ address: S3Address, _ credentials: S3Credentials, client: HTTPClient, blocking: BlockingPool,
        settings: S3Settings = S3Settings()
    ) {
        bucket = S3Bucket(
            address: address, credentials: credentials, client: client, settings: settings,
            health: StoreHealth(rests: settings.rests))
        self.blocking = blocking
    }

    /// The abilities of the store, tried the first time, and until it was reached.
    package func abilities() async throws(BlobError) -> S3Abilities {
        if let known = known.withLock({ $0 }) { return known }
        let found = try await bucket.probe()
        known.withLock { $0 = found }
        return found
    }

    package func open(
        _ name: BlobName, count: Int?, behind head: [UInt8], limit: Int
    ) async throws(BlobError) -> OpenedBlob {
        let key = key(of: name)
        guard let stream = try await bucket.open(key) else { throw .notFound(name) }
        guard let length = stream.headers["content-length"].flatMap({ Int($0) }) ?? count, length >= 0 else {
            throw bucket.strange("a GET, without its length")
        }
        guard count == nil || count == length else { throw .damaged(name) }
        let object = S3Object(name, count: length, stream, key, bucket)
        return OpenedBlob(object, first: try await object.bytes(behind: head, from: 0, limit: limit))
    }

    package func contains(_ name: BlobName) async throws(BlobError) -> Bool {
        try await bucket.facts(key(of: name)) != nil
    }

    /// Stores have no way to remove an object only if it is old. Between the look at its age and the removal another
    /// machine may store it again; what is lost then is noticed when it is read.
    package func remove(_ name: BlobName, ifStoredBefore limit: Int64) async throws(BlobError) -> Bool {
        let key = key(of: name)
        guard let facts = try await bucket.facts(key), facts.modified < limit else { return false }
        // A removal that is repeated may come much later.
        try await bucket.delete(key, tries: 1)
        return true
    }

    package func list(_ page: String?) async throws(BlobError) -> BlobPage {
        let prefix = bucket.address.prefix
        let found = try await bucket.list(prefix, after: page)
        var answer = BlobPage()
        answer.now = found.now
        answer.next = found.next
        answer.blobs = found.objects.compactMap { object in
            let parts = object.key.split(at: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count == 2, let name = BlobName(parts[0] + parts[1]) else {
                return nil
            }
            return (name, object.modified)
        }
        return answer
    }

    package func removeUnfinished(before limit: Int64) async throws(BlobError) -> Int {
        var count = 0
        for upload in try await bucket.oldUploads(bucket.address.prefix, before: limit) {
            try await bucket.dropParts(upload.key, upload.id)
            count += 1
        }
        let probes = "\(bucket.address.prefix)probe/"
        for object in try await bucket.list(probes, after: nil).objects where object.modified < limit {
            try await bucket.delete(probes + object.key)
            count += 1
        }
        return count
    }

    func key(of name: BlobName) -> String {
        "\(bucket.address.prefix)\(name.text.prefix(2))/\(name.text.dropFirst(2))"
    }
}
