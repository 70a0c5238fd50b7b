import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("P52 what can't be read of XML costs its part")
struct MendedMarkupTests {
    private static func gpx(_ inner: String) -> String { "<gpx>\n\(inner)\n</gpx>" }
    private static func wpt(_ name: String) -> String { "<wpt lat=\"1\" lon=\"2\"><name>\(name)</name></wpt>" }

    @Test("an ampersand is one, a name of a letter that letter, in texts, attributes and literal sections")
    func ampersands() throws {
        let read = try PinText(
            Self.gpx(
                Self.wpt("Fish & Chips &amp; more &eacute;&nbsp;&#233;&#xE9; &unknown; A&B; &") + "\n"
                    + Self.wpt("<![CDATA[R&D &amp; &eacute;]]> & co")
                    + "<wpt lat=\"1\" lon=\"2\"><name>L</name><link href=\"https://example.org/?a=1&b=2&copy=3\"/></wpt>"
            ))
        #expect(
            read.pins.map(\.name) == [
                "Fish & Chips & more é\u{a0}éé &unknown; A&B; &", "R&D &amp; &eacute; & co", "L",
            ])
        #expect(read.pins.last?.note == "https://example.org/?a=1&b=2&copy=3" && read.bad.isEmpty)
    }

    @Test("characters that XML has not are left out, and the first one is named with its place")
    func characters() throws {
        let read = try PinText(
            bytes: Array(Self.gpx(Self.wpt("a") + "\n" + Self.wpt("b\u{b}c&#1;d&#xFFFF;e\u{fffe}f&#xD800;")).utf8))
        #expect(read.pins.map(\.name) == ["a", "bcdef"])
        #expect(
            read.firstReason
                == "line 3, column 29: the byte 11 is no character of XML; it and 4 others were passed over")
        let zero = try PinText(
            bytes: Array("<gpx><wpt lat=\"1\" lon=\"2\"><name>a".utf8) + [0] + Array("b</name></wpt></gpx>".utf8))
        #expect(zero.pins.map(\.name) == ["ab"])
    }

    @Test("prefixes that are declared nowhere mean nothing, and ours is ours whatever it is called")
    func prefixes() throws {
        let read = try PinText(
            """
            <k:kml><k:Document><k:Folder><k:name>L</k:name><k:Placemark><k:name>A</k:name>
            <x:y><z:name>no</z:name></x:y><k:Point><k:coordinates>2,1</k:coordinates></k:Point>
            <k:ExtendedData xmlns:w="urn:waymark:pins:1"><w:pin visited="2026-05-04"/></k:ExtendedData>
            <waymark:pin visited="1999-01-01"/></k:Placemark></k:Folder></k:Document></k:kml>
            """)
        #expect(read.pins.map(\.name) == ["A"] && read.pins.map(\.visitedDay) == ["2026-05-04"] && read.bad.isEmpty)
    }

    @Test(
        "tags that do not fit, attributes without quotes, a bare \"<\": only their place is lost, with its line",
        arguments: [
            "<wpt lat=\"1\" lon=\"2\"><name>X</desc></wpt>", "<wpt lat=\"1\" lon=2><name>X</name></wpt>",
            "<wpt lat=\"1\" lon=\"2\"><name>a<b</name></wpt>", "<wpt lat=\"1\" lat=\"1\" lon=\"2\"/>",
            "<wpt lat=\"1\" lon=\"2\"><name>X</wpt>",
        ])
    func broken(part: String) throws {
        let read = try PinText(Self.gpx("\(Self.wpt("A"))\n\(part)\n\n\(Self.wpt("B"))\n\(part)\n\(Self.wpt("C"))"))
        #expect(read.pins.map(\.name) == ["A", "B", "C"])
        #expect(read.reasons.map { String($0.prefix(7)) } == ["line 3,", "line 6,"])
    }

    @Test("a broken placemark in folders: those behind it are still in their list")
    func folders() throws {
        func mark(_ name: String) -> String {
            "<Placemark><name>\(name)</name><Point><coordinates>2,1</coordinates></Point></Placemark>"
        }
        let read = try PinText(
            "<kml><Document><Folder><name>One</name>\(mark("A"))<Placemark><name>X</nam></Placemark>\(mark("B"))</Folder>"
                + "<Folder><name>Two</name>\(mark("C"))</Folder>\(mark("D"))</Document></kml>")
        #expect(read.pins.map(\.name) == ["A", "B", "C", "D"])
        #expect(read.pins.map { $0.lists.map(\.name) } == [["One"], ["One"], ["Two"], []])
        #expect(read.firstReason.hasSuffix("placemark 2 is left out"))
    }

    @Test("two files in one, text behind the end, a file that ends too early")
    func ends() throws {
        let two = try PinText(Self.gpx(Self.wpt("A")) + Self.gpx(Self.wpt("B") + Self.wpt("C")))
        #expect(two.pins.map(\.name) == ["A", "B", "C"] && !two.bad.isEmpty)
        let behind = try PinText(Self.gpx(Self.wpt("A")) + "bye")
        #expect(behind.pins.map(\.name) == ["A"] && behind.bad.count == 1)
        let early = try PinText("<gpx>\n\(Self.wpt("A"))\n<wpt lat=\"1\" lon=\"2\"><name>B</name>")
        #expect(early.pins.map(\.name) == ["A"])
        #expect(early.firstReason == "line 3: the file ends too early; the waypoint \"B\" is left out")
    }

    @Test("a file that is broken everywhere ends in bounded time")
    func everywhere() throws {
        let many = String(repeating: "<wpt lat=1><wpt ", count: 200_000)
        #expect(try PinText.refusal(Array("<gpx>\(many)</gpx>".utf8)).hasPrefix("more than 1000 parts of it"))
        let none = String(repeating: "<x a=1>", count: 500_000)
        #expect(try PinText("<gpx>\(Self.wpt("A"))\(none)</gpx>").pins.map(\.name) == ["A"])
    }
}
