import PictureCalls
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P22 Small pictures")
struct PictureMakerTests {
    @Test(
        "keep the shape, and are never larger than the original",
        arguments: [
            (1_600, 1_200, 320, 240), (1_200, 1_600, 240, 320), (321, 100, 320, 100), (320, 320, 320, 320),
            (100, 50, 100, 50), (1, 1, 1, 1), (20_000, 2, 320, 1), (3, 9_000, 1, 320), (17, 4_001, 1, 320),
        ])
    func sizes(width: Int, height: Int, madeWidth: Int, madeHeight: Int) throws {
        let made = try small(TestJPEG(width: width, height: height).bytes())
        #expect((made.width, made.height) == (madeWidth, madeHeight))
        let header = try JPEGHeader(made.bytes)
        #expect((header.width, header.height) == (madeWidth, madeHeight))
        #expect(header.components == 3)
    }

    /// Corners of the stored picture: red, green; blue, white. Row by row of the upright one.
    @Test(
        "stand upright, however the camera was held",
        arguments: [
            (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
            (0, "RGBW"), (9, "RGBW"), (-1, "RGBW"),
        ], [(800, 600), (40, 30)])
    func orientation(_ turn: (number: Int, corners: String), _ size: (width: Int, height: Int)) throws {
        let jpeg = TestJPEG(width: size.width, height: size.height).bytes { x, y in
            switch (x * 2 < size.width, y * 2 < size.height) {
            case (true, true): (255, 0, 0)
            case (false, true): (0, 255, 0)
            case (true, false): (0, 0, 255)
            case (false, false): (255, 255, 255)
            }
        }
        var exif = TestExif()
        exif.picture = [exif.short(0x0112, UInt16(truncatingIfNeeded: turn.number))]
        let made = try PictureMaker.make(from: exif.jpeg(jpeg), longestSide: 320, quality: 90)
        #expect((made.width > made.height) == !(5...8).contains(turn.number))
        #expect(try corners(made) == turn.corners)
    }

    @Test("keep colours up to their edges", arguments: [(640, 480), (333, 777), (64, 48)])
    func colours(width: Int, height: Int) throws {
        let made = try small(TestJPEG(width: width, height: height).bytes { _, _ in (200, 100, 50) })
        let pixels = try TestPixels(made.bytes)
        for y in [0, pixels.height / 2, pixels.height - 1] {
            for x in [0, pixels.width / 2, pixels.width - 1] {
                let colour = pixels.colour(x, y)
                #expect(abs(colour.red - 200) < 8 && abs(colour.green - 100) < 8 && abs(colour.blue - 50) < 8)
            }
        }
    }

    @Test("mix neighbours instead of picking some")
    func mixing() throws {
        let made = try small(
            TestJPEG(width: 2_000, height: 1_500, quality: 100).bytes { x, y in
                (x + y) % 2 == 0 ? (255, 255, 255) : (0, 0, 0)
            })
        let pixels = try TestPixels(made.bytes)
        for x in stride(from: 0, to: pixels.width, by: 13) {
            #expect(abs(pixels.colour(x, x % pixels.height).green - 128) < 12)
        }
    }

    @Test("are made of progressive and of gray ones too", arguments: [TestJPEG.Kind.colour, .gray], [false, true])
    func kinds(kind: TestJPEG.Kind, isProgressive: Bool) throws {
        let test = TestJPEG(width: 700, height: 500, kind: kind, isProgressive: isProgressive)
        let made = try small(test.bytes { _, _ in (90, 90, 90) })
        #expect((made.width, made.height) == (320, 229))
        #expect(abs(try TestPixels(made.bytes).colour(100, 100).green - 90) < 6)
    }

    @Test("tell nothing but the picture: no place, no camera, no comment")
    func metadata() throws {
        var exif = TestExif.inHelsinki()
        exif.picture = [exif.text(0x010e, "Secret title")]
        let secrets = [
            TestJPEG.segment(0xe1, exif.segment),
            TestJPEG.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)),
            TestJPEG.segment(0xe2, Array("ICC_PROFILE\0\u{1}\u{1}Secret".utf8)),
            TestJPEG.segment(0xed, Array("Photoshop 3.0\0Secret".utf8)), TestJPEG.segment(0xfe, Array("Secret".utf8)),
        ]
        for side in [64, 1_000] {
            let jpeg = TestJPEG.adding(secrets.flatMap { $0 }, to: TestJPEG(width: 500, height: 400).bytes())
            let made = try PictureMaker.make(from: jpeg, longestSide: side, quality: 80)
            var markers = try JPEGMarkers(made.bytes)
            while let segment = try markers.next() {
                // JFIF's own, tables, the frame, the scan.
                #expect([0xe0, 0xdb, 0xc0, 0xc4, 0xda].contains(segment.code))
                if segment.code == 0xe0 { #expect(segment.body.count == 14) }
            }
            #expect(!String(decoding: made.bytes, as: UTF8.self).contains("Secret"))
        }
    }

    @Test("are the same whenever they are made, and nothing after the picture's end matters")
    func same() throws {
        let jpeg = TestJPEG(width: 500, height: 400).bytes()
        let made = try small(jpeg)
        #expect(try small(jpeg) == made)
        #expect(try small(jpeg + Array("what phones append".utf8)) == made)
        #expect(try small(jpeg[..<2] + [0xff, 0xff, 0xff] + jpeg[2...]) == made)
    }

    private func small(_ jpeg: [UInt8]) throws -> MadePicture {
        try PictureMaker.make(from: jpeg, longestSide: 320, quality: 80)
    }

    /// The four corners, row by row, as letters.
    private func corners(_ made: MadePicture) throws -> String {
        let pixels = try TestPixels(made.bytes)
        let (right, bottom) = (pixels.width * 7 / 8, pixels.height * 7 / 8)
        return [(2, 2), (right, 2), (2, bottom), (right, bottom)].map { x, y in
            let colour = pixels.colour(x, y)
            switch (colour.red > 128, colour.green > 128, colour.blue > 128) {
            case (true, false, false): return "R"
            case (false, true, false): return "G"
            case (false, false, true): return "B"
            case (true, true, true): return "W"
            default: return "?"
            }
        }.joined()
    }
}

/// The pixels of a JPEG in its full size.
struct TestPixels {
    let width: Int
    let height: Int
    private let stride: Int
    private let bytes: [UInt8]

    init(_ jpeg: [UInt8]) throws {
        let header = try JPEGHeader(jpeg)
        let surface = try JPEGDecoder.decode(jpeg, header, atLeast: header.width, header.height)
        (width, height, stride) = (surface.width, surface.height, surface.stride)
        bytes = surface.withPixels { Array($0) }
    }

    func colour(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
        let at = y * stride + x * 4
        return (Int(bytes[at + 2]), Int(bytes[at + 1]), Int(bytes[at]))
    }
}
