import LiveNetworks
import Testing

@Suite("P14 What of an answer is decoded")
struct AnswerSizeTests {
    private struct Answer: Decodable {
        struct Element: Decodable, Sendable { let id: Int? }

        let elements: LossyList<Element>
    }

    private func count(_ elements: String) -> Int? {
        Answer(json: Array(#"{"elements":[\#(elements)]}"#.utf8))?.elements.count
    }

    private func many(_ element: String, _ count: Int) -> String {
        String(repeating: "\(element),", count: count - 1) + element
    }

    @Test(
        "an answer that would be a thousand times as many bytes in memory is none",
        arguments: ["{}", "[]", "1", "\"\"", #"{"a":{"b":[[]]}}"#])
    func amplified(element: String) {
        #expect(count(many(element, 1_000)) == 1_000)
        #expect(count(many(element, 400_000)) == nil)
    }

    @Test("one that is long by its texts is read, whatever signs stand in them")
    func texts() {
        let text = String(repeating: #"[{,:\"\\"#, count: 200_000)
        #expect(count(#"{"name":"\#(text)"},{"id":1}"#) == 2)
        #expect(
            count(many(#"{"id":1,"tags":{"amenity":"cafe","name":"x"},"nodes":[1,2,3,4,5,6,7,8,9]}"#, 2_000)) == 2_000)
    }
}
