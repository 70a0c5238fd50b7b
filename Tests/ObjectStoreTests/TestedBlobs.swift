import EventLoops
import HTTPClient
import ObjectStore
import Storage
import TestSupport
import TestTools
import Testing

@testable import ObjectStore

/// What keeps the blobs in a test of the contract.
enum Engine: String, Sendable, CustomTestStringConvertible {
    case folder, seaweedFS, cached, rclone, radosgw

    static let tested: [Engine] =
        [.folder, .seaweedFS, .cached, .rclone] + (S3Server.Kind.tested.contains(.radosgw) ? [.radosgw] : [])

    var testDescription: String { rawValue }
}

/// Blobs in a folder or in a part of a bucket that no other test uses.
func withBlobs(
    _ engine: Engine, settings: S3Settings = .ofTests, _ body: (any Blobs) async throws -> Void
) async throws {
    switch engine {
    case .folder:
        try await TemporaryFolder.with { folder in
            try await body(try DirectoryBlobs(folder: "\(folder)/blobs", blocking: BlockingCalls.ofTested))
        }
    case .seaweedFS: try await withS3(try S3Server.shared(.seaweedFS).newPlace, settings: settings, body)
    case .cached:
        try await withS3(try S3Server.shared(.seaweedFS).newPlace, settings: settings) { store in
            try await withCache(of: store, body)
        }
    case .rclone: try await withS3(try S3Server.shared(.rclone).newPlace, settings: settings, body)
    case .radosgw: try await withS3(try S3Server.shared(.radosgw).newPlace, settings: settings, body)
    }
}

/// Blobs of a store with copies in a folder.
func withCache(
    of store: any Blobs, limitBytes: Int = 1 << 30, _ body: (CachedBlobs) async throws -> Void
) async throws {
    try await TemporaryFolder.with { folder in
        try await body(
            try await CachedBlobs(store, folder: folder, limitBytes: limitBytes, blocking: BlockingCalls.ofTested))
    }
}

/// Blobs of a store, with a client of their own.
func withS3(
    _ address: String, keyID: String = S3Server.keyID, secret: String = S3Server.secret,
    settings: S3Settings = .ofTests, _ body: (S3Blobs) async throws -> Void
) async throws {
    let loop = try EventLoop()
    let client = HTTPClient(loop: loop, agent: "waymark-test")
    let blobs = S3Blobs(
        try S3Address(address), S3Credentials(keyID: keyID, secret: secret), client: client,
        blocking: BlockingCalls.ofTested,
        settings: settings)
    do {
        try await body(blobs)
    } catch {
        await client.close()
        loop.shutDown()
        throw error
    }
    await client.close()
    loop.shutDown()
}

extension S3Server {
    /// A part of the bucket that no other test uses.
    var newPlace: String { address(prefix: "test-\(UInt32.random(in: 0 ... .max))") }
}

extension S3Settings {
    /// As in a service, but for the pauses.
    static var ofTests: S3Settings {
        var settings = S3Settings()
        settings.pauses = .milliseconds(1)...(.milliseconds(20))
        settings.rests = .milliseconds(1)...(.milliseconds(50))
        return settings
    }
}

extension BlobError {
    /// The sentence of a store that refuses; nil for any other error.
    var refusal: String? {
        if case .refused(let text) = self { text } else { nil }
    }

    /// The sentence of a store that is away; nil for any other error.
    var absence: String? {
        if case .away(let text) = self { text } else { nil }
    }
}
