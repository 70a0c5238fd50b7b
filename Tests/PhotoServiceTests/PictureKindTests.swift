import Geo
import PictureCalls
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P22 P23 Pictures of every kind")
struct PictureKindTests {
    @Test("are known by their content, and become JPEGs of the same colours", arguments: TestPicture.Kind.allCases)
    func colours(kind: TestPicture.Kind) throws {
        let file = try TestPicture(width: 640, height: 480).bytes(kind) { x, _ in
            x < 320 ? (200, 40, 60, 255) : (30, 160, 220, 255)
        }
        let notes = try PictureReader.notes(of: file)
        #expect((notes.width, notes.height) == (640, 480))
        let made = try PictureMaker.make(from: file, longestSide: 320, quality: 90)
        #expect((made.width, made.height) == (320, 240))
        let pixels = try TestPixels(made.bytes)
        #expect(isNear(pixels.colour(40, 100), (200, 40, 60)))
        #expect(isNear(pixels.colour(280, 100), (30, 160, 220)))
    }

    @Test("are made smaller whatever their sides, down to a pixel", arguments: TestPicture.Kind.allCases)
    func sizes(kind: TestPicture.Kind) throws {
        for (width, height, madeWidth, madeHeight) in [
            (1_601, 64, 320, 13), (64, 1_601, 13, 320), (321, 323, 318, 320),
        ] {
            let file = try TestPicture(width: width, height: height).bytes(kind) { _, _ in (90, 90, 90, 255) }
            let made = try PictureMaker.make(from: file, longestSide: 320, quality: 80)
            #expect((made.width, made.height) == (madeWidth, madeHeight))
            let pixels = try TestPixels(made.bytes)
            for (x, y) in [(0, 0), (madeWidth - 1, madeHeight - 1), (madeWidth / 2, madeHeight / 2)] {
                #expect(isNear(pixels.colour(x, y), (90, 90, 90)))
            }
        }
    }

    @Test("keep the colours that their profile means", arguments: TestPicture.Kind.allCases)
    func profiles(kind: TestPicture.Kind) throws {
        let picture = TestPicture(profile: TestPicture.swappedProfile)
        let file = try picture.bytes(kind) { _, _ in (230, 20, 20, 255) }
        let colour = try TestPixels(try PictureMaker.make(from: file, longestSide: 64, quality: 90).bytes).colour(9, 9)
        #expect(colour.green > 200 && colour.red < 60 && colour.blue < 60, "\(colour)")
        // libpng writes no broken one.
        guard kind != .png else { return }
        let broken = TestPicture(profile: Array(TestPicture.swappedProfile.prefix(200)))
        let plain = try broken.bytes(kind) { _, _ in (230, 20, 20, 255) }
        let kept = try TestPixels(try PictureMaker.make(from: plain, longestSide: 64, quality: 90).bytes).colour(9, 9)
        #expect(kept.red > 200 && kept.green < 60)
    }

    @Test("stand upright, and are turned once only: HEIC and AVIF by their own turn, others by EXIF's or their own")
    func upright() throws {
        for kind in TestPicture.Kind.allCases {
            for number in [6, 3, 8] as [UInt16] {
                var picture = TestPicture(width: 64, height: 32)
                var exif = TestExif()
                exif.picture = [exif.short(0x0112, number)]
                picture.exif = kind == .tiff ? nil : exif
                picture.orientation = [.heic, .avif, .tiff].contains(kind) ? UInt32(number) : 0
                // Red is at the left of what is stored.
                let file = try picture.bytes(kind) { x, _ in x < 32 ? (220, 20, 20, 255) : (20, 20, 220, 255) }
                let notes = try PictureReader.notes(of: file)
                let made = try PictureMaker.make(from: file, longestSide: 64, quality: 90)
                let isSideways = number != 3
                #expect((made.width, made.height) == (isSideways ? (32, 64) : (64, 32)), "\(kind) \(number)")
                #expect((notes.width, notes.height) == (made.width, made.height))
                let pixels = try TestPixels(made.bytes)
                let (x, y) = number == 6 ? (16, 8) : number == 3 ? (56, 16) : (16, 56)
                #expect(pixels.colour(x, y).red > 180, "\(kind) \(number)")
            }
        }
    }

    @Test("with transparent parts stand on white", arguments: [TestPicture.Kind.png, .webP, .heic, .avif, .tiff])
    func transparent(kind: TestPicture.Kind) throws {
        let file = try TestPicture(hasAlpha: true).bytes(kind) { x, _ in (200, 0, 0, x < 21 ? 255 : x < 42 ? 128 : 0) }
        let pixels = try TestPixels(try PictureMaker.make(from: file, longestSide: 64, quality: 95).bytes)
        #expect(isNear(pixels.colour(8, 20), (200, 0, 0)))
        #expect(isNear(pixels.colour(31, 20), (227, 127, 127)))
        #expect(isNear(pixels.colour(56, 20), (255, 255, 255)))
    }

    @Test("in passes, and animations, of which the first picture counts")
    func passesAndFrames() throws {
        for picture in [TestPicture(isInterlaced: true), TestPicture(frames: 3)] {
            let kind: TestPicture.Kind = picture.isInterlaced ? .png : .webP
            let file = try picture.bytes(kind) { _, _ in (10, 200, 10, 255) }
            let made = try PictureMaker.make(from: file, longestSide: 64, quality: 90)
            #expect((made.width, made.height) == (64, 48))
            #expect(isNear(try TestPixels(made.bytes).colour(30, 30), (10, 200, 10)))
        }
    }

    @Test("say where they were taken", arguments: TestPicture.Kind.allCases)
    func position(kind: TestPicture.Kind) throws {
        let facts = try PictureFacts(try TestPicture.inHelsinki(kind))
        #expect(abs(facts.position.latitude - 60.1699) < 1e-6 && abs(facts.position.longitude - 24.9384) < 1e-6)
        if kind == .tiff { #expect(facts.author == "A. Person") }
    }

    @Test("of several sizes at once are as if made one by one, and WebP is there where it is smaller")
    func several() throws {
        let file = TestJPEG(width: 1_600, height: 1_200).bytes { x, y in
            (UInt8(x / 7), UInt8(y / 5), UInt8((x ^ y) & 255))
        }
        let orders = [160, 1_024, 320].map { PictureOrder(longestSide: $0, quality: 80) }
        let made = try PictureMaker.make(orders, from: file)
        #expect(made.pictures.map(\.width) == [160, 1_024, 320])
        #expect(made.placeholder.utf8.count == 28)
        for picture in made.pictures where !picture.webP.isEmpty {
            #expect(picture.webP.count < picture.bytes.count)
            let notes = try PictureReader.notes(of: picture.webP)
            #expect((notes.width, notes.height) == (picture.width, picture.height))
        }
        #expect(made.pictures.contains { !$0.webP.isEmpty })
    }

    private func isNear(_ colour: (red: Int, green: Int, blue: Int), _ wanted: (Int, Int, Int)) -> Bool {
        abs(colour.red - wanted.0) < 12 && abs(colour.green - wanted.1) < 12 && abs(colour.blue - wanted.2) < 12
    }
}
