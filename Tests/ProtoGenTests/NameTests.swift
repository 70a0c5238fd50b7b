import Testing

@testable import ProtoGen

@Suite("Names")
struct NameTests {
    @Test(
        "of members are camel case, and escaped where Swift needs it",
        arguments: [
            ("maximum_payload_bytes", "maximumPayloadBytes"), ("id", "id"), ("default", "`default`"), ("two_2", "two2"),
        ])
    func members(proto: String, swift: String) { #expect(SwiftNames.member(proto) == swift) }

    @Test(
        "of enum values lose the enum's name",
        arguments: [
            ("SERVING_STATUS_NOT_SERVING", "ServingStatus", "notServing"), ("SHADE_2D", "Shade", "_2d"),
            ("OTHER", "Shade", "other"), ("SHADE_IN", "Shade", "`in`"),
        ])
    func values(proto: String, enumeration: String, swift: String) {
        #expect(SwiftNames.value(proto, of: enumeration) == swift)
    }

    @Test(
        "in C are those of protoc-c",
        arguments: [
            ("waymark.rpc.v1.EchoRequest", "Waymark__Rpc__V1__EchoRequest", "waymark__rpc__v1__echo_request"),
            ("a.b_c.v1.Foo.Bar", "A__BC__V1__Foo__Bar", "a__b_c__v1__foo__bar"),
            ("x.HTTPReply2", "X__HTTPReply2", "x__httpreply2"),
        ])
    func c(proto: String, structure: String, function: String) {
        #expect(CNames.structure(proto) == structure)
        #expect(CNames.function(proto) == function)
    }
}
