import ProtoSchema
import Testing

@Suite("Descriptors from another program")
struct DescriptorNestingTests {
    private func schema(_ bytes: [UInt8]) throws -> Schema {
        try bytes.withUnsafeBytes { try Schema(fileDescriptorSet: $0) }
    }

    /// A field with a length.
    private func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = bytes.count
        repeat {
            length.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return [number << 3 | 2] + length + bytes
    }

    /// A set with one file whose only message lies so deep in others.
    private func set(depth: Int) -> [UInt8] {
        let name = field(1, [0x4d])
        let message = (0..<depth).reduce(name) { inner, _ in name + field(3, inner) }
        return field(1, field(1, [0x66]) + field(4, message))
    }

    @Test("are read when messages lie in each other as deep as anybody writes them", arguments: [0, 1, 32])
    func bounded(depth: Int) throws {
        #expect(try schema(set(depth: depth)).messages.count == depth + 1)
    }

    @Test("are refused when they lie so deep that reading them might not come back", arguments: [33, 20_000])
    func tooDeep(depth: Int) {
        #expect(throws: SchemaError("messages are declared more than 32 deep in each other")) {
            try schema(set(depth: depth))
        }
    }

    @Test(
        "are refused when they are none", arguments: [[0xff], [0x0a, 0x05, 1], [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff]])
    func nonsense(bytes: [UInt8]) {
        #expect(throws: SchemaError.self) { try schema(bytes) }
    }

    @Test("an optional field that names a oneof that is not there does no harm")
    func missingOneof() throws {
        // FieldDescriptorProto: name 1, number 3, label 4, type 5, oneof_index 9, proto3_optional 17.
        let optional: [UInt8] = field(1, [0x61]) + [0x18, 1, 0x20, 1, 0x28, 9, 0x48, 7, 0x88, 0x01, 1]
        let message = field(1, [0x4d]) + field(2, optional)
        let read = try schema(field(1, field(1, [0x66]) + field(4, message)))
        #expect(read.messages["M"]?.fields.first?.oneofIndex == 7)
    }
}
