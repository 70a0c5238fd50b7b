import FeatureFiles
import PinFiles
import TestTools
import Testing

/// Each is refused with a sentence, in bounded time and memory; none opens another file or asks a server.
@Suite("P52 files that are made to harm", .timeLimit(.minutes(5)))
struct AttackFileTests {
    @Test("a folder with a name of megabytes gives its beginning to its pins, in folders in folders too")
    func longFolder() throws {
        let name = String(repeating: "x", count: 2 << 20)
        let mark = "<Placemark><name>A</name><Point><coordinates>1,1</coordinates></Point></Placemark>"
        let open = String(repeating: "<Folder><name>\(name)</name>", count: 20)
        let close = String(repeating: "</Folder>", count: 20)
        let read = try PinText("<kml><Document>\(open)\(mark)\(close)</Document></kml>")
        #expect(read.pins.map { $0.lists.map(\.name) } == [[String(repeating: "x", count: 1_000)]])
    }

    @Test("a description of links without end, and breaks within names of megabytes, take no more time than others")
    func slowOnes() throws {
        let links = String(repeating: "<a href=http://x>y ", count: 12_000)
        let html =
            "<kml><Placemark><description><![CDATA[\(links)]]></description><Point><coordinates>1,1</coordinates></Point></Placemark></kml>"
        #expect(try PinText(html).pins.count == 1)
        let names = (0..<20).map { String(repeating: Character(Unicode.Scalar(UInt8(97 + $0))), count: 900_000) }
        let broken = String(repeating: "<Placemark a=1></Placemark>", count: 500)
        let read = try PinText("<kml>" + names.map { "<\($0)>" }.joined() + broken + "</kml>")
        #expect(read.pins.isEmpty && read.bad.count >= 500)
    }

    private static func gpx(_ inner: String) -> [UInt8] { Array("<gpx>\(inner)</gpx>".utf8) }

    @Test("entities: a billion laughs, a quadratic one, files and servers outside")
    func entities() throws {
        let bombs = [
            "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]><gpx><wpt lat=\"1\" lon=\"1\"><name>&b;</name></wpt></gpx>",
            "<!DOCTYPE kml [<!ENTITY a \"\(String(repeating: "x", count: 100_000))\">]><kml>\(String(repeating: "&a;", count: 10_000))</kml>",
            "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gpx><wpt lat=\"1\" lon=\"1\"><name>&x;</name></wpt></gpx>",
            "<!DOCTYPE gpx SYSTEM \"http://127.0.0.1:9/x.dtd\"><gpx/>",
            "<!DOCTYPE gpx [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/x\">%p;]><gpx/>",
        ]
        for bomb in bombs {
            #expect(try PinText.refusal(Array(bomb.utf8)).contains("document type"), "\(bomb.prefix(60))")
        }
        // One that is declared nowhere stands for itself.
        let unknown = try PinText(bytes: Self.gpx("<wpt lat=\"1\" lon=\"1\"><name>&x; &lol9;</name></wpt>"))
        #expect(unknown.pins.map(\.name) == ["&x; &lol9;"])
    }

