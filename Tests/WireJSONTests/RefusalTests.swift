import TestProtos
import Testing
import Wire
import WireJSON

@Suite("JSON that is refused")
struct RefusalTests {
    private let json = WireJSON.ofTests

    @Test("names the field, the value and what is allowed", arguments: Self.inputs)
    func refused(text: String, message: String) {
        let error = #expect(throws: WireJSONError.self) { try json.pack(text) }
        #expect(error?.message == message)
    }

    static let double = "allowed: a number, \"NaN\", \"Infinity\" or \"-Infinity\""
    static let int32 = "allowed: a whole number from -2147483648 to 2147483647"
    static let shade = "allowed: SHADE_UNSPECIFIED, SHADE_LIGHT, SHADE_VERY_DARK, SHADE_NEGATIVE, or a number"
    static let time =
        "allowed: a time from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z, such as \"2024-05-17T12:30:00.25Z\""
    static let span = "allowed: a duration up to 315576000000s either way, such as \"1.5s\""
    static let inputs: [(String, String)] = [
        (#"{"aPoint": {"latitude": "north"}}"#, "aPoint.latitude is \"north\"; \(double)"),
        (#"{"aDouble": "inf"}"#, "aDouble is \"inf\"; \(double)"),
        (#"{"aDouble": "0x1p3"}"#, "aDouble is \"0x1p3\"; \(double)"),
        (#"{"aDouble": true}"#, "aDouble is true; \(double)"),
        (#"{"aPoint": {"altitude": 3}}"#, "aPoint.altitude: waymark.testing.v1.Point has no such field"),
        (#"{"points": [{}, {"lat": 3}]}"#, "points[1].lat: waymark.testing.v1.Point has no such field"),
        (#"{"points": [{}, null]}"#, "points[1] is null; a list may not contain null"),
        (#"{"points": {}}"#, "points is an object; allowed: a list"),
        (#"{"aPoint": [1]}"#, "aPoint is a list; allowed: an object with the fields of waymark.testing.v1.Point"),
        (#"{"anInt32": 2147483648}"#, "anInt32 is 2147483648; \(int32)"),
        (#"{"anInt32": 1.5}"#, "anInt32 is 1.5; \(int32)"),
        (#"{"anInt32": "1 "}"#, "anInt32 is \"1 \"; \(int32)"),
        (#"{"anInt32": ""}"#, "anInt32 is \"\"; \(int32)"),
        (#"{"aUint32": -1}"#, "aUint32 is -1; allowed: a whole number from 0 to 4294967295"),
        (#"{"aBool": "true"}"#, "aBool is \"true\"; allowed: true or false"),
        (#"{"aBool": 1}"#, "aBool is 1; allowed: true or false"),
        (#"{"aString": 1}"#, "aString is 1; allowed: a string"),
        (#"{"someBytes": "*"}"#, "someBytes is \"*\"; allowed: a string in base64"),
        (#"{"aShade": "light"}"#, "aShade is \"light\"; \(shade)"),
        (#"{"aTime": "yesterday"}"#, "aTime is \"yesterday\"; \(time)"),
        (#"{"aTime": "2023-02-29T00:00:00Z"}"#, "aTime is \"2023-02-29T00:00:00Z\"; \(time)"),
        (#"{"aTime": "2024-01-01T24:00:00Z"}"#, "aTime is \"2024-01-01T24:00:00Z\"; \(time)"),
        (#"{"aTime": "9999-12-31T23:59:59-01:00"}"#, "aTime is \"9999-12-31T23:59:59-01:00\"; \(time)"),
        (#"{"aTime": "2024-01-01T00:00:00.1234567890Z"}"#, "aTime is \"2024-01-01T00:00:00.1234567890Z\"; \(time)"),
        (#"{"aTime": "2024-01-01T00:00:00"}"#, "aTime is \"2024-01-01T00:00:00\"; \(time)"),
        (#"{"aSpan": "1"}"#, "aSpan is \"1\"; \(span)"),
        (#"{"aSpan": "315576000001s"}"#, "aSpan is \"315576000001s\"; \(span)"),
        (
            #"{"number": 1, "text": "t"}"#,
            "text is given with another field of the same oneof; only one of them is allowed"
        ),
        (#"{"anInt32": 1, "an_int32": 1}"#, "an_int32 is given twice, as an_int32 and anInt32"),
        (#"{"anInt32": 1, "anInt32": 1}"#, "anInt32 is given twice; a member may be given once"),
        ("[]", "the message is a list; allowed: an object with the fields of waymark.testing.v1.Every"),
        ("null", "the message is null; allowed: an object with the fields of waymark.testing.v1.Every"),
    ]

    @Test("a float that is too large for one")
    func float() {
        let error = #expect(throws: WireJSONError.self) { try json.pack(#"{"aFloat": 1e39}"#) }
        #expect(error?.code == .invalidValue(path: "aFloat"))
    }

    @Test("because it is not JSON", arguments: ["", "{", "{,}", "{} x", "nan", "{\"a"])
    func notJSON(text: String) {
        let error = #expect(throws: WireJSONError.self) { try json.pack(text) }
        #expect(error?.code == .notJSON)
    }

    @Test("because a value is not JSON", arguments: ["\"\\ud800\"", "01", "1e999", "\"\u{1}\""])
    func notAValue(text: String) {
        let error = #expect(throws: WireJSONError.self) { try json.pack("{\"aString\": \(text)}") }
        #expect([.notJSON, .invalidValue(path: "aString")].contains(error?.code))
    }

    @Test("because its bytes are not UTF-8")
    func notUTF8() {
        let bytes = Array(#"{"aString": ""#.utf8) + [0xff] + Array(#""}"#.utf8)
        let error = #expect(throws: WireJSONError.self) { try json.pack(json: bytes, as: Every.protoName) }
        #expect(error?.message == "aString is not valid UTF-8; allowed: a string")
    }

    @Test("because it is nested without end")
    func depth() {
        for text in ["[", "{\"aPoint\":", "{\"points\":["] {
            let error = #expect(throws: WireJSONError.self) { try json.pack(String(repeating: text, count: 100_000)) }
            #expect(error != nil)
        }
    }

    @Test("because it takes too much memory")
    func budget() {
        let text = "{\"points\": [" + Array(repeating: "{}", count: 1000).joined(separator: ",") + "]}"
        let error = #expect(throws: WireJSONError.self) {
            try json.pack(json: Array(text.utf8), as: Every.protoName, budget: 10_000)
        }
        #expect(error?.code == .overBudget)
    }

    @Test("packed bytes that are no message, or that JSON cannot say")
    func packed() {
        let malformed = #expect(throws: WireJSONError.self) { try json.json(packed: [0xff], of: Every.protoName) }
        #expect(malformed?.code == .malformed)
        let late = Every(aTime: TimestampMessage(seconds: .max))
        let error = #expect(throws: WireJSONError.self) { try json.text(late) }
        #expect(error?.code == .invalidValue(path: "aTime"))
        let notUTF8 = #expect(throws: WireJSONError.self) {
            try json.json(packed: [0x42, 1, 0xff], of: Every.protoName)
        }
        #expect(notUTF8?.code == .invalidValue(path: "aString"))
    }
}
