import Compression
import FeatureFiles
import FoundationEssentials
import TestTools
import Testing

@testable import PinFiles

@Suite("P52 files of which little is of use", .timeLimit(.minutes(5)))
struct TurnTests {
    private struct Shape: CustomTestStringConvertible {
        let testDescription: String
        /// What it is called in an archive.
        let name: String
        let bytes: [UInt8]

        init(_ what: String, _ name: String, _ beginning: String, _ nothing: String, _ count: Int, _ end: String) {
            testDescription = what
            self.name = name
            bytes = Array((beginning + String(repeating: nothing, count: count) + end).utf8)
        }
    }

    private static let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24.9,60.1]}}"#
    private static let placemark =
        "<Placemark><name>A</name><Point><coordinates>24.9,60.1</coordinates></Point></Placemark>"
    private static let header = "name,latitude,longitude\n"
    private static let emptyRow = String(repeating: " ", count: 60) + ",,\n"
    private static let shapes = [
        Shape("empty rows", "a.csv", header, emptyRow, 25_000, "A,60.1,24.9\n"),
        Shape("empty lines", "a.csv", header + "A,60.1,24.9\n", "\r\n", 600_000, "B,60.1,24.9\n"),
        Shape("a long row", "a.csv", header, "x", 3_000_000, "\nA,60.1,24.9\n"),
        Shape("blanks", "a.geojson", #"{"type":"FeatureCollection","features":["#, " ", 500_000, point + "]}"),
        Shape(
            "other JSON", "a.geojson", #"{"other":["#, "0,", 100_000,
            "0],\"type\":\"FeatureCollection\",\"features\":[\(point)]}"),
        Shape("other XML", "a.kml", "<kml><Document>", "<a/>", 50_000, "\(placemark)</Document></kml>"),
    ]
    private static let turn = 64 << 10

    @Test("are read turn by turn, with the same result as in one go", arguments: shapes)
    private func same(_ shape: Shape) async throws {
        try await TemporaryFolder.with { folder in
            let path = "\(folder)/file"
            for bytes in [shape.bytes, ZipMaker.archive([(shape.name, shape.bytes)])] {
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                var whole: [PinFileItem] = []
                let once = try PinFile(path: path)
                while let item = try once.next() { whole.append(item) }
                let turn = ReadingTurn(bytes: Self.turn)
                var (items, pauses, isOver) = ([PinFileItem](), 0, false)
                let file = try PinFile(path: path, turn: turn)
                while !isOver {
                    turn.begin()
                    do {
                        while let item = try file.next() { items.append(item) }
                        isOver = true
                    } catch let error as SourceError where error == .paused {
                        pauses += 1
                    }
                }
                #expect(items == whole && !items.isEmpty && pauses > 0)
            }
        }
    }

    private struct Hollow: CustomTestStringConvertible {
        let testDescription: String
        /// Whether there is something before that: a file's first part is read in one turn.
        var hasBeginning = true
        let bytes: [UInt8]
    }

    private static let pin = Array((header + "A,60.1,24.9\n").utf8)
    private static let hollow = [
        Hollow(
            testDescription: "a gzip of empty members", hasBeginning: false,
            bytes: [UInt8](repeatingPattern: Gzip.pack([]), count: 100_000) + Gzip.pack(pin)),
        Hollow(
            testDescription: "empty members behind a pin",
            bytes: Gzip.pack(pin) + [UInt8](repeatingPattern: Gzip.pack([]), count: 100_000)),
        Hollow(
            testDescription: "an archive of empty blocks", hasBeginning: false,
            bytes: ZipMaker.archive([("a.csv", pin)], emptyBlocks: 400_000)),
        Hollow(
            testDescription: "an archive of tables about other things",
            bytes: ZipMaker.archive((0..<19_999).map { ("\($0).csv", [0x61, 0x0a]) } + [("a.csv", pin)])),
    ]

    @Test("nor do those keep a thread of which nothing comes at all, or run on", arguments: hollow)
    private func nothing(_ file: Hollow) async throws {
        try await TemporaryFolder.with { folder in
            let path = "\(folder)/file"
            try Data(file.bytes).write(to: URL(fileURLWithPath: path))
            var (looks, pauses, items) = (0, 0, 0)
            let turn = ReadingTurn(
                bytes: Self.turn,
                isStopped: {
                    looks += 1
                    return false
                })
            let source = try PinFile(path: path, turn: turn)
            while true {
                turn.begin()
                do {
                    while try source.next() != nil { items += 1 }
                    break
                } catch let error as SourceError where error == .paused {
                    pauses += 1
                }
            }
            #expect(items == 1)
            // Whatever it holds, no more than some pieces of the file are read between two looks, and in a turn.
            #expect(looks >= file.bytes.count / (128 << 10), "\(looks) looks")
            #expect(!file.hasBeginning || pauses >= file.bytes.count / (512 << 10), "\(pauses) pauses")
        }
    }

    @Test("nor does a gzip whose beginning never comes")
    func noBeginning() throws {
        let hollow = [UInt8](repeatingPattern: Gzip.pack([]), count: 900_000)
        #expect(try PinText.refusal(hollow).contains("nothing that can be read in its first 16777216 bytes"))
    }

    @Test("an archive whose files are the same bytes again and again is refused, though nothing comes of them")
    func again() throws {
        var limits = PinFileLimits()
        limits.unpackedBytes = 1 << 20
        let hollow = ZipMaker.archive([("a.csv", Self.pin), ("b.csv", Self.pin)], emptyBlocks: 120_000)
        #expect(try PinText.refusal(hollow, limits: limits).contains("take more than 1048576 bytes in it"))
    }

    @Test("are not read on once nobody waits for them", arguments: shapes)
    private func stopped(_ shape: Shape) async throws {
        try await TemporaryFolder.with { folder in
            let path = "\(folder)/file"
            try Data(shape.bytes).write(to: URL(fileURLWithPath: path))
            var looks = 0
            let turn = ReadingTurn(isStopped: {
                looks += 1
                return looks > 1
            })
            #expect(throws: SourceError.stopped) {
                let file = try PinFile(path: path, turn: turn)
                while try file.next() != nil {}
            }
        }
    }
}
