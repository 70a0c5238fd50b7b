package import Arguments
package import Daemon
package import EventLoops
import HTTPClient
package import Storage

/// Where a service keeps bytes: in a folder of its own, or in a bucket that replicas share.
package struct BlobsConfig: Sendable {
    /// Nil: bytes are kept in a folder.
    private let bucket: (address: S3Address, credentials: S3Credentials)?
    private let cacheBytes: Int

    /// Reads the credentials too, which blocks.
    package init(_ options: Options) throws(OptionError) {
        cacheBytes = try options.integer("--blob-cache")
        guard let address = options["--blobs"] else {
            bucket = nil
            return
        }
        do throws(BlobAddressError) {
            let file = options["--blob-credentials"]
            bucket = (try S3Address(address), try S3Credentials(file: file, environment: Environment.ofProcess))
        } catch {
            throw OptionError("--blobs: \(error)")
        }
    }

    /// Where replicas share the bytes: the same text for the same place; nil when they are in a folder.
    package var place: String? { bucket.map { "\($0.address.bucket)/\($0.address.prefix)" } }

    /// Opens the bucket, if that is where bytes are; nil when they are in a folder. A bucket that can't be used is an
    /// error; one that is away is not: it is asked again when it is needed.
    package func openBucket(_ blocking: BlockingPool, _ log: Log?) async throws -> OpenBucket? {
        guard let (address, credentials) = bucket else { return nil }
        // Its own, as hashing what comes takes milliseconds for each MiB.
        let loop = try EventLoop(name: "bucket")
        let client = HTTPClient(loop: loop, agent: "waymark/\(ServiceProgram.version)")
        let blobs = S3Blobs(address, credentials, client: client, blocking: blocking)
        do throws(BlobError) {
            let lacks = try await blobs.abilities().lacks
            if !lacks.isEmpty {
                log?.warning("the store of blobs can't do all", ["lacks": lacks.joined(separator: "; ")])
            }
        } catch {
            guard case .away(let reason) = error else {
                await client.close()
                loop.shutDown()
                throw error
            }
            log?.warning("the store of blobs is away", ["reason": reason])
        }
        return OpenBucket(blobs: blobs, cacheBytes: cacheBytes, client: client, blocking: blocking)
    }
}

/// A bucket in use.
package struct OpenBucket: Sendable {
    package let blobs: S3Blobs
    private let cacheBytes: Int
    private let client: HTTPClient
    private let blocking: BlockingPool

    fileprivate init(blobs: S3Blobs, cacheBytes: Int, client: HTTPClient, blocking: BlockingPool) {
        self.blobs = blobs
        self.cacheBytes = cacheBytes
        self.client = client
        self.blocking = blocking
    }

    /// The blobs, with a folder for copies of those that are used.
    package func cached(in folder: String) async throws(BlobError) -> CachedBlobs {
        try await CachedBlobs(blobs, folder: folder, limitBytes: cacheBytes, blocking: blocking)
    }

    /// Ends what is under way.
    package func close() async {
        await client.close()
        let loop = client.loop
        try? await blocking.run { loop.shutDown() }
    }
}
