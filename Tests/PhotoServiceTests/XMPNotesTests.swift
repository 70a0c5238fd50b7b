import Geo
import PictureCalls
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P26 What programs wrote as XMP")
struct XMPNotesTests {
    /// A packet with one description.
    static func packet(_ attributes: String, _ elements: String = "") -> String {
        """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)>
        \(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
        <?xpacket end="w"?>
        """
    }

    static let helsinki = packet(#"exif:GPSLatitude="60,10.194N" exif:GPSLongitude="24,56.304E""#)

    @Test("is a position in minutes or in seconds, as attributes or as elements")
    func positions() {
        let elements = "<exif:GPSLatitude>33,51,24S</exif:GPSLatitude><exif:GPSLongitude>151,12,36W</exif:GPSLongitude>"
        #expect(isNear(notes(Self.helsinki), 60.1699, 24.9384))
        #expect(isNear(notes(Self.packet("", elements)), -33.856667, -151.21))
    }

    @Test(
        "is no position when it makes no sense",
        arguments: [
            "60,10.194", "61,61N", "91", "91,0N", "0x3cN", "1e1N", "-60,10N", "60,1,1,1N", "inf,0N", "nan,0N", "60,,1N",
            "", "N", "200,0N",
        ])
    func nonsense(latitude: String) {
        let packet = Self.packet(#"exif:GPSLatitude="\#(latitude)" exif:GPSLongitude="24,56.304E""#)
        #expect(notes(packet).position == .failure(.noPosition))
    }

    @Test(
        "R10 is a position in decimal degrees too, with a sign, or with the half in a property of its own",
        arguments: [
            ("60.5", "N", "68", "W", 60.5, -68), ("60.52", "", "-68.02", "", 60.52, -68.02),
            ("-33.5", "S", "-68", "W", -33.5, -68), ("33.5", "S", "68.25", "east", -33.5, 68.25),
            ("60.5n", "", "68.25w", "", 60.5, -68.25), ("60,31.8", "N", "68,1.8", "W", 60.53, -68.03),
            ("60,31,48N", "", "68,1,48W", "", 60.53, -68.03), (" 60,31.8N ", "", "68,1.8W", "E", 60.53, -68.03),
        ] as [(String, String, String, String, Double, Double)])
    func decimals(north: String, n: String, east: String, e: String, latitude: Double, longitude: Double) {
        let elements = [("Latitude", north), ("LatitudeRef", n), ("Longitude", east), ("LongitudeRef", e)].map {
            "<exif:GPS\($0)>\($1)</exif:GPS\($0)>"
        }
        let notes = notes(Self.packet("", elements.joined()))
        #expect(isNear(notes, latitude, longitude), "\(notes.position)")
        let wide = Self.packet("", elements.joined()).replacing(
            "<?xpacket begin=\"\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n", with: "")
        var sixteen = PictureNotes(width: 1, height: 1)
        sixteen.read(sidecar: [0xff, 0xfe] + wide.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        #expect(isNear(sixteen, latitude, longitude))
    }

    @Test("R10 what a person corrected in the file beside a picture wins, and what it does not say stays")
    func corrected() throws {
        var exif = TestExif.inHelsinki()
        exif.picture = [exif.text(0x010e, "SAMSUNG CAMERA PICTURES"), exif.text(0x013b, "Ann")]
        exif.camera = [exif.text(0x9003, "2024:07:11 08:30:00"), exif.text(0x9011, "+09:00")]
        func read(_ attributes: String, _ elements: String = "") throws -> PictureNotes {
            var notes = try PictureReader.notes(of: exif.jpeg())
            notes.read(sidecar: Array(Self.packet(attributes, elements).utf8))
            return notes
        }
        let taken: Int64 = 1_720_686_600_000
        let same = try read(
            "exif:DateTimeOriginal=\"2024-07-11T08:30:00\" exif:GPSLatitude=\"0\" exif:GPSLongitude=\"0\"")
        #expect(isNear(same, 60.1699, 24.9384))
        #expect(same.takenMilliseconds == taken - 540 * 60_000 && same.takenOffsetMinutes == 540)
        #expect(same.author.starts(with: "Ann".utf8) && same.title.starts(with: "SAMSUNG".utf8))
        let moved = try read(
            "exif:GPSLatitude=\"38,43.2N\" exif:GPSLongitude=\"9,8.4W\" exif:DateTimeOriginal=\"2024:07:12 08:30:00\"",
            "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">Lisbon</rdf:li></rdf:Alt></dc:description>")
        #expect(isNear(moved, 38.72, -9.14) && moved.title == Array("Lisbon".utf8))
        #expect(moved.takenMilliseconds == taken + 86_400_000 && moved.takenOffsetMinutes == nil)
        let zoned = try read("photoshop:DateCreated=\"2024-07-11T08:30:00+01:00\"", "<dc:title>A</dc:title>")
        #expect(zoned.takenOffsetMinutes == 60 && zoned.title == Array("A".utf8))
    }

    @Test(
        "R9 says when, and how far the clock was ahead, in every form that programs write",
        arguments: [
            ("2024-07-11T08:30:00+09:00", 540, 1_720_654_200), ("2024-07-11T08:30:00.25Z", 0, 1_720_686_600),
            ("2024-07-11T08:30-07:00", -420, 1_720_711_800), ("2024-07-11T08:30", nil, 1_720_686_600),
            ("2024-07-11", nil, 1_720_656_000), ("2024:07:11 08:30:00.123", nil, 1_720_686_600),
            ("2024-07", nil, nil), ("2024-13-11T08:30:00", nil, nil), ("2024-07-11T8:30", nil, nil),
            ("\u{d4d}2024", nil, nil),
        ] as [(String, Int?, Int64?)])
    func times(text: String, minutes: Int?, seconds: Int64?) {
        let notes = notes(Self.packet("exif:DateTimeOriginal=\"\(text)\""))
        #expect(notes.takenMilliseconds == seconds.map { $0 * 1_000 } && notes.takenOffsetMinutes == minutes)
    }

    @Test("names title, authors and licence, and when it was taken")
    func texts() {
        let lists = """
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Töölö &amp; sea</rdf:li><rdf:li xml:lang="fi">Meri</rdf:li>\
            </rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>A. Person</rdf:li><rdf:li>B. Person</rdf:li></rdf:Seq>\
            </dc:creator><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">CC BY 4.0</rdf:li></rdf:Alt></dc:rights>
            """
        let notes = notes(Self.packet(#"exif:DateTimeOriginal="2024-06-21T14:05:33.25+03:00""#, lists))
        #expect(String(decoding: notes.title, as: UTF8.self) == "Töölö & sea")
        #expect(String(decoding: notes.author, as: UTF8.self) == "A. Person, B. Person")
        #expect(String(decoding: notes.licence, as: UTF8.self) == "CC BY 4.0")
        #expect(notes.takenMilliseconds == 1_718_967_933_000)
        #expect(
            self.notes(Self.packet(#"photoshop:DateCreated="2024-06-21T14:05:33Z""#)).takenMilliseconds
                == 1_718_978_733_000)
    }

    @Test("P28 names tags, of which a photo has those that may be")
    func tags() throws {
        func facts(_ items: [String]) throws -> [String] {
            let bag = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
            var notes = notes(Self.packet("", "<dc:subject><rdf:Bag>\(bag)</rdf:Bag></dc:subject>"))
            notes.position = .success(NotedPosition(latitude: 1, longitude: 2))
            return try PictureFacts(notes).tags
        }
        #expect(try facts(["Töölö", "market &amp; square", " Töölö ", "&#10;"]) == ["Töölö", "market & square"])
        let many = (0..<4_000).map { "<rdf:li>tag \($0)</rdf:li>" }.joined()
        let crowded = "<dc:subject><rdf:Bag>\(many)</rdf:Bag></dc:subject><dc:title>Snow</dc:title>"
        #expect(notes(Self.packet("", crowded)).title == Array("Snow".utf8))
        #expect(try facts((0..<4_000).map { "tag\($0)" }) == (0..<16).map { "tag\($0)" })
        #expect(try facts([String(repeating: "a", count: 65), String(repeating: "é", count: 64)]).count == 1)
        #expect(notes(Self.helsinki).tags.isEmpty)
        #expect(notes(Self.packet(#"dc:subject="one""#)).tags == Array("one".utf8))
    }

    @Test("P28 tags are those of whatever bytes a decoder gives")
    func brokenTags() throws {
        var notes = PictureNotes(width: 1, height: 1)
        notes.position = .success(NotedPosition(latitude: 1, longitude: 2))
        notes.tags = [0, 0, 0xff, 7, 0x61, 0, 0x62, 0, 0xc3]
        #expect(try PictureFacts(notes).tags == ["\u{fffd} a", "b", "\u{fffd}"])
    }

    @Test("changes nothing that the camera noted")
    func camera() throws {
        var picture = TestPicture(exif: .inHelsinki())
        picture.xmp = Self.packet(#"exif:GPSLatitude="1,0N" exif:GPSLongitude="2,0E""#)
        let facts = try PictureFacts(try picture.bytes(.jpeg) { _, _ in (1, 2, 3, 255) })
        #expect(abs(facts.position.latitude - 60.1699) < 1e-6)
    }

    @Test("is read in every kind of picture", arguments: TestPicture.Kind.allCases)
    func kinds(kind: TestPicture.Kind) throws {
        let file = try TestPicture(xmp: Self.helsinki).bytes(kind) { _, _ in (1, 2, 3, 255) }
        let notes = try PictureReader.notes(of: file)
        #expect(isNear(notes, 60.1699, 24.9384), "\(kind): \(notes.position)")
    }

    @Test("is nothing when it declares entities, is too deep, or is no XML")
    func bombs() {
        let laughs = """
            <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\(Self.helsinki.drop { $0 != ">" }.dropFirst())
            """
        let deep = String(repeating: "<a>", count: 10_000) + String(repeating: "</a>", count: 10_000)
        for packet in [laughs, deep, "", "<", "no XML at all", String(Self.helsinki.dropLast(100))] {
            #expect(notes(packet).position == .failure(.noPosition))
        }
    }

    private func notes(_ xmp: String) -> PictureNotes {
        var notes = PictureNotes(width: 1, height: 1)
        notes.read(sidecar: Array(xmp.utf8))
        return notes
    }

    private func isNear(_ notes: PictureNotes, _ latitude: Double, _ longitude: Double) -> Bool {
        guard case .success(let position) = notes.position else { return false }
        return abs(position.latitude - latitude) < 1e-6 && abs(position.longitude - longitude) < 1e-6
    }
}
