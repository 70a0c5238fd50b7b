import ProtoSchema
import TestProtos
import Testing
import Wire
import WireJSON

@Suite("The JSON mapping")
struct MappingTests {
    private let json = WireJSON.ofTests

    @Test("reads every spelling that proto3 allows", arguments: Self.spellings)
    func reads(text: String, message: Every) throws {
        #expect(try json.pack(text) == message)
    }

    static let spellings: [(String, Every)] = [
        ("{}", Every()),
        (#"{"anInt32": 7}"#, Every(anInt32: 7)),
        (#"{"an_int32": 7}"#, Every(anInt32: 7)),
        (#"{"anInt32": "7"}"#, Every(anInt32: 7)),
        (#"{"anInt32": 7.0}"#, Every(anInt32: 7)),
        (#"{"anInt32": 1e3}"#, Every(anInt32: 1000)),
        (#"{"anInt64": "-9223372036854775808"}"#, Every(anInt64: .min)),
        (#"{"anInt64": 9007199254740993}"#, Every(anInt64: 9_007_199_254_740_993)),
        (#"{"aUint64": "18446744073709551615"}"#, Every(aUint64: .max)),
        (#"{"aDouble": "Infinity", "aFloat": "-Infinity"}"#, Every(aDouble: .infinity, aFloat: -.infinity)),
        (#"{"aDouble": "1.5", "aFloat": 0.1}"#, Every(aDouble: 1.5, aFloat: 0.1)),
        (#"{"aBool": true}"#, Every(aBool: true)),
        (#"{"aString": "a\u0000\ud83e\udded"}"#, Every(aString: "a\0🧭")),
        (#"{"someBytes": "+/8="}"#, Every(someBytes: [0xfb, 0xff])),
        (#"{"someBytes": "-_8"}"#, Every(someBytes: [0xfb, 0xff])),
        (#"{"aShade": "SHADE_VERY_DARK"}"#, Every(aShade: .veryDark)),
        (
            #"{"aShade": 2, "shades": [77, "SHADE_NEGATIVE"]}"#,
            Every(aShade: .veryDark, shades: [Shade(rawValue: 77), .negative])
        ),
        (#"{"aPoint": {"latitude": 1}}"#, Every(aPoint: Point(latitude: 1))),
        (#"{"aPoint": {}}"#, Every(aPoint: Point())),
        (#"{"maybeInt32": 0, "maybeString": ""}"#, Every(maybeInt32: 0, maybeString: "")),
        (#"{"maybeInt32": null, "aPoint": null, "doubles": null, "number": null}"#, Every()),
        (#"{"doubles": []}"#, Every()),
        (#"{"points": [{}, {"longitude": 2}]}"#, Every(points: [Point(), Point(longitude: 2)])),
        (#"{"number": 0}"#, Every(choice: .number(0))),
        (#"{"number": null, "text": "t"}"#, Every(choice: .text("t"))),
        (#"{"aTime": "1970-01-01T00:00:00Z"}"#, Every(aTime: TimestampMessage())),
        (
            #"{"aTime": "2024-05-17T14:30:00.25+02:00"}"#,
            Every(aTime: TimestampMessage(seconds: 1_715_949_000, nanos: 250_000_000))
        ),
        (#"{"aTime": "0001-01-01T00:00:00Z"}"#, Every(aTime: TimestampMessage(seconds: -62_135_596_800))),
        (#"{"aSpan": "-0.000000001s"}"#, Every(aSpan: DurationMessage(nanos: -1))),
        (#"{"aSpan": "315576000000s"}"#, Every(aSpan: DurationMessage(seconds: 315_576_000_000))),
    ]

    @Test("writes the canonical spelling", arguments: Self.canonical)
    func writes(message: Every, text: String) throws {
        #expect(try json.text(message) == text)
    }

    static let canonical: [(Every, String)] = [
        (Every(), "{}"),
        (Every(anInt64: 5, aUint64: .max), #"{"aUint64":"18446744073709551615","anInt64":"5"}"#),
        (Every(anInt32: -5, aUint32: 5), #"{"aUint32":5,"anInt32":-5}"#),
        (Every(aDouble: .nan, aFloat: -.infinity), #"{"aDouble":"NaN","aFloat":"-Infinity"}"#),
        (Every(aDouble: 0.1, aFloat: 0.1), #"{"aDouble":0.1,"aFloat":0.1}"#),
        (Every(aString: "a/\"\0"), #"{"aString":"a/\"\u0000"}"#),
        (Every(someBytes: [0xfb, 0xff]), #"{"someBytes":"+/8="}"#),
        (Every(aShade: .light, shades: [Shade(rawValue: 9)]), #"{"aShade":"SHADE_LIGHT","shades":[9]}"#),
        (
            Every(maybeInt32: 0, maybeBool: false, maybeShade: .unspecified),
            #"{"maybeBool":false,"maybeInt32":0,"maybeShade":"SHADE_UNSPECIFIED"}"#
        ),
        (Every(aPoint: Point()), #"{"aPoint":{}}"#),
        (Every(choice: .raw([])), #"{"raw":""}"#),
        (Every(aTime: TimestampMessage(seconds: -1, nanos: 1000)), #"{"aTime":"1969-12-31T23:59:59.000001Z"}"#),
        (Every(aSpan: DurationMessage(seconds: -1, nanos: -500_000_000)), #"{"aSpan":"-1.500s"}"#),
        (Every(points: [Point(latitude: 1)]), #"{"points":[{"latitude":1}]}"#),
    ]

    @Test("writes on many lines when asked to")
    func pretty() throws {
        let text = try json.text(Every(anInt32: 1), [.pretty, .sorted])
        #expect(text == "{\n  \"anInt32\": 1\n}")
    }

    @Test("knows the messages that are built in, and no others")
    func builtIn() throws {
        let embedded = WireJSON()
        let packed = try embedded.pack(
            json: Array(#"{"payload": "AAE=", "delay": "1s"}"#.utf8), as: EchoRequest.protoName)
        #expect(try EchoRequest(packed: packed) == EchoRequest(payload: [0, 1], delay: DurationMessage(seconds: 1)))
        let error = #expect(throws: WireJSONError.self) { try embedded.pack(json: [], as: "no.Such") }
        #expect(error?.code == .unknownMessage)
        #expect(error?.message == "there is no message type no.Such")
    }

    @Test("finds a method with its messages by its path")
    func method() {
        let echo = embeddedMethod("waymark.rpc.v1.EchoService/Echo")
        #expect(echo?.input == "waymark.rpc.v1.EchoRequest")
        #expect(echo?.idempotency == .noSideEffects)
        #expect(embeddedMethod("waymark.rpc.v1.EchoService/EchoStream")?.isServerStreaming == true)
        #expect(embeddedMethod("waymark.rpc.v1.EchoService") == nil)
        #expect(embeddedMethod("waymark.rpc.v1.EchoService/Nothing") == nil)
    }

    private func embeddedMethod(_ path: String) -> MethodSchema? { Schema.embedded.method(path) }
}
