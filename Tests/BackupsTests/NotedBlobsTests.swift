import EventLoops
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 A data folder whose pictures are in a bucket")
struct NotedBlobsTests {
    private static let place = "s3://b/p"

    @Test("is backed up without them, and the backup names the bucket; so does what comes back")
    func backup() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                #expect(try await house.backUp(vault).backup.picturesAt == nil)
                try NotedBlobs.note(NotedBlobs.plain("\(Self.place)/?endpoint=http://h:1"), in: house.data)
                let backup = try await house.backUp(vault)
                #expect(backup.backup.picturesAt == Self.place)
                #expect(try await vault.all().first?.backup.picturesAt == Self.place)
                let back = try await house.restore(backup, vault)
                #expect(try NotedBlobs.place(of: back) == Self.place)
            }
        }
    }

    @Test("is moved to a database only with the bucket that they are in, where they stay")
    func move() async throws {
        try await DataHouse.with { house in
            try NotedBlobs.note(Self.place, in: house.data)
            for other in [nil, "s3://b/q"] {
                let move = try DataMove(
                    from: .folder(house.data), to: .database("postgresql://waymark@127.0.0.1:1/none"), blobs: other,
                    agent: "test", BlockingCalls.ofTested)
                await #expect(throws: BackupError.self) {
                    _ = try await move.run { _, _, _, _ in
                        Issue.record("a service was run")
                        return []
                    } _: { _ in
                    }
                }
            }
        }
    }
}
