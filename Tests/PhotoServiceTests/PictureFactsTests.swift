import PhotoContracts
import Geo
import PictureCalls
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P26 What a camera wrote beside a picture")
struct PictureFactsTests {
    @Test("is the position on all four quarters of the earth, in either order of bytes", arguments: [false, true])
    func position(isBigEndian: Bool) throws {
        for (north, south) in [("N", 1.0), ("S", -1.0)] {
            for (east, west) in [("E", 1.0), ("W", -1.0)] {
                var exif = TestExif(isBigEndian: isBigEndian)
                exif.setPosition(TestExif.helsinki, north, TestExif.helsinkiEast, east)
                let facts = try PictureFacts(exif.jpeg())
                #expect(facts.position == (try Geo.Coordinate(latitude: 60.1699 * south, longitude: 24.9384 * west)))
            }
        }
    }

    @Test(
        "may be in whole degrees, in minutes with decimals, or in fine fractions",
        arguments: [
            ([(60, 1), (0, 1), (0, 1)], 60.0), ([(60, 1), (30, 1), (0, 1)], 60.5),
            ([(60, 1), (30_123_456, 1_000_000), (0, 1)], 60.5020576),
            ([(601_699, 10_000), (0, 1), (0, 1)], 60.1699),
            ([(4_294_967_295, 71_582_788), (0, 1), (0, 1)], 60.0000002),
            ([(90, 1), (0, 1), (0, 1)], 90), ([(0, 1), (0, 1), (0, 1)], 0),
        ] as [([TestExif.Fraction], Double)])
    func fractions(latitude: [TestExif.Fraction], degrees: Double) throws {
        var exif = TestExif()
        exif.setPosition(latitude, "N", TestExif.helsinkiEast, "E")
        #expect(abs(try PictureFacts(exif.jpeg()).position.latitude - degrees) < 2e-7)
    }

    @Test(
        "is no position when it makes no sense",
        arguments: [
            [(60, 1), (0, 0), (0, 0)], [(60, 0), (10, 1), (0, 1)], [(91, 1), (0, 1), (0, 1)],
            [(90, 1), (0, 1), (1, 1)], [(4_294_967_295, 1), (0, 1), (0, 1)], [(60, 1), (61, 1), (0, 1)],
            [(60, 1), (0, 1), (61, 1)], [(60, 1), (10, 1)], [(60, 1)], [(60, 1), (1, 1), (1, 1), (1, 1)],
        ] as [[TestExif.Fraction]])
    func nonsense(latitude: [TestExif.Fraction]) {
        var exif = TestExif()
        exif.setPosition(latitude, "N", TestExif.helsinkiEast, "E")
        #expect(isBadPosition(problem(exif.jpeg())))
    }

    @Test("A8 is read from fractions with a sign, from degrees as text, and without the seconds that are 0/0")
    func otherForms() throws {
        func facts(_ latitude: TestExif.Tag, _ longitude: TestExif.Tag, _ south: String = "S") throws -> Geo.Coordinate
        {
            var exif = TestExif()
            exif.position = [exif.text(1, south), latitude, exif.text(3, "E"), longitude]
            return try PictureFacts(exif.jpeg()).position
        }
        let exif = TestExif()
        let unknown: [TestExif.Fraction] = [(60, 1), (30, 1), (0, 0)]
        let east = exif.fractions(4, TestExif.helsinkiEast)
        #expect(try facts(exif.fractions(2, unknown), east, "N") == Geo.Coordinate(latitude: 60.5, longitude: 24.9384))
        var signed = exif.fractions(2, TestExif.helsinki)
        signed.format = 10
        #expect(try facts(signed, east) == Geo.Coordinate(latitude: -60.1699, longitude: 24.9384))
        var negative = exif.fractions(2, [(UInt32(bitPattern: -60), 1), (30, 1), (0, 1)])
        negative.format = 10
        for letter in ["S", "N"] {
            #expect(try facts(negative, east, letter) == Geo.Coordinate(latitude: -60.5, longitude: 24.9384))
        }
        let text = try facts(exif.text(2, "60, 10, 11.64"), exif.text(4, "24.9384"))
        #expect(text == (try Geo.Coordinate(latitude: -60.1699, longitude: 24.9384)))
        #expect(throws: PictureProblem.self) { try facts(exif.text(2, "here"), east) }
    }

