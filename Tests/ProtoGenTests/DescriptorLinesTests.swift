import TestProtos
import Testing

@testable import ProtoGen

@Suite("Descriptors in C", .enabled(if: ProtoSource.isAvailable, "protoc is not installed"))
struct DescriptorLinesTests {
    private func lines(_ body: String) throws -> DescriptorLines {
        let set = try CommentKeeper.keep(ProtoSource(body: body).descriptorSet())
        return DescriptorLines(try #require(set[...].fields.last).value)
    }

    @Test("have a line for each declaration and each of its parts")
    func declarations() throws {
        #expect(
            try lines("message M { int32 a = 1; enum E { E_A = 0; } } service S { rpc Do(M) returns (M); }")
                .declarations == [
                    #""\n\014sample.proto""#,
                    #""\022\021waymark.sample.v1""#,
                    #""\"\037""#,
                    #"    "\n\001M""#,
                    #"    "\022\014\n\001a\030\001 \001(\005R\001a""#,
                    #"    "\"\014""#,
                    #"        "\n\001E""#,
                    #"        "\022\007\n\003E_A\020\000""#,
                    #""25""#,
                    #"    "\n\001S""#,
                    #"    "\0220\n\002Do\022\024.waymark.sample.v1.M\032\024.waymark.sample.v1.M""#,
                    #""b\006proto3""#,
                ])
    }

    @Test("have a line for each line of a comment, below that of where it stands")
    func comments() throws {
        #expect(
            try lines("// Is it \"so\"??\n// Yes – or no.\nmessage M {}").comments == [
                #""\n$\n\002\004\000\032\036""#,
                #"    " Is it \"so\"\?\?\n""#,
                #"    " Yes \342\200\223 or no.\n""#,
            ])
    }

    @Test("say no length of the whole file, so that branches which edit different messages merge")
    func merging() throws {
        func lines(_ a: String, _ b: String) throws -> [String] {
            try self.lines("message A { int32 a = 1; \(a)} message B { int32 b = 1; \(b)}").declarations
        }
        let (base, one) = (try lines("", ""), try lines("int32 c = 2; ", ""))
        let (other, both) = (try lines("", "int32 c = 2; "), try lines("int32 c = 2; ", "int32 c = 2; "))
        // The new field, and the head of its message twice: as it was, and as it is.
        #expect(one.difference(from: base).count == 3)
        #expect(other.difference(from: base).count == 3)
        #expect(both.difference(from: one).count == 3)
    }
}
