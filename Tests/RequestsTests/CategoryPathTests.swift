import Refusals
import Requests
import Testing

@Suite("Categories of a request")
struct CategoryPathTests {
    @Test("may end with a slash")
    func slash() throws {
        let paths = try CategoryPath.checked(["amenity/", "amenity/cafe", "é"], field: "categories")
        #expect(paths == ["amenity", "amenity/cafe", "é"].map { Array($0.utf8) })
    }

    @Test("D6 are refused when they are too many, too long or nothing, by the place in the list")
    func refused() {
        let long = String(repeating: "é", count: 256)
        for (texts, sentence) in [
            ([String](repeating: "a", count: 101), "categories: 101 entries are not allowed; at most 100 are"),
            (["a", long], "categories[1]: 256 characters are not allowed; 1 to 255 are"),
            ([""], "categories[0]: 0 characters are not allowed; 1 to 255 are"),
            (["/"], "categories[0]: \"/\" is not allowed; a path such as amenity/cafe is"),
        ] {
            let refusal = #expect(throws: Refusal.self) { try CategoryPath.checked(texts, field: "categories") }
            #expect(refusal?.description == sentence)
        }
    }
}
