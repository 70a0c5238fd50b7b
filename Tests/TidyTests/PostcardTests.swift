import FoundationEssentials
import Testing

@Suite("The bundled postcards are small, and say what they are")
struct PostcardTests {
    struct Postcard: CustomTestStringConvertible {
        let path: String
        let bytes: Data

        /// Whether a text is somewhere in the file, as a tool that only looks for texts would find it.
        func holds(_ text: String) -> Bool { bytes.firstRange(of: Data(text.utf8)) != nil }
        var testDescription: String { path }
    }

    static let folder = "Data/postcards"
    static let postcards = SourceTree.names(in: folder).sorted().flatMap { group in
        SourceTree.names(in: "\(folder)/\(group)").sorted().compactMap { name in
            let path = "\(folder)/\(group)/\(name)"
            return FileManager.default.contents(atPath: SourceTree.root + "/" + path)
                .map { Postcard(path: path, bytes: $0) }
        }
    }

    @Test("there are forty and more, in folders, below two megabytes together")
    func size() {
        #expect(Self.postcards.count >= 40)
        #expect(Self.postcards.reduce(0) { $0 + $1.bytes.count } < 2_000_000)
    }

    @Test("is a JPEG with EXIF that calls itself a sample and names its licence", arguments: postcards)
    func saysWhatItIs(postcard: Postcard) {
        #expect(postcard.path.hasSuffix(".jpg"))
        #expect(postcard.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(postcard.holds("Exif\0\0"))
        #expect(postcard.holds("(Waymark sample postcard)"))
        #expect(postcard.holds("Waymark samples"))
        #expect(postcard.holds("CC0-1.0"))
    }

    @Test("some carry private things, so that taking those away can be tested")
    func baggage() {
        let kinds = ["OWNER", "SERIAL", "MAKER-NOTE", "NOTE", "COMMENT"]
        for kind in kinds {
            #expect(Self.postcards.contains { $0.holds("SAMPLE-PRIVATE-" + kind) }, "\(kind)")
        }
    }
}
