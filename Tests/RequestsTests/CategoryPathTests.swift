import Requests
import Testing

@Suite("P4 Categories that a request names")
struct CategoryPathTests {
    @Test("mean the same with a slash at the end")
    func slashes() {
        for (text, bytes) in [("amenity/", "amenity"), ("amenity/cafe", "amenity/cafe"), ("é", "é"), ("//", "/")] {
            #expect(CategoryPath.bytes(text) == Array(bytes.utf8))
        }
    }
}
