import Files
import Glibc
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 Rules of what is kept", .timeLimit(.minutes(5)))
struct KeepTests {
    private static let day: Int64 = 86_400

    @Test("are numbers of hours, days, weeks, months and years")
    func read() {
        for text in ["7d", "7d,4w,12m", "24h,2y"] { #expect(KeepRules(text) != nil) }
        for text in ["", "7", "d", "0d", "-1d", "7x", "7d,,4q", "99999d", "1.5d"] {
            #expect(KeepRules(text) == nil, "\(text)")
        }
    }

    @Test("keep the newest of each of the last periods that have one, and always the newest of all")
    func kept() throws {
        // One a day at noon, for 400 days from 1 January 2025, the newest first.
        let times = (0..<400).map { (20_089 + 399 - Int64($0)) * Self.day + Self.day / 2 }
        #expect(try #require(KeepRules("7d")).kept(times) == Set(0..<7))
        #expect(try #require(KeepRules("1y")).kept(times) == [0])
        // The last of each month: 4 February 2026, and the last days of the months before.
        #expect(try #require(KeepRules("3m")).kept(times) == [0, 4, 35])
        // Weeks end on Sundays: 1 February 2026 is one.
        #expect(try #require(KeepRules("2w")).kept(times) == [0, 3])
        #expect(try #require(KeepRules("2y")).kept(times) == [0, 35])
        #expect(try #require(KeepRules("7d,3m")).kept(times) == Set(0..<7).union([35]))
    }

    @Test("ask no clock: a backup from a clock that ran ahead removes only what its own period has")
    func clock() throws {
        let times = [Int64(90_000) * Self.day, 20_000 * Self.day, 19_999 * Self.day, 19_998 * Self.day]
        #expect(try #require(KeepRules("3d")).kept(times) == [0, 1, 2])
    }

    @Test("remove backups, and a day later what only they have used; the others are still whole")
    func removed() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                for number in 0..<3 {
                    let path = try house.blob(100 + number, bytes: 30_000)
                    try await house.backUp(vault, at: Int64(number) * Self.day)
                    TemporaryFolder.remove("\(house.data)/\(path)")
                }
                let before = try SmallFile.names(under: "\(house.place)/packs").count
                // As if all were stored two days ago.
                for path in try SmallFile.names(under: "\(house.place)/packs") {
                    try Self.age("\(house.place)/packs/\(path)")
                }
                try await house.backUp(vault, keep: KeepRules("1d"), at: 3 * Self.day)
                let left = try await vault.all()
                #expect(left.map(\.backup.number) == [4])
                #expect(try SmallFile.names(under: "\(house.place)/packs").count < before)
                let proof = try await house.prove(left[0], vault)
                #expect(proof.faults == [])
            }
        }
    }

    @Test("never remove the newest backup that was proven")
    func proven() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                try await house.backUp(vault, at: 1)
                #expect(try await house.prove(try await house.backUp(vault, at: 2), vault).isGood)
                try await house.backUp(vault, at: 3)
                try await house.backUp(vault, keep: KeepRules("1d"), at: 4)
                #expect(try await vault.all().map(\.backup.number) == [4, 2])
            }
        }
    }

    @Test("count the backups of each data folder by themselves, also of a copy and of one that was restored")
    func sources() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                let first = try await house.backUp(vault, at: 1)
                _ = try await house.restore(first, vault)
                let restored = BackupRun(
                    vault, of: house.folder.file("back"), keep: KeepRules("1d"), program: "1", now: { 2 })
                _ = try await restored.run { _ in }
                #expect(try await vault.all().map(\.backup.number) == [2, 1])
                // A copy has the source of the folder that it is of, in another file.
                let source = try WholeFile.bytes("\(house.data)/backup/source")
                // As long as the old one is there, no file gets its number.
                try DiskFile.rename("\(house.data)/backup/source", to: "\(house.data)/backup/other")
                try WholeFile.write(source, to: "\(house.data)/backup/source")
                try await house.backUp(vault, keep: KeepRules("1d"), at: 3)
                #expect(try await vault.all().map(\.backup.number) == [3, 2, 1])
                try await house.backUp(vault, keep: KeepRules("1d"), at: 4)
                #expect(try await vault.all().map(\.backup.number) == [4, 2, 1])
            }
        }
    }

    private static func age(_ path: String) throws {
        let age = [
            timespec(tv_sec: time(nil) - 2 * 86_400, tv_nsec: 0), timespec(tv_sec: time(nil) - 2 * 86_400, tv_nsec: 0),
        ]
        #expect(unsafe utimensat(AT_FDCWD, path, age, 0) == 0)
    }
}
