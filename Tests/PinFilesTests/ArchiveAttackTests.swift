import FeatureFiles
import PinFiles
import TestTools
import Testing

@Suite("P52 archives that are made to harm", .timeLimit(.minutes(5)))
struct ArchiveAttackTests {
    private static let kml = Array(
        "<kml><Placemark><name>A</name><Point><coordinates>1,1</coordinates></Point></Placemark></kml>".utf8)

    @Test("a KMZ and the saved places of Takeout are read; what is about other things is passed over")
    func takeout() throws {
        let saved =
            #"{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[24.9,60.1],"type":"Point"},"properties":{"location":{"name":"B"},"google_maps_url":"http://maps.google.com/?cid=1"},"type":"Feature"}]}"#
        let read = try PinText(
            bytes: ZipMaker.archive([
                ("Takeout/Maps (your places)/Saved Places.json", Array(saved.utf8)),
                (
                    "Takeout/Saved/Want to go.csv",
                    Array("Title,Note,URL,Comment\nC,,\"https://www.google.com/maps/search/60.1,24.9\",\n".utf8)
                ),
                ("Takeout/My Activity/x.json", Array("[{\"title\":\"x\"}]".utf8)),
                ("Takeout/other.csv", Array("a,b\n1,2\n".utf8)),
                ("Takeout/page.html", Array("<html>".utf8)), ("Takeout/doc.kml", Self.kml),
                ("Takeout/inner.zip", [1, 2, 3]),
            ]))
        #expect(read.pins.map(\.name) == ["B", "C", "A"] && read.bad.isEmpty)
        #expect(read.pins.map { $0.lists.map(\.name) } == [[], ["Want to go"], []])
    }

    @Test(
        "names that lead out of the archive are refused",
        arguments: ["../../x.kml", "/etc/x.kml", "a/../../x.kml", "..\\x.kml"])
    func slip(name: String) throws {
        #expect(try PinText.refusal(ZipMaker.archive([(name, Self.kml)])).contains("leads out of it"))
    }

    @Test("an archive in an archive is not opened")
    func nested() throws {
        let inner = ZipMaker.archive([("doc.kml", Self.kml)])
        #expect(
            try PinText.refusal(ZipMaker.archive([("0.zip", inner)])).contains("no file with pins"))
        let named = try PinText(bytes: ZipMaker.archive([("1.kmz", inner)]))
        #expect(named.pins.isEmpty && named.firstReason.hasPrefix("it is an archive in an archive"))
    }

    @Test("one that unpacks to too much is refused, whatever it says, also all files together")
    func bomb() throws {
        var limits = PinFileLimits()
        limits.unpackedBytes = 1 << 20
        let blanks = Array("<kml>".utf8) + [UInt8](repeating: 0x20, count: 2 << 20) + Array("</kml>".utf8)
        let saysIt = ZipMaker.archive([("doc.kml", blanks)])
        #expect(try PinText.refusal(saysIt, limits: limits).contains("unpacks to more than 1048576 bytes"))
        let lies = ZipMaker.archive([("doc.kml", blanks)], saying: 100)
        #expect(try !PinText.refusal(lies, limits: limits).isEmpty)
        let half = Array("<kml>".utf8) + [UInt8](repeating: 0x20, count: 600 << 10) + Array("</kml>".utf8)
        let both = ZipMaker.archive([("a.kml", half), ("b.kml", half)])
        #expect(try PinText.refusal(both, limits: limits).contains("unpacks to more than"))
        // Ten gigabytes, as it says.
        #expect(try !PinText.refusal(ZipMaker.archive([("doc.kml", Self.kml)], saying: 0xffff_fff0)).isEmpty)
    }

    @Test("one with too many files is refused before its list is read")
    func many() throws {
        var limits = PinFileLimits()
        limits.archiveFiles = 100
        let many = ZipMaker.archive((0..<101).map { ("\($0).kml", Self.kml) })
        #expect(try PinText.refusal(many, limits: limits) == "the archive has more than 100 files, which is the limit")
        let marks = Array("PK\u{3}\u{4}".utf8) + [UInt8](repeatingPattern: Array("PK\u{1}\u{2}".utf8), count: 1_000_000)
        #expect(try PinText.refusal(marks).contains("more than 20000 files"))
    }

    @Test("cut off anywhere, or with any byte changed: an error or pins, nothing else")
    func broken() throws {
        let whole = ZipMaker.archive([("doc.kml", Self.kml)])
        for end in stride(from: 4, to: whole.count, by: 3) {
            #expect(try !PinText.refusal(Array(whole[..<end])).isEmpty, "\(end)")
        }
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0xff
            _ = try PinText.refusal(bytes)
        }
        let broken = try PinText(
            bytes: ZipMaker.archive([("x/doc.kml", Array("<kml><Placemark>".utf8)), ("y.kml", Self.kml)]))
        #expect(!broken.pins.isEmpty && broken.bad.map(\.fileName) == ["x/doc.kml"])
        #expect(broken.firstReason == "line 1: the file ends too early; placemark 1 is left out")
    }
}

extension [UInt8] {
    init(repeatingPattern pattern: [UInt8], count: Int) { self = (0..<count).flatMap { _ in pattern } }
}
