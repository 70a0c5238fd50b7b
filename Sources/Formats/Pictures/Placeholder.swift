import Glibc
import PictureCalls

/// A picture in 28 characters: a few waves of colour, shown until the picture is loaded. The format is BlurHash,
/// https://github.com/woltapp/blurhash/blob/master/Algorithm.md.
enum Placeholder {
    /// Waves across and down.
    private static let (across, down) = (4, 3)
    /// Waves this long need no more pixels than this.
    private static let side = 32
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// Red, green and blue in linear light.
    private typealias Colour = SIMD3<Double>

    static func text(of picture: borrowing PixelSurface) throws(PictureProblem) -> String {
        let small = try picture.drawn(
            .upright, width: min(side, picture.width), height: min(side, picture.height))
        let waves = waves(of: small)
        let strongest = waves.dropFirst().map { max(abs($0.max()), abs($0.min())) }.max() ?? 0
        let scale = min(82, max(0, Int(strongest * 166 - 0.5)))
        var text: [UInt8] = []
        append((across - 1) + (down - 1) * 9, digitCount: 1, to: &text)
        append(scale, digitCount: 1, to: &text)
        append(average(waves[0]), digitCount: 4, to: &text)
        for wave in waves.dropFirst() {
            append(quantized(wave / (Double(scale + 1) / 166)), digitCount: 2, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first is the average; row by row.
    private static func waves(of picture: borrowing PixelSurface) -> [Colour] {
        let (width, height, stride) = (picture.width, picture.height, picture.stride)
        let rows = (0..<down).map { cosines($0, height) }
        let columns = (0..<across).map { cosines($0, width) }
        var waves = [Colour](repeating: .zero, count: across * down)
        unsafe picture.withPixels { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let at = y * stride + x * 4
                    let colour = unsafe Colour(
                        linear[Int(pixels[at + 2])], linear[Int(pixels[at + 1])], linear[Int(pixels[at])])
                    for wave in waves.indices {
                        waves[wave] += colour * (columns[wave % across][x] * rows[wave / across][y])
                    }
                }
            }
        }
        let count = Double(width * height)
        return waves.enumerated().map { $1 * (($0 == 0 ? 1 : 2) / count) }
    }

    /// Sampled in the middle of each pixel, not at its edge as in the reference: so a flat picture has no waves.
    private static func cosines(_ wave: Int, _ count: Int) -> [Double] {
        (0..<count).map { cos(.pi * Double(wave) * (Double($0) + 0.5) / Double(count)) }
    }

    /// sRGB's curve, for each byte.
    private static let linear: [Double] = (0..<256).map { byte in
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func byte(_ linear: Double) -> Int {
        let value = min(1, max(0, linear))
        let curved = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        return Int(curved * 255 + 0.5)
    }

    private static func average(_ colour: Colour) -> Int {
        byte(colour.x) << 16 | byte(colour.y) << 8 | byte(colour.z)
    }

    /// Three numbers of 0 to 18, 9 for nothing; small waves are quantized more finely than strong ones.
    private static func quantized(_ colour: Colour) -> Int {
        func step(_ value: Double) -> Int {
            let root = value < 0 ? -sqrt(-value) : sqrt(value)
            return Int(min(18, max(0, (root * 9 + 9.5).rounded(.down))))
        }
        return (step(colour.x) * 19 + step(colour.y)) * 19 + step(colour.z)
    }

    private static func append(_ number: Int, digitCount: Int, to text: inout [UInt8]) {
        var rest = number
        let places = (0..<digitCount).map { _ in
            defer { rest /= digits.count }
            return digits[rest % digits.count]
        }
        text += places.reversed()
    }
}
