import Crypto
import EventLoops
import HTTPClient
import Storage

/// A blob that is read from the store as it comes. Read in order to its end, its bytes are compared with its name: the
/// last part is given only when all were right. A connection that breaks off is taken up where it did.
actor S3Object: ReadableBlob {
    /// How often a transfer is taken up again.
    private static let resumes = 3

    nonisolated let name: BlobName
    nonisolated let count: Int
    private let key: String
    private let bucket: S3Bucket
    private var stream: HTTPClientStream
    /// Bytes that came and were not read; the first has the place `position` in the blob.
    private var held: [UInt8] = []
    private var position = 0
    /// Of what was read; nil once it was not read in order.
    private var digest: RunningSHA256? = RunningSHA256()
    private var resumed = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe bucket.client.loop.asUnownedSerialExecutor()
    }

    init(_ name: BlobName, count: Int, _ stream: HTTPClientStream, _ key: String, _ bucket: S3Bucket) {
        self.name = name
        self.count = count
        self.stream = stream
        self.key = key
        self.bucket = bucket
    }

    nonisolated func bytesInMemory(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8]? { nil }

    func bytes(behind head: [UInt8], from start: Int, limit: Int) async throws(BlobError) -> [UInt8] {
        let wanted = count(from: start, limit: limit)
        if wanted == 0 {
            // The name of no bytes was not compared yet.
            if count == 0, name != BlobName(of: []) { throw .damaged(name) }
            return head
        }
        if start != position {
            digest = nil
            try await takeUp(at: start)
        }
        while held.count < wanted { try await receive() }
        let part = held.prefix(wanted)
        digest?.update(part)
        if start + wanted == count, let digest, digest.digest != name.bytes { throw .damaged(name) }
        let bytes = head + part
        held.removeFirst(wanted)
        position = start + wanted
        return bytes
    }

    /// Waits for the next bytes.
    private func receive() async throws(BlobError) {
        let more: [UInt8]
        do throws(HTTPClientError) {
            more = try await stream.next()
        } catch {
            if error == .cancelled || error == .closed { throw .cancelled }
            more = []
        }
        guard more.isEmpty else {
            // A longer object than was announced is another one.
            guard more.count <= count - position - held.count else { throw .damaged(name) }
            return held += more
        }
        guard resumed < Self.resumes else {
            throw .away("the store at \(bucket.address.endpoint) broke off a blob, again and again; try later")
        }
        resumed += 1
        let (rest, place) = (held, position)
        try await takeUp(at: position + held.count)
        (held, position) = (rest, place)
    }

    private func takeUp(at start: Int) async throws(BlobError) {
        guard let next = try await bucket.open(key, from: start) else { throw .notFound(name) }
        stream = next
        held = []
        position = start
    }
}
