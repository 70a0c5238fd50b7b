import FeatureFiles
import Geo
import PinFiles
import TestTools
import Testing

@Suite("P52 what is written to a file is read again without a loss")
struct RoundTripTests {
    private static let texts = [
        "Plain", "Tabs\tand\nlines\r\nand  two blanks", "<b>&amp;</b> \"quoted\" 'so' ]]>", "ä 漢字 \u{1F30D} e\u{301}",
        "<script>alert(1)</script>", "&lt;&#65;", "{\"a\":[1,2]}", "- a\n  - b\n\n\n\nc", "\u{feff}mark\u{200b}",
    ]

    private static func pins() throws -> [PinRecord] {
        try texts.enumerated().map { index, text in
            var pin = PinRecord(
                position: try Coordinate(
                    latitudeE7: Int32(index * 99_999_999), longitudeE7: -1_799_999_999 + Int32(index)))
            pin.id = "0190163d-8694-739b-aea5-966c26f8ad9\(index)"
            pin.name = text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\t", with: " ")
            pin.isNamed = index != 3
            pin.note = text
            pin.visitedDay = index.isMultiple(of: 2) ? "2024-02-29" : ""
            pin.radiusMetres = [50, 1000, 20_000, 123.456][index % 4]
            pin.createdMilliseconds = [0, 1_720_000_000_123, 1_720_000_000_000][index % 3]
            if index.isMultiple(of: 3) {
                pin.lists = [
                    FeatureList(name: "Cafés & <b>\"bars\"</b>", colour: "green"), FeatureList(name: "漢字 '2'"),
                ]
            }
            return pin
        }
    }

    @Test("through each format, with every character", arguments: PinFormat.allCases)
    func roundTrip(format: PinFormat) throws {
        let pins = try Self.pins()
        var writer = PinFileWriter(format)
        let bytes =
            writer.begin() + writer.add(Array(pins.prefix(3))) + writer.add(Array(pins.dropFirst(3))) + writer.end()
        let read = try PinText(bytes: bytes)
        #expect(read.bad.isEmpty && read.lineCount == 0)
        for (pin, again) in zip(pins, read.pins) { #expect(pin == again) }
        #expect(read.pins.count == pins.count)
    }

    @Test("a sign ends nothing, whatever it is joined with", arguments: Joiner.all)
    func joined(joiner: Joiner) throws {
        var pin = PinRecord(position: try Coordinate(latitude: 60, longitude: 25))
        let text = joiner.through("</name><b a=\"'>&amp;]]>")
        (pin.name, pin.note) = ("x" + text + "x", "x" + text + "x")
        pin.lists = [FeatureList(name: "x" + text + "x")]
        for format in PinFormat.allCases {
            var writer = PinFileWriter(format)
            let read = try PinText(bytes: writer.begin() + writer.add([pin]) + writer.end())
            #expect(read.pins.map(\.note) == [pin.note] && read.bad.isEmpty, "\(format)")
        }
    }

    @Test("what XML can't hold becomes a sign that says so", arguments: [PinFormat.gpx, .kml])
    func impossible(format: PinFormat) throws {
        var pin = PinRecord(position: try Coordinate(latitude: 60, longitude: 25))
        (pin.name, pin.note) = ("a\u{ffff}b", "\u{fffe}")
        var writer = PinFileWriter(format)
        let read = try PinText(bytes: writer.begin() + writer.add([pin]) + writer.end())
        #expect(read.pins.map(\.name) == ["a\u{fffd}b"] && read.pins.map(\.note) == ["\u{fffd}"])
    }
}
