import PictureCalls
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P23 Pictures that are refused")
struct PictureRefusalTests {
    @Test(
        "what is no JPEG, whatever its name says",
        arguments: [[], [0xff], [0xff, 0xd8], Array("hello".utf8), [0x89, 0x50, 0x4e, 0x47], [0, 0xff, 0xd8, 0xff]])
    func notJPEG(bytes: [UInt8]) { #expect(problem(bytes) == .notAPicture) }

    @Test("a file that is too large")
    func tooLarge() {
        let jpeg = TestJPEG().bytes()
        let limit = PictureLimit.bytes
        #expect(problem(jpeg + [UInt8](repeating: 0, count: limit - jpeg.count)) == nil)
        #expect(problem(jpeg + [UInt8](repeating: 0, count: limit - jpeg.count + 1)) == .tooLarge(limit: limit))
    }

    @Test("a small file that says it has more pixels than are allowed", arguments: [(65_535, 65_535), (8_000, 8_001)])
    func tooManyPixels(width: Int, height: Int) throws {
        let jpeg = try patched(width: width, height: height)
        #expect(problem(jpeg) == .tooManyPixels(width: width, height: height))
    }

    @Test("a file that says it has more pixels than it has")
    func fewerPixels() throws {
        #expect([.truncated, .damagedFile].contains(kind(problem(try patched(width: 5_000, height: 5_000)))))
    }

    @Test("a picture without pixels", arguments: [(0, 10), (10, 0)])
    func empty(width: Int, height: Int) throws {
        #expect(kind(problem(try patched(width: width, height: height))) == .damagedFile)
    }

    @Test("colours for print, with a sentence that says so")
    func print() throws {
        let refusal = try #require(problem(TestJPEG(kind: .print).bytes()))
        #expect(refusal.description.contains("CMYK"))
    }

    @Test("more than 8 bits for a colour")
    func deep() throws {
        var jpeg = TestJPEG().bytes()
        jpeg[try frame(of: jpeg)] = 12
        #expect(problem(jpeg) == .unsupported("12 bits for each colour"))
    }

    @Test("a picture that is cut off, wherever it is", arguments: [false, true])
    func cut(isProgressive: Bool) {
        let jpeg = TestJPEG(width: 200, height: 150, isProgressive: isProgressive).bytes()
        for count in 3..<jpeg.count { #expect(problem(Array(jpeg.prefix(count))) == .truncated, "\(count)") }
    }

    @Test("a picture that is cut off, with an end put on it")
    func closed() throws {
        var random = SeededGenerator(seed: 1)
        let jpeg = TestJPEG(width: 200, height: 150).bytes { _, _ in
            (random.one(of: [0, 255]), random.one(of: [0, 255]), random.one(of: [0, 255]))
        }
        for part in 5..<9 {
            let refusal = problem(jpeg.prefix(jpeg.count * part / 10) + [0xff, 0xd9])
            #expect([.truncated, .damagedFile].contains(kind(refusal)), "\(part): \(String(describing: refusal))")
        }
    }

    @Test("one that passes over its picture again and again")
    func scans() throws {
        let jpeg = TestJPEG(width: 200, height: 150, isProgressive: true).bytes()
        var markers = try JPEGMarkers(jpeg)
        var lastScan = 0
        while let segment = try markers.next() {
            if segment.code == JPEGMarkers.startOfScan { lastScan = segment.body.lowerBound - 4 }
        }
        let scan = jpeg[lastScan..<(jpeg.count - 2)]
        let bomb: [UInt8] = jpeg.dropLast(2) + Array(repeating: scan, count: 200).joined() + [0xff, 0xd9]
        #expect(problem(bomb) == .unsupported("more than \(PictureLimit.scans) passes"))
    }

    @Test("nothing that a broken file holds crashes, and what is made of it is whole", arguments: 0..<4)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = TestJPEG(width: 120, height: 90, isProgressive: seed % 2 == 1).bytes()
        for _ in 0..<400 {
            var jpeg = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                jpeg[Int.random(in: 3..<jpeg.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let made = try? PictureMaker.make(from: jpeg, longestSide: 32, quality: 80) else {
                continue
            }
            #expect(made.width <= 32 && made.height <= 32)
            #expect(problem(made.bytes) == nil)
        }
    }

    private enum Kind { case truncated, damagedFile, other, none }

    private func kind(_ problem: PictureProblem?) -> Kind {
        switch problem {
        case .truncated: .truncated
        case .damaged: .damagedFile
        case nil: .none
        default: .other
        }
    }

    private func problem(_ jpeg: [UInt8]) -> PictureProblem? {
        do throws(PictureProblem) {
            _ = try PictureMaker.make(from: jpeg, longestSide: 320, quality: 80)
            return nil
        } catch {
            return error
        }
    }

    /// Where the frame's body begins.
    private func frame(of jpeg: [UInt8]) throws -> Int {
        var markers = try JPEGMarkers(jpeg)
        while let segment = try markers.next() {
            if (0xc0...0xc2).contains(segment.code) { return segment.body.lowerBound }
        }
        throw PictureProblem.truncated
    }

    /// A small JPEG whose header lies.
    private func patched(width: Int, height: Int) throws -> [UInt8] {
        var jpeg = TestJPEG().bytes()
        let start = try frame(of: jpeg)
        jpeg.replaceSubrange(
            start + 1..<start + 5, with: [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) })
        return jpeg
    }
}
