import Backups
import Daemon
import Files
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("P62 What the gateway's metrics say of backups")
struct BackupTimesTests {
    @Test(
        "is when the last was made and one was proven, and whether the last try failed; what can't be read changes nothing"
    )
    func times() async throws {
        try await TemporaryFolder.with { folder in
            try DiskFile.makeFolder("\(folder)/gateway")
            let times = BackupTimes(folder: "\(folder)/gateway", BlockingCalls.ofTested)
            await times.look()
            #expect(times.families.isEmpty)
            var status = BackupStatus(place: "/mnt/disk")
            (status.made, status.failure) = (1_000, "the disk is full")
            try status.write(to: folder)
            await times.look()
            #expect(times.families.map(\.name) == ["waymark_backup_made_timestamp_seconds", "waymark_backup_failing"])
            (status.proven, status.failure) = (1_001, nil)
            try status.write(to: folder)
            await times.look()
            #expect(times.families.map(\.name).contains("waymark_backup_proven_timestamp_seconds"))
            try WholeFile.write(Array("{".utf8), to: "\(folder)/gateway/backup.json")
            await times.look()
            #expect(times.families.count == 3)
        }
    }
}
