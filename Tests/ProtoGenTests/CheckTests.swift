import Testing

@testable import ProtoGen

@Suite("The check of a request", .enabled(if: ProtoSource.isAvailable, "protoc is not installed"))
struct CheckTests {
    private static let source = ProtoSource(
        body: """
            import "google/protobuf/duration.proto";
            import "waymark/rpc/v1/options.proto";
            message Point {
              double height = 1 [(waymark.rpc.v1.range) = { min: -1, max: 9, unit: "metres" }];
              string named_by = 2 [(waymark.rpc.v1.answered) = true];
            }
            message AskRequest {
              string id = 1 [(waymark.rpc.v1.required) = true, (waymark.rpc.v1.form) = FORM_UUID];
              optional string name = 2 [(waymark.rpc.v1.length) = { max: 9 }, (waymark.rpc.v1.form) = FORM_LINE];
              repeated string tags = 3 [
                (waymark.rpc.v1.required) = true,
                (waymark.rpc.v1.needed) = "some tags are",
                (waymark.rpc.v1.length) = { min: 1, max: 9, things: "tags" }
              ];
              Point from = 4 [(waymark.rpc.v1.required) = true];
              repeated Point via = 5;
              google.protobuf.Duration wait = 6 [(waymark.rpc.v1.range) = { max: 9, allowed: "9 seconds at most are" }];
              bytes key = 7 [(waymark.rpc.v1.length) = { min: 32, max: 32 }];
              string free = 8;
              optional double radius = 9 [(waymark.rpc.v1.range) = { max: 9, by_setting: true }];
            }
            message PingRequest {}
            message AskResponse { Point from = 1 [(waymark.rpc.v1.required) = true]; }
            service Oracle {
              option (waymark.rpc.v1.answered_by) = PROGRAM_PIN_SERVICE;
              rpc Ask(AskRequest) returns (AskResponse) { option (waymark.rpc.v1.role) = ROLE_USER; }
              rpc Follow(AskRequest) returns (stream AskResponse) { option (waymark.rpc.v1.role) = ROLE_USER; }
              rpc Ping(PingRequest) returns (AskResponse) { option (waymark.rpc.v1.role) = ROLE_USER; }
            }
            """)

    @Test("says what the options of its fields say, and of the messages in it, and of nothing else")
    func messages() throws {
        let content = try #require(Self.source.files().first).content
        for expected in expectedChecks { #expect(content.contains(expected), "\(expected)\n---\n\(content)") }
        #expect(!content.contains("extension PingRequest {\n    /// Refuses"))
        #expect(!content.contains("extension AskResponse {\n    /// Refuses"))
    }

    @Test("stands between the decoded request and the handler")
    func stub() throws {
        let content = try #require(Self.source.files().dropFirst().first).content
        #expect(content.contains(expectedUnary), "\(content)")
        #expect(content.contains("try request.check()\n            try await self.follow(request, responses, context)"))
        #expect(content.contains("try await self.ping(PingRequest(request: bytes), context).packedBytes()"))
    }

    private let expectedUnary = """
                    let request = try AskRequest(request: bytes)
                    try request.check()
                    return try await self.ask(request, context).packedBytes()
        """

    private let expectedChecks = [
        """
        extension Point {
            /// Refuses what the options of its fields in the .proto do not allow.
            package func check() throws(Refusal) {
                try FieldRule.range(height, Self.heightRange, "height", unit: "metres")
                try FieldRule.answered(namedBy == "", "named_by")
            }
        }
        """,
        """
            package func check() throws(Refusal) {
                try FieldRule.text(id, "id", .uuid, as: .required)
                try FieldRule.text(name, "name", .line, length: Self.nameLength, as: .given)
                try FieldRule.texts(tags, "tags", length: Self.tagsLength, of: "tags", as: .required, needed: "some tags are")
                guard let from else { throw Refusal(missing: "from", needed: "a height is") }
                do { try from.check() } catch { throw error.within("from") }
                for (index, item) in via.enumerated() {
                    do { try item.check() } catch { throw error.within("via[\\(index)]") }
                }
                try FieldRule.range(wait, Self.waitRange, "wait", allowed: "9 seconds at most are")
                try FieldRule.count(key.count, Self.keyLength, "key", of: "bytes")
            }
        """,
    ]
}
