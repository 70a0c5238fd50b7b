import ProtoSchema
import TestProtos
import Testing

@testable import ProtoGen

@Suite("Descriptors for protoc-c", .enabled(if: ProtoSource.isAvailable, "protoc is not installed"))
struct RewriterTests {
    private func rewritten(_ body: String) throws -> MessageSchema {
        let set = try DescriptorRewriter.rewrite(ProtoSource(body: body).descriptorSet())
        let schema = try set.withUnsafeBytes { try Schema(fileDescriptorSet: $0) }
        #expect(schema.services.isEmpty)
        #expect(schema.enums.isEmpty)
        return try #require(schema.messages["waymark.sample.v1.M"])
    }

    @Test("have bytes for strings and numbers for enums")
    func types() throws {
        let message = try rewritten("enum E { E_A = 0; } message M { string s = 1; repeated E e = 2; }")
        #expect(message.fields.map(\.type) == [.bytes, .int32])
        #expect(message.fields.map(\.label) == [.optional, .repeated])
    }

    @Test("keep the oneof that stands for optional, but do not say optional")
    func optional() throws {
        let message = try rewritten("message M { optional int32 x = 1; }")
        #expect(message.fields.first?.isProto3Optional == false)
        #expect(message.fields.first?.oneofIndex == 0)
        #expect(message.oneofs.map(\.name) == ["_x"])
    }

    @Test("have other names for fields whose names mean something in C")
    func names() throws {
        let message = try rewritten("message M { int32 default = 1; int32 base = 2; int32 other = 3; }")
        #expect(message.fields.map(\.name) == ["default_", "base_", "other"])
    }

    @Test("have neither services nor comments")
    func services() throws {
        let message = try rewritten("// Comment.\nmessage M {} service S { rpc Do(M) returns (M); }")
        #expect(message.comment == "")
    }

    @Test("are refused when they are none")
    func malformed() {
        #expect(throws: GenerationError.self) { try DescriptorRewriter.rewrite([0xff]) }
    }
}
