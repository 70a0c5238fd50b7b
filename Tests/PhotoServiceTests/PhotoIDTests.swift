import Testing

@testable import PhotoService

@Suite("P26 Ids of photos")
struct PhotoIDTests {
    @Test(
        "name a network and an id there",
        arguments: [
            ("flickr/53012345678", "flickr", "53012345678"),
            ("folder/2024/July/a b.jpg", "folder", "2024/July/a b.jpg"),
            ("commons/File:Åland.jpg", "commons", "File:Åland.jpg"), ("a-1_b//", "a-1_b", "/"),
        ])
    func parts(text: String, network: String, provider: String) {
        let id = PhotoID(text)
        #expect(id?.text == text)
        #expect(id?.network == network)
        #expect(id?.providerID == provider)
    }

    @Test("may be as long as their limits, not longer")
    func limits() {
        let network = String(repeating: "n", count: 32)
        let provider = String(repeating: "å", count: 512)
        #expect(PhotoID("\(network)/\(provider)") != nil)
        #expect(PhotoID("\(network)n/1") == nil)
        // One character with the slash, for a reader of characters.
        #expect(PhotoID("n/\u{1F3FB}")?.providerID == "\u{1F3FB}")
        #expect(PhotoID("n/\(provider)x") == nil)
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "/", "flickr", "flickr/", "/1", "Flickr/1", "1a/1", "fli ckr/1", "fl\u{301}/1", "flickr/a\nb",
            "flickr/a\0",
        ])
    func refused(text: String) { #expect(PhotoID(text) == nil) }

    @Test("are told apart and ordered by their bytes, also where Unicode sees the same letters")
    func order() throws {
        let (composed, apart) = (try #require(PhotoID("n/\u{e9}")), try #require(PhotoID("n/e\u{301}")))
        #expect(composed != apart)
        #expect(Set([composed, apart]).count == 2)
        #expect(apart < composed && !(composed < apart))
    }
}
