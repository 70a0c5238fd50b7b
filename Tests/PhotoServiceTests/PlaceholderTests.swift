import Glibc
import PictureCalls
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P22 The placeholder of a picture")
struct PlaceholderTests {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    @Test("has 28 characters: 4 waves across, 3 down", arguments: [(640, 480), (1, 1), (1, 500), (33, 31)])
    func length(width: Int, height: Int) throws {
        let text = try placeholder(width, height) { x, y in (UInt8(x & 255), UInt8(y & 255), 7) }
        #expect(text.count == 28)
        #expect(text.allSatisfy(Self.digits.contains))
        // 21: (4 - 1) + (3 - 1) · 9.
        #expect(text.first == "L")
    }

    @Test("of one colour is that colour and nothing else", arguments: [(0, 0, 0), (255, 255, 255), (200, 100, 50)])
    func flat(red: UInt8, green: UInt8, blue: UInt8) throws {
        let text = try placeholder(100, 80) { _, _ in (red, green, blue) }
        let average = value(text, 2..<6)
        for (shift, wanted) in [(16, red), (8, green), (0, blue)] {
            #expect(abs(average >> shift & 255 - Int(wanted)) <= 3)
        }
        // A wave of nothing is 9, 9, 9.
        for start in stride(from: 6, to: 28, by: 2) {
            let parts = parts(value(text, start..<start + 2))
            #expect(parts.allSatisfy { abs($0 - 9) <= 3 })
        }
        #expect(value(text, 1..<2) <= 2)
    }

    @Test("shows what is bright and where")
    func gradient() throws {
        let across = try shown(placeholder(100, 80) { x, _ in (UInt8(x * 2), UInt8(x * 2), UInt8(x * 2)) })
        #expect(across(0.05, 0.5) < 0.1 && across(0.95, 0.5) > 0.4)
        let down = try shown(placeholder(100, 80) { _, y in (UInt8(y * 3), UInt8(y * 3), UInt8(y * 3)) })
        #expect(down(0.5, 0.95) > 0.4 && down(0.5, 0.05) < 0.1)
    }

    private func placeholder(
        _ width: Int, _ height: Int, _ colour: (Int, Int) -> TestJPEG.Colour
    ) throws -> String {
        let jpeg = TestJPEG(width: width, height: height).bytes(colour)
        return try PictureMaker.make([PictureOrder(longestSide: 320, quality: 80)], from: jpeg).placeholder
    }

    private func value(_ text: String, _ range: Range<Int>) -> Int {
        Array(text)[range].reduce(0) { $0 * 83 + (Self.digits.firstIndex(of: $1) ?? 0) }
    }

    private func parts(_ value: Int) -> [Int] { [value / 361, value / 19 % 19, value % 19] }

    /// Reads it as any client would: green in linear light at a point, both 0 to 1.
    private func shown(_ text: String) -> (Double, Double) -> Double {
        let strongest = Double(value(text, 1..<2) + 1) / 166
        let average = pow(Double(value(text, 2..<6) >> 8 & 255) / 255, 2.2)
        let waves = stride(from: 6, to: 28, by: 2).map { start in
            let step = Double(parts(value(text, start..<start + 2))[1] - 9) / 9
            return step * abs(step) * strongest
        }
        return { x, y in
            ([average] + waves).enumerated().reduce(0) { sum, wave in
                sum + wave.element * cos(.pi * Double(wave.offset % 4) * x) * cos(.pi * Double(wave.offset / 4) * y)
            }
        }
    }
}