    @Test("texts without an end, levels without an end, and a name of 10 MB")
    func large() throws {
        let long = String(repeating: "x", count: 10 << 20)
        #expect(
            try PinText.refusal(Self.gpx("<wpt lat=\"1\" lon=\"1\"><name>\(long)</name></wpt>")).contains(
                "a text in it has more than"))
        #expect(try PinText.refusal(Self.gpx("<wpt lat=\"\(long)\"/>")).contains("a single tag of more than"))
        #expect(try PinText.refusal(Self.gpx(String(repeating: "<a>", count: 100_000))).contains("more than 64 levels"))
        let json = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"name":""#
        #expect(try PinText.refusal(Array("\(json)\(long)\"}}".utf8)).contains("a single value of more than"))
        let deep = #"{"type":"Feature","properties":"# + String(repeating: #"{"a":"#, count: 1_000)
        #expect(try PinText.refusal(Array(deep.utf8)).contains("more than 64 levels"))
        let table = try PinText("name,lat,lon\n\(long),1,1\nA,1,1\n")
        #expect(table.pins.map(\.name) == ["A"] && table.firstReason.contains("longer than"))
    }

    @Test("a file that is cut off at any byte is refused, or gives what was whole and says that it was cut off")
    func cut() throws {
        let whole: [[UInt8]] = [
            Self.gpx("<wpt lat=\"1\" lon=\"1\"><name>A</name></wpt><wpt lat=\"2\" lon=\"1\"><name>B</name></wpt>"),
            Array(
                #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"name":"A"}},{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"B"}}]}"#
                    .utf8),
        ]
        for file in whole {
            let all = try PinText(bytes: file).pins
            for end in 1..<file.count {
                guard try PinText.refusal(Array(file[..<end])).isEmpty else { continue }
                let read = try PinText(bytes: Array(file[..<end]))
                #expect(read.pins == Array(all.prefix(read.pins.count)) && !read.bad.isEmpty, "\(end)")
            }
        }
        #expect(try PinText.refusal([]) == "it is empty")
    }

    @Test("positions: out of range, no numbers, and infinite ones")
    func positions() throws {
        let values = ["91", "-90.1", "NaN", "inf", "1e999", "", "abc", "1,5", "0x10", "--1"]
        let points = values.map { "<wpt lat=\"\($0)\" lon=\"1\"/><wpt lat=\"1\" lon=\"18\($0)0\"/>" }.joined()
        let read = try PinText(bytes: Self.gpx(points))
        #expect(read.pins.count <= 3 && read.bad.count >= 17)
        let json = try PinText(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[361,1]}},{"type":"Feature","geometry":{"type":"Point","coordinates":[1e400,1]}},{"type":"Feature","geometry":{"type":"Point","coordinates":["x",2]}},{"type":"Feature","geometry":{"type":"Point","coordinates":[1]}}]}"#
        )
        #expect(json.pins.isEmpty && json.bad.count == 4)
    }

    @Test("positions with decimal commas or glued to the next one are doubted with their line, and the others stay")
    func glued() throws {
        func placemark(_ name: String, _ coordinates: String) -> String {
            "<Placemark><name>\(name)</name><Point>\n<coordinates>\(coordinates)</coordinates></Point></Placemark>\n"
        }
        let wrong = [
            "24,9384,60,1699", "24,9384,60,1699,0", "24.9,60.1,0,25.0", "24.9,60.1,x", "24.9,60.1,025.0,60.2,0",
        ]
        let kml =
            "<kml>\n" + placemark("A", "24.9384,60.1699,0") + wrong.map { placemark("B", $0) }.joined()
            + placemark("C", "\n24.9384,60.1699,\n") + "</kml>"
        let read = try PinText(kml)
        #expect(read.pins.map(\.name) == ["A", "C"])
        #expect(read.bad.count == wrong.count)
        #expect(read.firstReason == "line 5: its position is \"24,9384,60,1699\", degrees east and north are needed")
        let json = try PinText(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[24,9384,60,1699]}},{"type":"Feature","geometry":{"type":"Point","coordinates":[24,93,60,16]}},{"type":"Feature","geometry":{"type":"Point","coordinates":[24.9,60.1,5,0]}}]}"#
        )
        #expect(json.pins.count == 1 && json.bad.count == 2)
    }

    @Test("random bytes, and good files with bytes changed: an error or pins, nothing else")
    func random() throws {
        var random = SeededGenerator(seed: 7)
        let good = Self.gpx("<wpt lat=\"1\" lon=\"1\"><name>A &amp; B</name><desc>x</desc></wpt>")
        for _ in 0..<2_000 {
            var bytes =
                Bool.random(using: &random) ? good : (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try PinText.refusal(bytes)
        }
    }

    @Test("HTML and scripts in names and notes are text")
    func scripts() throws {
        let read = try PinText(
            """
            <kml><Placemark><name>&lt;script&gt;alert(1)&lt;/script&gt;</name>
            <description><![CDATA[<p onclick="x()">One<br/>two &amp; &#x1F30D; &#0; &bogus; <style>p{}</style><a href="javascript:x">link</a></p><!-- <b> --> 1 < 2]]></description>
            <Point><coordinates>1,1</coordinates></Point></Placemark></kml>
            """)
        #expect(read.pins.map(\.name) == ["<script>alert(1)</script>"])
        #expect(read.pins.first?.note.hasPrefix("One\ntwo & \u{1F30D}") ?? false)
        #expect(read.pins.first?.note.hasSuffix("link\n1 < 2") ?? false)
        #expect(!(read.pins.first?.note.contains("p{}") ?? true))
    }
}