    @Test("A8 is read with its letter as programs write it", arguments: ["s", " S", "South", "s\u{0}"])
    func letters(south: String) throws {
        var exif = TestExif()
        exif.setPosition(TestExif.helsinki, south, TestExif.helsinkiEast, "e")
        let position = try PictureFacts(exif.jpeg()).position
        #expect(position == (try Geo.Coordinate(latitude: -60.1699, longitude: 24.9384)))
    }

    @Test("A7 is none at exactly 0, 0, which cameras write that have no fix")
    func nowhere() {
        var exif = TestExif()
        exif.setPosition([(0, 1), (0, 1), (0, 1)], "N", [(0, 1), (0, 1), (0, 1)], "E")
        #expect(problem(exif.jpeg()) == .noPosition)
        exif.setPosition([(0, 1), (0, 1), (1, 100)], "N", [(0, 1), (0, 1), (0, 1)], "E")
        #expect(problem(exif.jpeg()) == nil)
    }

    @Test(
        "is no position without its hemispheres",
        arguments: [(nil, "E"), ("N", nil), ("X", "E"), ("N", "n"), ("", "E"), ("E", "N")] as [(String?, String?)])
    func hemispheres(north: String?, east: String?) {
        var exif = TestExif()
        exif.setPosition(TestExif.helsinki, north, TestExif.helsinkiEast, east)
        #expect(isBadPosition(problem(exif.jpeg())))
    }

    @Test("is no position when there is none")
    func none() {
        #expect(problem(TestJPEG().bytes()) == .noPosition)
        #expect(problem(TestExif().jpeg()) == .noPosition)
        var half = TestExif()
        half.position = [half.text(1, "N"), half.fractions(2, TestExif.helsinki)]
        #expect(problem(half.jpeg()) == .noPosition)
        #expect(PictureProblem.noPosition.description == "no position")
    }

    @Test("says how it was held; width and height are those of the upright picture")
    func orientation() throws {
        for number in [1, 6] as [UInt16] {
            var exif = TestExif.inHelsinki()
            exif.picture = [exif.short(0x0112, number)]
            let facts = try PictureFacts(exif.jpeg())
            #expect(facts.orientation == Int(number))
            #expect((facts.width, facts.height) == (number == 1 ? (64, 48) : (48, 64)))
        }
        for tag in [TestExif().short(0x0112, 0), TestExif().short(0x0112, 77), TestExif().text(0x0112, "6")] {
            var exif = TestExif.inHelsinki()
            exif.picture = [tag]
            #expect(try PictureFacts(exif.jpeg()).orientation == 1)
        }
    }

    @Test("is not believed about the size of the picture")
    func size() throws {
        var exif = TestExif.inHelsinki()
        exif.picture = [exif.long(0x0100, 4_000_000_000), exif.long(0x0101, 1)]
        exif.camera = [exif.long(0xa002, 9_999), exif.long(0xa003, 0)]
        let facts = try PictureFacts(exif.jpeg())
        #expect((facts.width, facts.height) == (64, 48))
    }

