import Geo
import Glibc
import TestTools
import Testing

@Suite("Snapshot files")
struct SnapshotFileTests {
    static let towns: [Town] = {
        var random = SeededGenerator(seed: 21)
        return Shape.clusters.towns(777, &random)
    }()

    @Test("give back every place by its id, whole")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        let snapshot = try Self.towns.snapshot(in: folder)
        try snapshot.verify()
        #expect(snapshot.count == Self.towns.count)
        for town in Self.towns {
            let ordinal = try #require(try snapshot.ordinal(ofID: town.id))
            #expect(try snapshot.coordinate(of: ordinal) == town.point)
            try snapshot.withPlace(ordinal) { id, record in
                #expect(Array(id) == town.id)
                #expect(Array(record) == town.record)
            }
        }
        #expect(try snapshot.ordinal(ofID: Array("nobody".utf8)) == nil)
        #expect(folder.names == ["towns.snapshot"])
    }

    @Test("of the same rows are the same bytes")
    func deterministic() throws {
        let folder = TemporaryFolder()
        try Self.towns.build(at: folder.file("a"))
        try Self.towns.build(at: folder.file("b"))
        #expect(try WholeFile.bytes(folder.file("a")) == WholeFile.bytes(folder.file("b")))
    }

    @Test("keep the last row of a repeated id and report the others")
    func duplicates() throws {
        let folder = TemporaryFolder()
        var towns = Self.towns
        towns[5].id = towns[700].id
        towns[9].id = towns[700].id
        let report = try towns.build(at: folder.file("t"))
        #expect(report.replacedRows == [5, 9])
        #expect(report.places == towns.count - 2)
        let snapshot = try Snapshot(path: folder.file("t"))
        let ordinal = try #require(try snapshot.ordinal(ofID: towns[700].id))
        #expect(try snapshot.coordinate(of: ordinal) == towns[700].point)
    }

    @Test("cost at most 24 bytes per place beside id and record")
    func small() throws {
        var random = SeededGenerator(seed: 2)
        let folder = TemporaryFolder()
        let snapshot = try Shape.world.towns(20_000, &random).snapshot(in: folder)
        #expect(Double(snapshot.indexBytes) / 20_000 <= 24)
    }

    @Test("refuse ids, records and categories beyond their limits")
    func limits() throws {
        var builder = SnapshotBuilder()
        let none = try builder.categorySet([])
        for length in [0, 256] {
            let error = #expect(throws: GeoError.self) {
                try builder.add(
                    id: [UInt8](repeating: 65, count: length), at: Shape.origin, categories: none, record: [])
            }
            #expect(error?.description == "id: \(length) bytes is not allowed; 1 to 255 bytes are")
        }
        #expect(throws: GeoError.self) { try builder.categorySet([[]]) }
        let large = [UInt8](repeating: 0, count: 16 << 20 | 1)
        #expect(throws: GeoError.self) {
            try builder.add(id: [65], at: Shape.origin, categories: none, record: large)
        }
        #expect(builder.count == 0)
    }

    @Test("stay readable while a newer one takes their name")
    func replaced() throws {
        let folder = TemporaryFolder()
        let old = try Self.towns.snapshot(in: folder)
        let new = try Array(Self.towns.prefix(3)).snapshot(in: folder)
        #expect((old.count, new.count) == (777, 3))
        try old.verify()
    }

    @Test("on a full disk leave the old one and nothing else")
    func fullDisk() throws {
        let folder = TemporaryFolder()
        try Self.towns.build(at: folder.file("t"))
        let before = try WholeFile.bytes(folder.file("t"))
        // The temporary name leads to the device on which every write finds no space.
        #expect(symlink("/dev/full", folder.file("t.partial")) == 0)
        let error = #expect(throws: GeoError.self) { try Array(Self.towns.prefix(700)).build(at: folder.file("t")) }
        #expect(error == .system(call: "write", code: ENOSPC, path: folder.file("t.partial")))
        #expect(try WholeFile.bytes(folder.file("t")) == before)
        #expect(folder.names == ["t"])
    }

    @Test("in a folder that does not exist or may not be, are refused with the call and the path")
    func noFolder() {
        let error = #expect(throws: GeoError.self) { try Self.towns.build(at: "/nonexistent/t") }
        #expect(error == .system(call: "open", code: ENOENT, path: "/nonexistent/t.partial"))
        #expect(error?.description.contains("No such file") == true)
        #expect(throws: GeoError.self) { try Snapshot(path: "/nonexistent/t") }
        #expect(throws: GeoError.self) { try Snapshot(path: "/tmp") }
    }

    @Test("of a build that was killed are overwritten by the next")
    func leftover() throws {
        let folder = TemporaryFolder()
        try WholeFile.write([UInt8](repeating: 1, count: 1 << 20), to: folder.file("t.partial"))
        try Self.towns.build(at: folder.file("t"))
        try Snapshot(path: folder.file("t")).verify()
        #expect(folder.names == ["t"])
    }

    @Test("that take the place of a folder fail and leave nothing behind")
    func nameTaken() throws {
        let folder = TemporaryFolder()
        #expect(mkdir(folder.file("t"), 0o755) == 0)
        defer { rmdir(folder.file("t")) }
        let error = #expect(throws: GeoError.self) { try Self.towns.build(at: folder.file("t")) }
        #expect(error == .system(call: "rename", code: EISDIR, path: folder.file("t.partial")))
        #expect(folder.names == ["t"])
    }
}
