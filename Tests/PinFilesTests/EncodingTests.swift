import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("P52 a file is read in the encoding that it is in, whatever it says")
struct EncodingTests {
    private static let text =
        "<?xml version=\"1.0\"?><gpx><wpt lat=\"1\" lon=\"2\"><name>Löyly 東京</name></wpt></gpx>"

    private static func wide(_ text: String, littleEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? "\u{feff}" : "") + text).utf16.flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xff)]
            return littleEndian ? Array(bytes.reversed()) : bytes
        }
    }

    @Test("UTF-16 and UTF-32, with a mark and without: XML, JSON and tables")
    func wide() throws {
        let json =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"name":"Löyly 東京"}}"#
        for text in [Self.text, json, "name\tlat\tlon\nLöyly 東京\t1\t2\n"] {
            for (isLittle, hasMark) in [(true, true), (false, true), (true, false), (false, false)] {
                let read = try PinText(bytes: Self.wide(text, littleEndian: isLittle, mark: hasMark))
                #expect(read.pins.map(\.name) == ["Löyly 東京"] && read.bad.isEmpty, "\(isLittle) \(hasMark)")
            }
            let words = Array(text.unicodeScalars).flatMap { scalar -> [UInt8] in
                (0..<4).map { UInt8(scalar.value >> ($0 * 8) & 0xff) }
            }
            #expect(try PinText(bytes: [0xff, 0xfe, 0, 0] + words).pins.map(\.name) == ["Löyly 東京"])
        }
    }

    @Test(
        "what XML declares",
        arguments: [("ISO-8859-1", [0xf6]), ("windows-1251", [0xe6]), ("Shift_JIS", [0x93, 0x8c])])
    func declared(name: String, bytes: [UInt8]) throws {
        let read = try PinText(
            bytes: Array("<?xml version='1.0' encoding='\(name)'?><gpx><wpt lat='1' lon='2'><name>".utf8) + bytes
                + Array("</name></wpt></gpx>".utf8))
        let letter = ["ISO-8859-1": "ö", "windows-1251": "ж", "Shift_JIS": "東"][name]
        #expect(read.pins.map(\.name) == [letter] && read.bad.isEmpty)
    }

    @Test(
        "an encoding that it is not in, or that there is not, is not believed",
        arguments: ["UTF-16", "klingon", "utf8"])
    func lying(name: String) throws {
        let read = try PinText(
            "<?xml version=\"1.0\" encoding=\"\(name)\"?><gpx><wpt lat=\"1\" lon=\"2\"><name>ö</name></wpt></gpx>")
        #expect(read.pins.map(\.name) == ["ö"])
    }

    @Test("bytes that are no UTF-8 are letters of Windows-1252, and it says so")
    func old() throws {
        let table = try PinText(
            bytes: Array("name,lat,lon\nA,1,2\nCaf".utf8) + [0xe9, 0x20, 0x80] + Array(",60.1,24.9\nB ö,3,4\n".utf8))
        #expect(table.pins.map(\.name) == ["A", "Café €", "B ö"])
        #expect(table.firstReason == "2 bytes of it are not in UTF-8 and read as Windows-1252")
        let markup = try PinText(
            bytes: Array("<gpx><wpt lat=\"1\" lon=\"2\"><name>".utf8) + [0xf6] + Array("</name></wpt></gpx>".utf8))
        #expect(markup.pins.map(\.name) == ["ö"] && markup.bad.count == 1)
    }

    @Test("bytes that are no letters of an encoding are replaced and counted, also where the file ends in one")
    func broken() throws {
        let text = "name\tlat\tlon\nA\t1\t2\n"
        let half = try PinText(bytes: Self.wide(text, littleEndian: true, mark: true) + [0x41])
        #expect(half.pins.map(\.name) == ["A"])
        #expect(half.reasons.last == "a byte of it is not in UTF-16LE, which it says it is in, and replaced")
        // A half of a pair without the other.
        let lone = try PinText(
            bytes: Self.wide("name\tlat\tlon\n", littleEndian: true, mark: true) + [0x00, 0xd8]
                + Self.wide("B\t1\t2\n", littleEndian: true, mark: false))
        #expect(lone.pins.map(\.name) == ["\u{fffd}B"] && lone.bad.count == 1)
        let wrong = Array("<?xml version='1.0' encoding='Shift_JIS'?><gpx><wpt lat='1' lon='2'><name>A".utf8)
        let read = try PinText(bytes: wrong + [0xfd, 0xff] + Array("B</name></wpt></gpx>".utf8))
        #expect(read.pins.map(\.name) == ["A\u{fffd}\u{fffd}B"] && read.bad.count == 1)
        // Four bytes as UTF-16 has them, and nothing that it could be.
        let zeros: [UInt8] = [0x3c, 0, 0, 0] + [UInt8](repeating: 0, count: 193) + Array("<?xm".utf8)
        #expect(try !PinText.refusal(zeros).isEmpty)
    }

    @Test("a letter is whole wherever a piece of the file ends")
    func pieces() throws {
        // Longer than any piece that is read at once, with letters of two, three and four bytes at every offset.
        for shift in 0..<4 {
            let name = String(repeating: "x", count: shift) + String(repeating: "ö東😀", count: 8_000)
            let note = try PinText(
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"note":"\#(name)"}}"#
            ).pins.first?.note
            let wide = try PinText(
                bytes: Self.wide("name\tlat\tlon\tnote\nA\t1\t2\t\(name)\n", littleEndian: true, mark: true))
            #expect(wide.pins.first?.note == name && wide.bad.isEmpty)
            #expect(note == nil || note == name)
        }
    }
}