    @Test(
        "says when it was taken, in the zone of the camera when it is there",
        arguments: [
            ("1970:01:01 00:00:00", nil, 0), ("2024:06:21 14:05:33", nil, 1_718_978_733_000),
            ("2024:06:21 14:05:33", "+03:00", 1_718_967_933_000), ("2024:06:21 14:05:33", "-05:30", 1_718_998_533_000),
            ("2024:06:21 14:05:33", "   ", 1_718_978_733_000), ("2024:06:21 14:05:33", "half", 1_718_978_733_000),
            ("2024:06:21 14:05:33", "+99:00", 1_718_978_733_000), ("2024:06:31 14:05:33", nil, nil),
            ("2024:02:29 00:00:00", nil, 1_709_164_800_000), ("2023:02:29 00:00:00", nil, nil),
            ("1912:06:23 00:00:00", nil, -1_815_350_400_000), ("0000:00:00 00:00:00", nil, nil),
            ("    :  :     :  :  ", nil, nil), ("2024:06:21 25:05:33", nil, nil), ("", nil, nil),
            // As XMP has it, which some programs write here too.
            ("2024-06-21 14:05:33", nil, 1_718_978_733_000), ("2024-06-21T14:05:33", "+03:00", 1_718_967_933_000),
            ("2024-06-21T14:05:33+03:00", nil, 1_718_967_933_000), ("2024:06:21 14:05", nil, 1_718_978_700_000),
            ("2024:06:21 14:05:33 and more", nil, 1_718_978_733_000), ("24-06-21 14:05:33", nil, nil),
        ] as [(String, String?, Int64?)])
    func taken(text: String, offset: String?, milliseconds: Int64?) throws {
        var exif = TestExif.inHelsinki()
        exif.camera = [exif.text(0x9003, text)]
        if let offset { exif.camera.append(exif.text(0x9011, offset)) }
        #expect(try PictureFacts(exif.jpeg()).takenMilliseconds == milliseconds)
    }

    @Test(
        "R9 says how far its clock was ahead of UTC: as the camera wrote it, or by the time of its satellites",
        arguments: [
            ([(0x9011, "+09:00")], nil, 540), ([(0x9011, "-03:30")], nil, -210), ([(0x9011, "Z")], nil, 0),
            ([(0x9011, "+0530")], nil, 330), ([(0x9011, "-8")], nil, -480), ([(0x9010, "+02:00")], nil, 120),
            ([(0x9012, "+01:00"), (0x9010, "+02:00")], nil, 60), ([(0x9011, "+02:00"), (0x9010, "+01:00")], nil, 120),
            ([(0x9011, "half")], nil, nil), ([(0x9011, "+99:00")], nil, nil), ([(0x9011, "   ")], nil, nil),
            ([], nil, nil), ([], ("2024:07:10", [23, 30, 4]), 540), ([], ("2024:07:10", [23, 33, 0]), 540),
            ([], ("2024:07:11", [8, 30, 0]), 0), ([], ("2024:07:11", [15, 29, 59]), -420),
            ([], ("2024:07:11", [2, 45, 0]), 345), ([], ("2024:07:11", [8, 10, 0]), nil),
            ([], ("2024:07:09", [8, 30, 0]), nil), ([], ("2024:07:11", [99, 0, 0]), nil),
            ([(0x9011, "+09:00")], ("2024:07:11", [8, 30, 0]), 540),
        ] as [([(UInt16, String)], (String, [UInt32])?, Int?)])
    func offsets(texts: [(UInt16, String)], satellites: (day: String, time: [UInt32])?, minutes: Int?) throws {
        var exif = TestExif.inHelsinki()
        exif.camera = [exif.text(0x9003, "2024:07:11 08:30:00")] + texts.map { exif.text($0.0, $0.1) }
        if let satellites {
            exif.position += [exif.fractions(7, satellites.time.map { ($0, 1) }), exif.text(29, satellites.day)]
        }
        let facts = try PictureFacts(exif.jpeg())
        #expect(facts.takenOffsetMinutes == minutes)
        #expect(facts.takenMilliseconds == 1_720_686_600_000 - Int64(minutes ?? 0) * 60_000)
    }

    @Test("names the picture, its author and its licence, as they may stand in a record")
    func texts() throws {
        var exif = TestExif.inHelsinki()
        exif.picture = [
            exif.text(0x010e, "\u{7}  Töölö\nin winter\u{7} "), exif.text(0x013b, [0x4a, 0xf6, 0x72, 0x67]),
            exif.text(0x8298, " \0CC BY 4.0"),
        ]
        let facts = try PictureFacts(exif.jpeg())
        #expect(facts.title == "Töölö\nin winter")
        #expect(facts.author == "Jörg")
        #expect(facts.licence == "CC BY 4.0")
        #expect(throws: Never.self) { try Self.record(facts).check() }
    }

