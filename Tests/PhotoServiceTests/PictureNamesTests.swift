import Testing

@testable import PhotoService

@Suite("P18 The pictures that the entry of a place names")
struct PictureNamesTests {
    @Test(
        "files of Commons, however they are written, and no others",
        arguments: [
            ("wikimedia_commons=File:Old bridge.jpg", "File:Old bridge.jpg"),
            ("wikimedia_commons= file:old_bridge.jpg ", "File:Old bridge.jpg"),
            ("image=https://commons.wikimedia.org/wiki/File:Old_bridge.jpg", "File:Old bridge.jpg"),
            (
                "image=https://commons.wikimedia.org/wiki/File:Pont_d%27I%C3%A9na.jpg?uselang=fr#x",
                "File:Pont d'Iéna.jpg"
            ),
            ("image=https://upload.wikimedia.org/wikipedia/commons/a/ab/Old_bridge.jpg", "File:Old bridge.jpg"),
            (
                "image=http://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Old_bridge.jpg/640px-Old_bridge.jpg",
                "File:Old bridge.jpg"
            ),
            ("image=https://thumb.wikimedia.org/wikipedia/commons/thumb/a/ab/X.jpg/9px-X.jpg", "File:X.jpg"),
        ])
    func files(tag: String, title: String) {
        #expect(PictureNames(tags: [tag]).files == [title])
        #expect(PictureNames(tags: [tag]).networks == ["commons"])
    }

    @Test(
        "what leads elsewhere, or could ask for more than a page, names nothing",
        arguments: [
            "image=https://example.org/picture.jpg", "image=https://upload.wikimedia.org/wikipedia/en/a/ab/Logo.png",
            "image=https://upload.wikimedia.org.evil.example/wikipedia/commons/a/ab/X.jpg", "image=File:",
            "image=File:_",
            "wikimedia_commons=File:A|B.jpg", "wikimedia_commons=File:A%7CB#x", "wikimedia_commons=User:Ann",
            "image=file:///etc/passwd", "image=http://127.0.0.1/File:X.jpg", "wikidata=Q", "wikidata=Q42&x=1",
            "wikidata=P18", "panoramax=../../x", "mapillary=123", "website=File:X.jpg", "image", "=", "",
            "image=File:\u{1}.jpg",
        ])
    func nothing(tag: String) {
        #expect(PictureNames(tags: [tag]) == PictureNames(tags: []))
    }

    @Test("several, separated by semicolons, each once and not too many")
    func several() {
        let many = (1...200).map { "File:\($0).jpg" }.joined(separator: ";")
        let uuid = "aaaaaaaa-0000-4000-8000-000000000001"
        let names = PictureNames(tags: [
            "wikimedia_commons=Category:Old bridge; File:A.jpg;File:a.jpg;Category:B;Category:C", "image=\(many)",
            "wikidata=Q42;Q43", "panoramax=\(uuid);\(uuid)",
        ])
        #expect(names.files.first == "File:A.jpg" && names.files.count == 24)
        #expect(names.categories == ["Category:Old bridge", "Category:B"])
        #expect(names.items == ["Q42"] && names.panoramax == [uuid])
        #expect(names.networks == ["commons", "panoramax"])
    }
}
