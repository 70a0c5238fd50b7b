import Storage
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P70 Photos that an earlier program counted for all accounts alike", .enabled(if: PostgresServer.isOfFiles))
struct PhotoCountMigrationTests {
    @Test("are asked for once more, by account")
    func told() async throws {
        try await TemporaryFolder.with { folder in
            let before = PinSchema.migrations.prefix { $0.name != "0056 photo counts by account" }
            let old = try await Database.open("\(folder)/pins.db", migrations: Array(before))
            try await old.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE album_feed SET version = 7, epoch = 3")
            }
            await old.close()
            let now = try await Database.open("\(folder)/pins.db", migrations: PinSchema.migrations)
            let position = try await now.read { transaction throws(SQLError) in try transaction.feedPosition() }
            #expect(position == FeedPosition(version: 0, epoch: 3))
            await now.close()
        }
    }
}
