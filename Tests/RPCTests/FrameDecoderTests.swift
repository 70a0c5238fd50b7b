import RPC
import TestSupport
import TestTools
import Testing

@Suite("Frame decoder", .timeLimit(.minutes(3)))
struct FrameDecoderTests {
    private static let frames = [
        WireFrame(.hello, [1, 2, 3]),
        WireFrame(.ping),
        WireFrame(.call, call: 1, isEnd: true, [UInt8](repeating: 7, count: 300)),
        WireFrame(.message, call: .max, [0]),
        WireFrame(.cancel, call: 2),
        WireFrame(.status, call: 1, isEnd: true, [UInt8](0...255)),
    ]
    private static let bytes = frames.flatMap(\.bytes)

    private func decode(_ pieces: [[UInt8]], maximumPayload: Int = 1 << 20) throws(FrameError) -> [WireFrame] {
        var decoder = FrameDecoder(maximumPayload: maximumPayload)
        var frames: [WireFrame] = []
        for piece in pieces { frames += try decoder.frames(piece) }
        return frames
    }

    @Test("gives the same frames however the bytes arrive", arguments: [1, 2, 3, 7, 11, 12, 13, 64, 1000])
    func chunked(size: Int) throws {
        let pieces = stride(from: 0, to: Self.bytes.count, by: size).map {
            Array(Self.bytes[$0..<min($0 + size, Self.bytes.count)])
        }
        #expect(try decode(pieces) == Self.frames)
    }

    @Test("gives the same frames when split in two at any byte")
    func splitAnywhere() throws {
        for index in 0...Self.bytes.count {
            #expect(
                try decode([Array(Self.bytes[..<index]), Array(Self.bytes[index...])]) == Self.frames, "at \(index)")
        }
    }

    @Test("keeps what is not whole yet and gives it up once it is")
    func pendingBytes() throws {
        var decoder = FrameDecoder(maximumPayload: 100)
        let frame = WireFrame(.ping, [UInt8](repeating: 1, count: 10))
        #expect(try decoder.frames(Array(frame.bytes.dropLast())).isEmpty)
        #expect(decoder.pendingBytes == 21)
        #expect(try decoder.frames([1]) == [frame])
        #expect(decoder.pendingBytes == 0)
    }

    @Test("takes a payload of exactly the limit")
    func exactLimit() throws {
        let frame = WireFrame(.message, call: 1, [UInt8](repeating: 3, count: 100))
        #expect(try decode([frame.bytes], maximumPayload: 100) == [frame])
    }

    /// A header with one thing wrong, and what is said of it.
    struct Malformed: Sendable, CustomTestStringConvertible {
        let hex: String
        let error: FrameError
        var testDescription: String { "\(hex) \(error)" }
    }

    static let headers = [
        Malformed(hex: "00000000 01060000 00000000", error: .tooShort(byteCount: 0)),
        Malformed(hex: "00000007 01060000 00000000", error: .tooShort(byteCount: 7)),
        Malformed(hex: "00000008 00060000 00000000", error: .version(0)),
        Malformed(hex: "00000008 02060000 00000000", error: .version(2)),
        Malformed(hex: "00000008 ff060000 00000000", error: .version(255)),
        Malformed(hex: "00000008 01000000 00000000", error: .kind(0)),
        Malformed(hex: "00000008 010a0000 00000000", error: .kind(10)),
        Malformed(hex: "00000008 01ff0000 00000000", error: .kind(255)),
        Malformed(hex: "00000008 01060200 00000000", error: .flags(2)),
        Malformed(hex: "00000008 01068100 00000000", error: .flags(0x81)),
        Malformed(hex: "00000008 01060001 00000000", error: .reserved(1)),
        Malformed(hex: "0000006d 01060000 00000000", error: .tooLong(byteCount: 101, limit: 100)),
        Malformed(hex: "ffffffff 01060000 00000000", error: .tooLong(byteCount: 4_294_967_287, limit: 100)),
        Malformed(hex: "80000000 01060000 00000000", error: .tooLong(byteCount: 2_147_483_640, limit: 100)),
    ]

    @Test("refuses what is not a header, and says why", arguments: headers)
    func malformed(header: Malformed) throws {
        let good = WireFrame(.ping, [9])
        for bytes in [Hex.bytes(header.hex), good.bytes + Hex.bytes(header.hex)] {
            #expect(throws: header.error) { try decode([bytes], maximumPayload: 100) }
            #expect(throws: header.error) { try decode(bytes.map { [$0] }, maximumPayload: 100) }
        }
        #expect(!header.error.description.isEmpty)
    }

    @Test(
        "D7 says of HTTP, HTTP/2 among it, that it is spoken elsewhere",
        arguments: [
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\n", "POST /a.b/C HTTP/1.1\r\n",
            "HTTP/1.1 400 Bad\r\n",
        ])
    func http(text: String) {
        for limit in [100, 16 << 20] {
            #expect(throws: FrameError.http) { try decode([Array(text.utf8)], maximumPayload: limit) }
            #expect(throws: FrameError.http) { try decode(text.utf8.map { [$0] }, maximumPayload: limit) }
        }
        #expect("\(FrameError.http)".contains("the gateway has another one for it"))
    }

    @Test("gives the frames before a broken one")
    func framesBeforeError() {
        var decoder = FrameDecoder(maximumPayload: 100)
        let good = WireFrame(.ping, [9])
        let bytes = good.bytes + Hex.bytes("00000000 01060000 00000000")
        var seen = 0
        let failed = unsafe bytes.withUnsafeBytes { bytes in
            do throws(FrameError) {
                try unsafe decoder.feed(bytes) { _, _ in seen += 1 }
                return false
            } catch {
                return true
            }
        }
        #expect(failed)
        #expect(seen == 1)
    }

    @Test("never traps on 100,000 random mutations, and agrees with itself at every split")
    func mutations() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<100_000 {
            var bytes = Self.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let middle = Int.random(in: 0...bytes.count, using: &random)
            let whole = Result { () throws(FrameError) in try decode([bytes], maximumPayload: 400) }
            let split = Result { () throws(FrameError) in
                try decode([Array(bytes[..<middle]), Array(bytes[middle...])], maximumPayload: 400)
            }
            if whole != split { Issue.record("\(Hex.text(bytes)) split at \(middle)") }
        }
    }

    @Test("never traps on random bytes")
    func noise() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? decode([bytes], maximumPayload: 32)
        }
    }
}
