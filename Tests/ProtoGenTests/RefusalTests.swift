import TestProtos
import Testing

@testable import ProtoGen

@Suite("What is not generated", .enabled(if: ProtoSource.isAvailable, "protoc is not installed"))
struct RefusalTests {
    @Test("is refused by a sentence that names it", arguments: Self.refused)
    func features(body: String, sentence: String) {
        expect(ProtoSource(body: body), sentence)
    }

    static let numbers = "is not generated; use int32, int64, uint32, uint64, float or double"
    static let options = "import \"waymark/rpc/v1/options.proto\";"
    static let rangeType = "a range is for a double, int32, uint32, uint64 or Duration, neither repeated nor in a oneof"
    static let rangeEnds = "its range needs min <= default <= max, each a number that the field can have"
    static let watch = "a watch has uint64 from_version = 15 in its request and uint64 version = 15 in its responses"
    static let role =
        "it does not say who may call it; option (waymark.rpc.v1.role) = ROLE_USER does, or another waymark.rpc.v1.Role"
    static let answeredBy =
        "it does not say which program answers it; option (waymark.rpc.v1.answered_by) = PROGRAM_PIN_SERVICE does, or "
        + "another waymark.rpc.v1.Program"
    static let refused: [(String, String)] = [
        ("service S {}", "waymark.sample.v1.S: \(answeredBy)"),
        (
            "\(options) service S { option (waymark.rpc.v1.answered_by) = PROGRAM_UNSPECIFIED; }",
            "waymark.sample.v1.S: \(answeredBy)"
        ),
        (
            "\(options) import \"google/protobuf/descriptor.proto\"; extend google.protobuf.ServiceOptions { bool x = 50900; } service S { option (x) = true; }",
            "extension x: the only ones known are those in waymark/rpc/v1/options.proto"
        ),
        (
            "message M { map<string, int32> tags = 1; }",
            "waymark.sample.v1.M.tags: map fields are not generated; use a repeated message with key and value"
        ),
        ("message M { M child = 1; }", "waymark.sample.v1.M: a message may not contain itself (M → M)"),
        (
            "message A { B b = 1; } message B { repeated C c = 1; } message C { oneof x { A a = 1; } }",
            "waymark.sample.v1.A: a message may not contain itself (A → B → C → A)"
        ),
        ("message M { sint32 a = 1; }", "waymark.sample.v1.M.a: sint32 \(numbers)"),
        ("message M { sint64 a = 1; }", "waymark.sample.v1.M.a: sint64 \(numbers)"),
        ("message M { fixed32 a = 1; }", "waymark.sample.v1.M.a: fixed32 \(numbers)"),
        ("message M { fixed64 a = 1; }", "waymark.sample.v1.M.a: fixed64 \(numbers)"),
        ("message M { sfixed32 a = 1; }", "waymark.sample.v1.M.a: sfixed32 \(numbers)"),
        ("message M { repeated sfixed64 a = 1; }", "waymark.sample.v1.M.a: sfixed64 \(numbers)"),
        (
            "message M { repeated int32 a = 1 [packed = false]; }",
            "waymark.sample.v1.M.a: [packed = false] is not generated"
        ),
        (
            "import \"google/protobuf/any.proto\"; message M { google.protobuf.Any a = 1; }",
            "google.protobuf: of the well-known types only Duration and Timestamp are generated"
        ),
        (
            "import public \"google/protobuf/duration.proto\"; message M { google.protobuf.Duration a = 1; }",
            "import public: public and weak imports are not generated; import what is used"
        ),
        (
            "import \"google/protobuf/descriptor.proto\"; extend google.protobuf.FieldOptions { bool ready_packed = 50801; }",
            "extension ready_packed: the only ones known are those in waymark/rpc/v1/options.proto"
        ),
        (
            "import \"google/protobuf/descriptor.proto\"; message M { extend google.protobuf.MethodOptions { bool x = 50900; } }",
            "extension x: the only ones known are those in waymark/rpc/v1/options.proto"
        ),
        (
            "enum E { option allow_alias = true; E_A = 0; E_B = 0; }",
            "waymark.sample.v1.E: allow_alias is not generated"
        ),
        (
            "import \"waymark/rpc/v1/options.proto\"; message M {} service S { rpc Up(stream M) returns (M) { option (waymark.rpc.v1.ready_packed) = true; } }",
            "waymark.sample.v1.S/Up: ready_packed is for unary methods"
        ),
        (
            "import \"waymark/rpc/v1/options.proto\"; message M {} service S { rpc Get(M) returns (stream M) { option (waymark.rpc.v1.ready_packed) = true; } }",
            "waymark.sample.v1.S/Get: ready_packed is for unary methods"
        ),
        (
            "message M {} service S { rpc Get(M) returns (M); }",
            "waymark.sample.v1.S/Get: \(role)"
        ),
        (
            "\(options) message M {} service S { rpc Get(M) returns (M) { option idempotency_level = IDEMPOTENT; } }",
            "waymark.sample.v1.S/Get: \(role)"
        ),
        (
            "\(options) message M {} service S { rpc Get(M) returns (M) { option (waymark.rpc.v1.role) = ROLE_UNSPECIFIED; } }",
            "waymark.sample.v1.S/Get: \(role)"
        ),
        (
            "message Q { uint64 from_version = 2; } message M { uint64 version = 15; } service S { rpc Watch(Q) returns (stream M); }",
            "waymark.sample.v1.S/Watch: \(watch)"
        ),
        (
            "message Q { uint64 from_version = 15; } message M { string version = 15; } service S { rpc Watch(Q) returns (stream M); }",
            "waymark.sample.v1.S/Watch: \(watch)"
        ),
        (
            "\(options) message M { int64 a = 1 [(waymark.rpc.v1.range) = { max: 9 }]; }",
            "waymark.sample.v1.M.a: \(rangeType)"
        ),
        (
            "\(options) message M { repeated int32 a = 1 [(waymark.rpc.v1.range) = { max: 9 }]; }",
            "waymark.sample.v1.M.a: \(rangeType)"
        ),
        (
            "\(options) message M { uint32 a = 1 [(waymark.rpc.v1.length) = { max: 9 }]; }",
            "waymark.sample.v1.M.a: a length is for a string, for bytes or for a list"
        ),
        (
            "\(options) message M { string a = 1 [(waymark.rpc.v1.length) = { min: 2, max: 1 }]; }",
            "waymark.sample.v1.M.a: its length needs min <= max, and a max"
        ),
        (
            "\(options) message M { bytes a = 1 [(waymark.rpc.v1.form) = FORM_LINE]; }",
            "waymark.sample.v1.M.a: a form is for a string"
        ),
        (
            "\(options) message M { string a = 1 [(waymark.rpc.v1.needed) = \"a name is\"]; }",
            "waymark.sample.v1.M.a: what is needed is said of a required field"
        ),
        (
            "\(options) message M { oneof b { string a = 1 [(waymark.rpc.v1.form) = FORM_LINE]; } }",
            "waymark.sample.v1.M.a: a rule is for a field outside of a oneof"
        ),
        (
            "\(options) import \"google/protobuf/duration.proto\"; message M { google.protobuf.Duration a = 1 [(waymark.rpc.v1.range) = { max: 9 }]; }",
            "waymark.sample.v1.M.a: the range of a Duration needs words: allowed: \"1 minute to 10 years are\""
        ),
        (
            "\(options) message M { string a = 1 [(waymark.rpc.v1.required) = true]; } service S { rpc Up(stream M) returns (M) { option (waymark.rpc.v1.role) = ROLE_USER; } }",
            "waymark.sample.v1.S/Up: a stream of requests is not checked; its messages may have no rules"
        ),
        (
            "\(options) message M { int32 a = 1 [(waymark.rpc.v1.range) = { min: 1, max: 9, default: 0 }]; }",
            "waymark.sample.v1.M.a: \(rangeEnds)"
        ),
        (
            "\(options) message M { uint32 a = 1 [(waymark.rpc.v1.range) = { max: 1.5 }]; }",
            "waymark.sample.v1.M.a: \(rangeEnds)"
        ),
        ("message M { int32 camelCase = 1; }", "waymark.sample.v1.M.camelCase: field names are lower_snake_case"),
        (
            "message M { oneof theChoice { int32 a = 1; } }",
            "waymark.sample.v1.M.theChoice: oneof names are lower_snake_case"
        ),
        ("message lower {}", "waymark.sample.v1.lower: message names are UpperCamelCase"),
        ("enum lower { LOWER_A = 0; }", "waymark.sample.v1.lower: enum names are UpperCamelCase"),
        (
            "message M {} service S { rpc get(M) returns (M); }",
            "waymark.sample.v1.S/get: method names are UpperCamelCase"
        ),
        (
            "message M { int32 self = 1; }",
            "waymark.sample.v1.M.self: a field may not be called self or init, which mean something in Swift"
        ),
        (
            "message M { repeated int32 a = 1; int32 n_a = 2; }",
            "waymark.sample.v1.M.n_a: another member is called n_a in protobuf-c's struct"
        ),
        (
            "message M { int32 a_case = 1; oneof a { int32 b = 2; } }",
            "waymark.sample.v1.M.a: a field is called a_case in protobuf-c's struct too"
        ),
    ]

