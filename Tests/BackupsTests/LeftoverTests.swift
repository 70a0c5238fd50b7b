import Files
import Glibc
import Storage
import TestTools
import Testing

@testable import Backups

@Suite("P62 What is left of backups that were killed, and by root", .timeLimit(.minutes(5)))
struct LeftoverTests {
    private static let day: Int64 = 86_400

    @Test("is removed a day later, though no backup is")
    func killed() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                try await house.backUp(vault)
                // It had stored a pack, and its copies of databases are there.
                let lost = try await vault.put(Array("of no backup".utf8), as: .pack)
                let path = "\(house.place)/packs/\(lost.text.prefix(2))/\(lost.text.dropFirst(2))"
                try DiskFile.makeFolder("\(house.data)/backup/copy")
                try await house.backUp(vault, keep: KeepRules("9d"))
                #expect(try DiskFile.exists(path) && !DiskFile.exists("\(house.data)/backup/copy"))
                var old = [timeval(), timeval()]
                try #require(unsafe utimes(path, &old) == 0)
                let later = Int64(time(nil)) + 2 * Self.day
                try await house.backUp(vault, keep: KeepRules("9d"), at: later)
                #expect(try !DiskFile.exists(path) && !DiskFile.exists("\(house.data)/backup/killed"))
            }
        }
    }

    @Test("at the very end of a restore is in no backup")
    func restored() async throws {
        try await DataHouse.with { house in
            try house.folder.write("", to: "data/\(RestoreRun.mark)")
            try await house.open { vault in
                let back = try await house.restore(try await house.backUp(vault), vault)
                #expect(try !DiskFile.exists("\(back)/\(RestoreRun.mark)"))
            }
        }
    }

    @Test("of root's in the folder of another user is that user's", .enabled(if: geteuid() == 0))
    func owned() async throws {
        try await DataHouse.with { house in
            unsafe chown(house.data, 12_345, 12_345)
            try await house.open { vault in
                let backup = try await house.backUp(vault)
                try BackupStatus(place: house.place).write(to: house.data)
                for path in ["backup", "backup/lock", "backup/source", "backup/status.json", "gateway/backup.json"] {
                    #expect(Self.owner("\(house.data)/\(path)") == 12_345, "\(path)")
                }
                let mine = house.folder.file("mine")
                try DiskFile.makeFolder(mine)
                unsafe chown(mine, 12_345, 12_345)
                let back = try await house.restore(backup, vault, to: "mine")
                #expect(Self.owner(back) == 12_345 && Self.owner("\(back)/pins/pins.db") == 12_345)
            }
        }
    }

    private static func owner(_ path: String) -> uid_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_uid : nil
    }
}
