import Storage
import TestSupport
import Testing

@testable import ObjectStore

@Suite(
    "Uploads in parts, to stores that nobody here wrote", .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"),
    .timeLimit(.minutes(5)))
struct RealUploadTests {
    private static let held = HeldBlob((0..<6 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private static let settings = {
        var settings = S3Settings.ofTests
        settings.partBytes = 5 << 20
        return settings
    }()

    @Test("are swept when they were not ended, and only when they are old", arguments: S3Server.Kind.complete)
    func unfinished(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace, settings: Self.settings) { blobs in
            _ = try await begun(blobs)
            let none = try await blobs.removeUnfinished(before: 0)
            #expect(none == 0)
            let removed = try await blobs.removeUnfinished(before: .max)
            #expect(removed == 1)
            let rest = try await blobs.removeUnfinished(before: .max)
            #expect(rest == 0)
            try await blobs.put(Self.held)
            let read = try await blobs.read(Self.held.name)
            #expect(read == Self.held.bytes)
        }
    }

    @Test("may be ended again, as after an answer that was lost", arguments: S3Server.Kind.tested)
    func again(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace, settings: Self.settings) { blobs in
            let (key, id, etags) = try await begun(blobs)
            for _ in 1...2 { try await blobs.bucket.endParts(key, id, etags) }
            try await blobs.bucket.dropParts(key, id)
            let read = try await blobs.read(Self.held.name)
            #expect(read == Self.held.bytes)
        }
    }

    @Test("may be ended twice at once, as when the first try is still at work", arguments: S3Server.Kind.tested)
    func atOnce(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace, settings: Self.settings) { blobs in
            let (key, id, etags) = try await begun(blobs)
            async let first: Void = blobs.bucket.endParts(key, id, etags)
            async let second: Void = blobs.bucket.endParts(key, id, etags)
            _ = try await (first, second)
            let read = try await blobs.read(Self.held.name)
            #expect(read == Self.held.bytes)
        }
    }

    @Test("of one blob by several machines at once leave that blob", arguments: S3Server.Kind.tested)
    func several(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace, settings: Self.settings) { blobs in
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await blobs.put(Self.held) } }
                try await group.waitForAll()
            }
            let read = try await blobs.read(Self.held.name)
            #expect(read == Self.held.bytes)
            let left = try await blobs.removeUnfinished(before: .max)
            #expect(left == 0)
        }
    }

    /// All parts are there, and were not put together.
    private func begun(_ blobs: S3Blobs) async throws -> (key: String, id: String, etags: [String]) {
        let (bucket, key) = (blobs.bucket, blobs.key(of: Self.held.name))
        let id = try await bucket.beginParts(key)
        var etags: [String] = []
        for part in [Self.held.bytes[..<(5 << 20)], Self.held.bytes[(5 << 20)...]] {
            let hash = BlobName(of: Array(part)).text
            etags.append(try await bucket.putPart(key, id, etags.count + 1, Array(part), hash: hash))
        }
        return (key, id, etags)
    }
}