    @Test(
        "proto2 is refused, and with it groups, required fields, defaults and extension ranges",
        arguments: [
            "message M { optional int32 a = 1; }", "message M { optional group G = 1 {} }",
            "message M { required int32 a = 1; }", "message M { optional int32 a = 1 [default = 3]; }",
            "message M { extensions 100 to 199; }",
        ])
    func proto2(body: String) {
        expect(ProtoSource(body: body, syntax: "proto2"), "syntax \"proto2\": only proto3 is generated")
    }

    @Test(
        "names that clash in the one namespace of Swift are refused",
        arguments: [
            (
                "message EchoRequest {} import \"waymark/rpc/v1/echo.proto\";",
                "waymark.sample.v1.EchoRequest and waymark.rpc.v1.EchoRequest would both be called EchoRequest in Swift"
            ),
            ("message String {}", "waymark.sample.v1.String would hide Swift's or Waymark's own String"),
            ("message Router {}", "waymark.sample.v1.Router would hide Swift's or Waymark's own Router"),
            (
                "message A { message B {} } message B {}",
                "waymark.sample.v1.A: its nested type or oneof B would hide waymark.sample.v1.B in Swift; rename it"
            ),
            (
                "message A { oneof b { int32 x = 1; } } message B {}",
                "waymark.sample.v1.A: its nested type or oneof B would hide waymark.sample.v1.B in Swift; rename it"
            ),
            (
                "message A { message B {} oneof b { int32 x = 1; } }",
                "waymark.sample.v1.A: the nested type or oneof B clashes; rename it"
            ),
            (
                "\(options) message SClient {} service S { option (waymark.rpc.v1.answered_by) = PROGRAM_PIN_SERVICE; }",
                "waymark.sample.v1.S and waymark.sample.v1.SClient would both be called SClient in Swift"
            ),
        ])
    func clashes(body: String, sentence: String) {
        expect(ProtoSource(body: body), sentence)
    }

    private func expect(_ source: ProtoSource, _ sentence: String) {
        let error = #expect(throws: GenerationError.self) { try source.files() }
        #expect(error?.description.hasSuffix(sentence) == true, "\(error?.description ?? "")")
    }
}
