import TestProtos
import TestTools
import Testing
import Wire

@Suite("A bytes field of a packed message")
struct BytesFieldTests {
    private static let field = BytesField(9)

    @Test("is found where it lies, and what is left is the message without it")
    func found() throws {
        var random = SeededGenerator(seed: 21)
        var count = 0
        for _ in 0..<2000 {
            var message = Every.random(&random)
            guard let (value, others) = Self.field.split(message.packedBytes()) else {
                #expect(message.someBytes.isEmpty)
                continue
            }
            #expect(Array(value) == message.someBytes)
            message.someBytes = []
            #expect(try Every(packed: others) == message)
            count += 1
        }
        #expect(count > 500)
    }

    @Test("is put behind the other fields", arguments: [0, 1, 127, 128, 16_383, 16_384, 300_000])
    func appended(byteCount: Int) throws {
        let value = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var packed = Every(aString: "before").packedBytes()
        Self.field.appendHead(byteCount, to: &packed)
        packed += value
        #expect(try Every(packed: packed) == Every(aString: "before", someBytes: value))
        #expect(Self.field.split(packed).map { Array($0.value) } == value)
    }

    @Test("is not taken out of a message that has it twice: the last one counts, as unpacking knows")
    func twice() {
        let once = Every(someBytes: [1]).packedBytes()
        #expect(Self.field.split(once) != nil)
        #expect(Self.field.split(once + once) == nil)
    }

    @Test("is found in no bytes that protobuf-c refuses, but for what is wrong inside of other fields")
    func malformed() throws {
        var random = SeededGenerator(seed: 22)
        var (refused, split) = (0, 0)
        for _ in 0..<10_000 {
            var bytes = Every.random(&random).packedBytes()
            guard let index = bytes.indices.randomElement(using: &random) else { continue }
            if Bool.random(using: &random) { bytes.removeSubrange(index...) }
            if index < bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            guard let (value, others) = Self.field.split(bytes) else {
                refused += 1
                continue
            }
            split += 1
            let whole = try? Every(packed: bytes)
            // Compared packed, where a number that is none equals itself.
            let left = try? Every(packed: others).packedBytes()
            #expect(left == whole.map { Self.emptied($0).packedBytes() })
            if let whole { #expect(Array(value) == whole.someBytes) }
        }
        #expect(refused > 500 && split > 500)
    }

    private static func emptied(_ message: Every) -> Every {
        var message = message
        message.someBytes = []
        return message
    }

    @Test(
        "is not found in a number or a length that does not end or is too large",
        arguments: [
            [0x4a], [0x4a, 0x80], [0x4a, 0x02, 0x01], [0x4a] + [UInt8](repeating: 0xff, count: 9) + [0x01],
            [0x4a] + [UInt8](repeating: 0xff, count: 11), [UInt8](repeating: 0x80, count: 20), [0x0b], [0x0c],
            [0x09, 1, 2],
        ])
    func cutOff(bytes: [UInt8]) { #expect(Self.field.split(bytes) == nil) }
}