    @Test("is cut where a record ends, lines included")
    func longTexts() throws {
        var exif = TestExif.inHelsinki()
        exif.picture = [
            exif.text(0x010e, String(repeating: "é", count: 9_000)),
            exif.text(0x013b, "a\nb\t" + String(repeating: "c", count: 999)),
            exif.text(0x8298, String(repeating: "d ", count: 500) + "\0editor"),
        ]
        let facts = try PictureFacts(exif.jpeg())
        #expect(facts.title == String(repeating: "é", count: 2_200))
        #expect(facts.author == "a b " + String(repeating: "c", count: 196))
        #expect(facts.licence.count == 199)
        #expect(throws: Never.self) { try Self.record(facts).check() }
    }

    private static func record(_ facts: PictureFacts) -> FinishUploadRequest {
        FinishUploadRequest(
            uploadId: "u", record: PhotoRecord(title: facts.title, author: facts.author, licence: facts.licence))
    }

    @Test("is refused of a picture that could not be shown")
    func tooLarge() throws {
        let exif = TestExif.inHelsinki()
        #expect(isUnsupported(problem(exif.jpeg(TestJPEG(kind: .print).bytes()))))
    }

    @Test("asks for more of the file as long as the head is not whole")
    func prefixes() {
        let jpeg = TestExif.inHelsinki().jpeg()
        for count in 3..<200 { #expect(problem(Array(jpeg.prefix(count))) == .truncated) }
    }

    @Test("may lead out of its segment, count beyond all, and refer to itself")
    func lies() {
        let four: [UInt8] = [0xff, 0xff, 0xff, 0xf0]
        for format in 0...20 as ClosedRange<UInt16> {
            for count in [0, 1, 3, 65_536, 0x1fff_ffff, 0x2000_0000, 0x8000_0000, 0xffff_ffff] as [UInt32] {
                var exif = TestExif.inHelsinki()
                for number in [0x010e, 0x0112, 0x013b, 0x8298, 0x8769, 0x8825, 0x927c] as [UInt16] {
                    exif.picture.append(TestExif.Tag(number: number, format: format, count: count, bytes: four))
                }
                exif.position[1].count = count
                exif.position[1].format = format
                _ = problem(exif.jpeg())
            }
        }
    }

    @Test("is read in short time however much of it overlaps")
    func overlapping() {
        let tags = (0..<5_000).map { number in
            TestExif.Tag(number: UInt16(number + 0x0100), format: 7, count: 60_000, bytes: [8, 0, 0, 0])
        }
        var exif = TestExif()
        exif.picture = tags
        let started = ContinuousClock.now
        #expect(problem(exif.jpeg()) == .noPosition)
        #expect(ContinuousClock.now - started < .seconds(5))
    }

    @Test("never crashes, whichever bytes of it are broken", arguments: 0..<4)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var exif = TestExif.inHelsinki(isBigEndian: seed % 2 == 0)
        exif.picture = [exif.text(0x010e, "Title"), exif.short(0x0112, 6), exif.text(0x010f, "Canon")]
        exif.camera = [
            exif.text(0x9003, "2024:06:21 14:05:33"),
            TestExif.Tag(number: 0x927c, format: 7, count: 200, bytes: [UInt8](repeating: 2, count: 200)),
        ]
        let original = exif.jpeg()
        for _ in 0..<3_000 {
            var jpeg = original
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                jpeg[Int.random(in: 3..<600, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let facts = try? PictureFacts(jpeg) else { continue }
            #expect((1...8).contains(facts.orientation) && facts.width > 0 && facts.height > 0)
        }
    }

    private func problem(_ jpeg: [UInt8]) -> PictureProblem? {
        do throws(PictureProblem) {
            _ = try PictureFacts(jpeg)
            return nil
        } catch {
            return error
        }
    }

    private func isBadPosition(_ problem: PictureProblem?) -> Bool {
        if case .badPosition = problem { return true }
        return false
    }

    private func isUnsupported(_ problem: PictureProblem?) -> Bool {
        if case .unsupported = problem { return true }
        return false
    }
}
