import TestProtos
import Testing
import Wire
import WireJSON

@Suite("E1 large well-formed JSON")
struct LargeMessageTests {
    private let json = WireJSON.ofTests

    /// A field, and the shortest element of its list.
    static let lists = [
        ("strings", "\"\""), ("points", "{}"), ("shades", "0"), ("doubles", "0"), ("byteStrings", "\"\""),
        ("times", "\"1970-01-01T00:00:00Z\""),
    ]

    @Test("is packed or refused, however little reading it leaves of the budget", arguments: Self.lists)
    func everyRemainder(field: String, element: String) throws {
        var (packed, refused) = (0, 0)
        for count in stride(from: 1, to: 3500, by: 17) {
            let list = Array(repeating: element, count: count).joined(separator: ",")
            let text = Array("{\"\(field)\":[\(list)]}".utf8)
            do {
                _ = try json.pack(json: text, as: Every.protoName, budget: 20_000)
                packed += 1
            } catch {
                #expect(error.code == .overBudget)
                refused += 1
            }
        }
        #expect(packed > 10 && refused > 10)
    }

    @Test("of two million elements is refused with a sentence", arguments: Self.lists.filter { $0.0 != "shades" })
    func millions(field: String, element: String) {
        let text =
            Array("{\"\(field)\":[\(element)".utf8)
            + Array(repeating: Array(",\(element)".utf8), count: 2_000_000).joined() + Array("]}".utf8)
        let error = #expect(throws: WireJSONError.self) { try json.pack(json: text, as: Every.protoName) }
        #expect(error?.code == .overBudget)
    }

    @Test("that packs into more than a frame is refused")
    func longerThanAFrame() {
        let text = Array("{\"aString\":\"\(String(repeating: "x", count: Wire.maximumFrameBytes))\"}".utf8)
        let error = #expect(throws: WireJSONError.self) { try json.pack(json: text, as: Every.protoName) }
        #expect(error?.message == "the message packs into 4194309 bytes; 4194304 are allowed")
    }
}
