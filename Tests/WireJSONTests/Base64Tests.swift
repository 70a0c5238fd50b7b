import FoundationEssentials
import Testing

@testable import WireJSON

@Suite("Bytes as base64")
struct Base64Tests {
    @Test("are written as others write them, and read with padding, without it and in the URL's alphabet")
    func roundTrips() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count &* 31) }
            let text = Data(bytes).base64EncodedString()
            #expect(String(decoding: Base64.encode(bytes), as: UTF8.self) == text)
            let safe = text.replacing("+", with: "-").replacing("/", with: "_")
            for spelling in [text, safe, safe.replacing("=", with: "")] {
                #expect(Base64.decode(spelling.utf8Span.span) == bytes)
            }
        }
    }

    @Test(
        "are nothing else",
        arguments: [
            "A", "=", "==", "A=", "A===", "AB=C", "AAA=A", "AA==AA==", "AA A", "AA\n", "é", "*A", "A*", "AA*", "*AAAAA",
            "AAA*AA", "AAAAA*",
        ])
    func refusals(text: String) {
        #expect(Base64.decode(text.utf8Span.span) == nil)
    }
}
