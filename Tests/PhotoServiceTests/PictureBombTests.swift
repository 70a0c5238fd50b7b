import PictureCalls
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P23 Pictures that would cost too much")
struct PictureBombTests {
    @Test("a PNG of 60,000 × 60,000 pixels is refused by its head")
    func png() throws {
        let head: [UInt8] = [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 6, 0, 0, 0]
        let file = try png(head: head)
        #expect(problem(file) == .tooManyPixels(width: 60_000, height: 60_000))
        #expect(throws: PictureProblem.tooManyPixels(width: 60_000, height: 60_000)) {
            try PictureReader.notes(of: file)
        }
    }

    @Test("an HEIC or AVIF that says it has more pixels than are allowed", arguments: [TestPicture.Kind.heic, .avif])
    func heif(kind: TestPicture.Kind) throws {
        var file = try TestPicture.inHelsinki(kind)
        try patchSize(&file, to: [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10])
        #expect(problem(file) == .tooManyPixels(width: 10_000, height: 10_000))
        // libheif itself refuses more.
        try patchSize(&file, to: [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60])
        #expect(problem(file)?.isFinal == true)
    }

    @Test("an HEIC or AVIF with more pixels than it says, or fewer", arguments: [TestPicture.Kind.heic, .avif])
    func lyingHEIF(kind: TestPicture.Kind) throws {
        let whole = try TestPicture(width: 256, height: 256).bytes(kind) { _, _ in (1, 2, 3, 255) }
        for side in [16, 4_000] as [Int] {
            var file = whole
            try patchSize(
                &file, to: [0, 0, UInt8(side >> 8), UInt8(side & 255), 0, 0, UInt8(side >> 8), UInt8(side & 255)])
            // What comes of it is an error, or a picture of a size that was told before.
            guard let made = try? PictureMaker.make(from: file, longestSide: 64, quality: 80) else { continue }
            #expect(made.width <= 64 && made.height <= 64)
        }
    }

    @Test("a TIFF whose strip has more bytes than the file, and one of 60,000 × 60,000 pixels")
    func tiff() throws {
        let whole = try TestPicture.inHelsinki(.tiff)
        for (tag, value) in [(279, 0xffff_fff0), (278, 0xffff_ffff), (256, 60_000), (257, 60_000)] as [(UInt16, UInt32)]
        {
            var file = whole
            try patch(&file, tag: tag, to: value)
            if tag == 257 { try patch(&file, tag: 256, to: 60_000) }
            let refusal = problem(file)
            switch tag {
            case 257: #expect(refusal == .tooManyPixels(width: 60_000, height: 60_000))
            case 278: break
            default: #expect(refusal != nil)
            }
        }
    }

    @Test("that are cut off are refused, wherever that is", arguments: TestPicture.Kind.allCases)
    func cut(kind: TestPicture.Kind) throws {
        let whole = try TestPicture(width: 200, height: 150).bytes(kind) { x, y in
            (UInt8(x & 255), UInt8(y & 255), UInt8((x * y) & 255), 255)
        }
        #expect(problem(whole) == nil)
        for count in stride(from: 0, to: whole.count * 9 / 10, by: max(1, whole.count / 40)) {
            let refusal = problem(Array(whole.prefix(count)))
            #expect(
                refusal?.isFinal == true,
                "\(kind) with \(count) of \(whole.count) bytes: \(String(describing: refusal))")
        }
    }

    @Test("nothing that a broken file holds crashes", arguments: TestPicture.Kind.allCases, 0..<2)
    func mutations(kind: TestPicture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = try TestPicture.inHelsinki(kind, width: 120, height: 90)
        for _ in 0..<20 {
            var file = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                file[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let made = try? PictureMaker.make(from: file, longestSide: 32, quality: 80) else { continue }
            #expect(made.width <= 32 && made.height <= 32)
        }
    }

    private func problem(_ file: [UInt8]) -> PictureProblem? {
        do throws(PictureProblem) {
            _ = try PictureMaker.make(from: file, longestSide: 320, quality: 80)
            return nil
        } catch {
            return error
        }
    }

    /// A PNG with another head, whose sum is right.
    private func png(head: [UInt8]) throws -> [UInt8] {
        var file = try TestPicture().bytes(.png) { _, _ in (1, 2, 3, 255) }
        let chunk = Array("IHDR".utf8) + head
        var sum: UInt32 = 0xffff_ffff
        for byte in chunk {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        sum ^= 0xffff_ffff
        file.replaceSubrange(12..<33, with: chunk + [24, 16, 8, 0].map { UInt8(sum >> $0 & 255) })
        return file
    }

    /// Writes width and height into the property that has them.
    private func patchSize(_ file: inout [UInt8], to size: [UInt8]) throws {
        let name = Array("ispe".utf8)
        let starts = file.indices.filter { file[$0...].starts(with: name) }
        try #require(!starts.isEmpty)
        for start in starts { file.replaceSubrange(start + 8..<start + 16, with: size) }
    }

    /// Writes a number into a tag of the first folder, which has the machine's order of bytes.
    private func patch(_ file: inout [UInt8], tag: UInt16, to value: UInt32) throws {
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(file[at + $1]) << (8 * $1) } }
        let folder = number(4, 4)
        let entry = (0..<number(folder, 2)).map { folder + 2 + 12 * $0 }.first { number($0, 2) == Int(tag) }
        let at = try #require(entry)
        let values = (0..<4).map { UInt8(value >> (8 * $0) & 255) }
        // As one long number in place.
        file.replaceSubrange(at + 2..<at + 12, with: [4, 0, 1, 0, 0, 0] + values)
    }
}
