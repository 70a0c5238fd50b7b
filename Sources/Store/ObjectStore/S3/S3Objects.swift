import Bytes
import Crypto
package import HTTPClient
package import Storage
import TLS

/// Named objects in a bucket of a store that speaks S3.
package struct S3Objects: NamedObjects {
    /// How often bytes are sent that the store did not receive as they are.
    private static let puts = 3

    private let bucket: S3Bucket

    /// - Parameter client: the owner closes it.
    package init(
        _ address: S3Address, _ credentials: S3Credentials, client: HTTPClient, settings: S3Settings = S3Settings()
    ) {
        bucket = S3Bucket(
            address: address, credentials: credentials, client: client, settings: settings,
            health: StoreHealth(rests: settings.rests))
    }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(BlobError) {
        let md5 = MD5.text(bytes[...])
        for _ in 1...Self.puts {
            let etag = try await bucket.put(key(name), bytes, hash: BlobName(of: bytes).text)?.lowercased() ?? ""
            // Not all stores name objects by their MD5.
            guard let md5, etag.utf8.count == md5.utf8.count, etag != md5 else { return }
        }
        throw .failed("the store at \(bucket.address.endpoint) received other bytes than were sent, again and again")
    }

    package func get(_ name: String, limit: Int) async throws(BlobError) -> [UInt8]? {
        guard let stream = try await bucket.open(key(name)) else { return nil }
        do throws(HTTPClientError) {
            return try await stream.rest(limit: limit)
        } catch {
            throw .away("the store at \(bucket.address.endpoint) broke off an object (\(error)); try again")
        }
    }

    package func remove(_ name: String) async throws(BlobError) { try await bucket.delete(key(name)) }

    package func list(_ folder: String) async throws(BlobError) -> [(name: String, stored: Int64)] {
        var (objects, token): ([(name: String, stored: Int64)], String?) = ([], nil)
        repeat {
            let page = try await bucket.list("\(bucket.address.prefix)\(folder)/", after: token)
            objects += page.objects.map { ("\(folder)/\($0.key)", $0.modified) }
            token = page.next
        } while token != nil
        return objects
    }

    private func key(_ name: String) -> String { "\(bucket.address.prefix)\(name)" }
}
