import TestProtos
import TestTools
import Testing
import Wire

@Suite("Bytes from outside")
struct MalformedBytesTests {
    @Test("that were cut off anywhere give a message or an error, never a crash")
    func truncated() throws {
        var random = SeededGenerator(seed: 2)
        let whole = Every.random(&random).packedBytes()
        for count in whole.indices {
            let part = whole[..<count]
            if let message = try? Every(packed: part) { #expect(try Every(packed: message.packedBytes()) == message) }
        }
    }

    @Test("that were changed at random give a message or an error, never a crash")
    func mutated() throws {
        var random = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<10_000 {
            var bytes = Every.random(&random).packedBytes()
            for _ in 0..<Int.random(in: 1...8, using: &random) { Self.mutate(&bytes, &random) }
            do {
                let message = try Every(packed: bytes)
                #expect(message.packedBytes().count >= 0)
            } catch { refused += 1 }
        }
        #expect(refused > 1000)
    }

    @Test("that are several messages in a row give a message or an error, never a crash")
    func concatenated() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<2000 {
            var bytes = (0..<3).flatMap { _ in Every.random(&random).packedBytes() }
            #expect(try Every(packed: bytes).packedBytes().isEmpty == false)
            Self.mutate(&bytes, &random)
            _ = try? Every(packed: bytes)
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(0xff, at: index)
        default: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
    }

    @Test("that are no message are refused", arguments: Self.notMessages)
    func malformed(bytes: [UInt8]) {
        let error = #expect(throws: WireError.self) { try Every(packed: bytes) }
        #expect(error?.code == .malformed)
        #expect(error?.message == "the \(bytes.count) bytes are not a packed waymark.testing.v1.Every")
    }

    /// Cut off, an endless tag, longer than the rest, an unknown wire type, a varint of eleven bytes.
    static let notMessages: [[UInt8]] = [
        [0x08], [0xff], [0x42, 5, 1], [0x0f, 1], [UInt8](repeating: 0x80, count: 11),
    ]

    @Test("in a string are UTF-8 or refused by the field's name", arguments: Self.notUTF8)
    func invalidUTF8(bytes: [UInt8]) {
        let packed = [0x42, UInt8(bytes.count)] + bytes
        let error = #expect(throws: WireError.self) { try Every(packed: packed) }
        #expect(error?.code == .invalidUTF8(field: "waymark.testing.v1.Every.a_string"))
    }

    /// A lone byte, a lone continuation, an overlong form, a surrogate, past U+10FFFF, cut off.
    static let notUTF8: [[UInt8]] = [
        [0xff], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xe2, 0x82],
    ]

    @Test("in the strings of a list are checked as well")
    func invalidUTF8InList() {
        let error = #expect(throws: WireError.self) { try Every(packed: [0x82, 0x03, 1, 0x61, 0x82, 0x03, 1, 0xff]) }
        #expect(error?.code == .invalidUTF8(field: "waymark.testing.v1.Every.strings"))
    }
}
