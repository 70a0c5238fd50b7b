import EventLoops
import TestSupport
import TestTools
import Testing

@testable import Backups
@testable import Storage

@Suite("P62 Copies of databases that are written to", .timeLimit(.minutes(5)))
struct SQLiteCopyTests {
    @Test("are all of one instant, also while one is always written to just before the other")
    func instant() async throws {
        try await DataHouse.with { house in
            // At any moment both have as many rows, or the first has one more.
            let writing = Task {
                var id = 0
                while !Task.isCancelled {
                    try await house.add(id, to: house.pins)
                    try await house.add(id, to: house.photos)
                    id += 1
                }
            }
            for round in 0..<12 {
                let copies = (house.folder.file("pins-\(round)"), house.folder.file("photos-\(round)"))
                try await BlockingCalls.run {
                    try SQLiteCopy.make([
                        ("\(house.data)/pins/pins.db", copies.0), ("\(house.data)/photos/photos.db", copies.1),
                    ])
                }
                let (pins, photos) = (
                    try SQLiteFacts(of: copies.0).rows["items"] ?? -1, try SQLiteFacts(of: copies.1).rows["items"] ?? -1
                )
                #expect(pins == photos || pins == photos + 1)
                #expect(try SQLiteFacts.faults(of: copies.0) == [])
            }
            writing.cancel()
            _ = await writing.result
        }
    }

    @Test("leave the file and its log as they are, also when no one else has it open: they never checkpoint")
    func noCheckpoint() async throws {
        try await DataHouse.with { house in
            for id in 0..<50 { try await house.add(id, to: house.pins) }
            // What a process that was killed leaves.
            let left = house.folder.file("left.db")
            for ending in ["", "-wal"] {
                try WholeFile.write(try WholeFile.bytes("\(house.data)/pins/pins.db\(ending)"), to: left + ending)
            }
            let before = try ["", "-wal"].map { try WholeFile.bytes(left + $0) }
            try #require(before[1].count > 4_096)
            try SQLiteCopy.make([(left, house.folder.file("copy.db"))])
            #expect(try ["", "-wal"].map { try WholeFile.bytes(left + $0) } == before)
            #expect(try SQLiteFacts(of: house.folder.file("copy.db")).rows["items"] == 50)
        }
    }

    @Test(
        "and all else but the one writer never checkpoint while it has the file open: SQLite can lose changes by that")
    func oneCheckpoints() async throws {
        try await DataHouse.with { house in
            let file = "\(house.data)/pins/pins.db"
            func copied() throws -> (copied: UInt32, frames: UInt32) {
                let reader = try PlainSQLite(file)
                try reader.run("PRAGMA schema_version")
                let index = try reader.files.index()
                return (index.copied, index.frames)
            }
            // Ten pages each.
            let text = String(repeating: "x", count: 40_000)
            var id = 0
            while try copied().frames < 600 {
                try await house.add(id, text, to: house.pins)
                id += 1
            }
            try SQLiteCopy.make([(file, house.folder.file("copy.db"))])
            _ = try SQLiteFacts(of: file)
            _ = try SQLiteFacts.faults(of: file)
            #expect(try copied().copied == 0)
            // The writer has copied it when it starts over.
            while try copied().frames >= 600 {
                try await house.add(id, text, to: house.pins)
                id += 1
            }
        }
    }

    @Test("of a file that is no database, or not there, say so by its path")
    func noDatabase() async throws {
        try await TemporaryFolder.with { folder in
            try WholeFile.write(Array(repeating: 7, count: 8_192), to: "\(folder)/no.db")
            for name in ["no.db", "missing.db"] {
                let error = #expect(throws: SQLError.self) {
                    try SQLiteCopy.make([("\(folder)/\(name)", "\(folder)/copy")])
                }
                #expect(error?.description.contains("\(folder)/\(name)") == true)
            }
        }
    }
}
