import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon
@testable import Stores

@Suite("Metrics of a database", .timeLimit(.minutes(3)))
struct DatabaseMetricTests {
    @Test("tell what it has written and read")
    func counted() async throws {
        let folder = TemporaryFolder()
        let table = Migration("0001 table", "CREATE TABLE t (a BIGINT)")
        let database = try await Database.open("\(folder.path)/a.db", migrations: [table])
        let registry = MetricRegistry()
        registry.add { database.families }
        for _ in 0..<3 {
            try await database.write { transaction throws(SQLError) in
                _ = try transaction.execute("INSERT INTO t VALUES (1)")
            }
        }
        let text = try PrometheusText(await registry.text())
        #expect(text.value("waymark_storage_writes_total") == 3)
        #expect((1...4).contains(text.value("waymark_storage_commits_total") ?? 0))
        #expect(text.value("waymark_storage_waiting", ["kind": "write"]) == 0)
        #expect(text.value("waymark_storage_failed_checkpoints_total") == 0)
        await database.close()
    }
}
