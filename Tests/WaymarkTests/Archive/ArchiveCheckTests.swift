import Contracts
import Files
import TestTools
import Testing

@testable import AlbumArchive
@testable import Waymark

@Suite("P25 An archive of an album")
struct ArchiveCheckTests {
    private func problems(of archive: WrittenArchive) -> [ArchiveCheck.Problem] { ArchiveCheck(archive.path).problems }

    @Test("is whole when it was written, and the same album gives the same bytes")
    func whole() throws {
        let (one, two) = (try WrittenArchive(), try WrittenArchive())
        let check = ArchiveCheck(one.path)
        #expect(check.problems.isEmpty && check.manifest == one.manifest)
        #expect(check.manifest?.photos.map(\.tags) == [["market", "Töölö"], nil])
        #expect(check.manifest?.photos.map(\.file.name) == ["pictures/001-market-square.jpg", "pictures/002.jpg"])
        let bytes = try WholeFile.bytes(one.path)
        #expect(try WholeFile.bytes(two.path) == bytes)
    }

    @Test("tells of any flipped bit, and in which file it is when it is in a picture")
    func flipped() throws {
        let archive = try WrittenArchive()
        let bytes = try WholeFile.bytes(archive.path)
        var unnoticed: [Int] = []
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            try DiskFile.replace(archive.path, with: changed)
            if problems(of: archive).isEmpty { unnoticed.append(index) }
        }
        #expect(unnoticed.isEmpty, "of \(bytes.count) bytes")
        let picture = Array("picture 1".utf8)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: picture) })
        var changed = bytes
        changed[start + 4] ^= 2
        try DiskFile.replace(archive.path, with: changed)
        #expect(problems(of: archive).map(\.file) == ["pictures/002.jpg"])
    }

    @Test("tells what is missing, too much, of another size or other bytes")
    func files() throws {
        let name = "pictures/001-market-square.jpg"
        let missing = try WrittenArchive(change: { $0 == name ? nil : $1 })
        #expect(problems(of: missing) == [.init(file: name, problem: "it is missing")])
        let longer = try WrittenArchive(change: { $0 == name ? $1 + [0] : $1 })
        #expect(
            problems(of: longer) == [.init(file: name, problem: "it has 13 bytes, the manifest says 12")])
        let other = try WrittenArchive(change: { $0 == name ? $1.reversed() : $1 })
        #expect(
            problems(of: other) == [
                .init(file: name, problem: "its bytes are not those of the manifest (SHA-256)")
            ])
        let extra = try WrittenArchive(extra: ["../evil.jpg"])
        #expect(problems(of: extra) == [.init(file: "../evil.jpg", problem: "it is not in the manifest")])
        let none = try WrittenArchive(change: { $0 == "manifest.json" ? nil : $1 })
        #expect(problems(of: none).map(\.file) == ["manifest.json"])
        let page = try WrittenArchive(change: { $0 == "index.html" ? nil : $1 })
        #expect(problems(of: page).map(\.file) == ["index.html"])
    }

    @Test("that was cut short anywhere is refused, and so is what is no archive")
    func truncated() throws {
        let archive = try WrittenArchive()
        let bytes = try WholeFile.bytes(archive.path)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            try DiskFile.replace(archive.path, with: Array(bytes.prefix(count)))
            #expect(!problems(of: archive).isEmpty, "\(count) of \(bytes.count) bytes")
        }
        let absent = ArchiveCheck("/nowhere/at/all.zip")
        #expect(
            absent.problems == [
                .init(
                    file: "/nowhere/at/all.zip", problem: "it is no whole ZIP archive: No such file")
            ])
    }

    @Test("whose manifest names files elsewhere, is of another version or makes no sense is refused with the field")
    func manifests() throws {
        for (old, new, words) in [
            ("pictures/002.jpg", "../../002.jpg", "photos[1].file.name"),
            ("pictures/002.jpg", "pictures/../../002.jpg", "photos[1].file.name"),
            ("pictures/002.jpg", "pictures/001-market-square.jpg", "twice"),
            ("index.html", "pictures/x.html", "page.name"),
            ("\"version\" : 1", "\"version\" : 2", "waymark-album 2"),
            ("\"latitude\" : 60.2", "\"latitude\" : 160.2", "photos[1]"),
            ("\"radiusM\" : 500", "\"radiusM\" : 5", "pin.radiusM"),
            ("\"market\"", String(repeating: "\"a\",", count: 15) + "\"a\"", "photos[0].tags"),
            ("\"market\"", "\"\(String(repeating: "a", count: 65))\"", "photos[0].tags"),
            ("https://commons.example", "javascript:alert", "sourceUrl"),
            ("\"byteCount\" : 12", "\"byteCount\" : 99999999999", "byteCount"),
            ("{", "[", "no manifest"),
        ] {
            let archive = try WrittenArchive(rewrite: { $0.replacing(old, with: new) })
            let found = problems(of: archive)
            #expect(found.count == 1 && found[0].file == "manifest.json", "\(new)")
            #expect(found.first?.problem.contains(words) == true, "\(found)")
        }
    }

    @Test("has a page that names author, licence and source of each photo, and whose text ends no element")
    func page() throws {
        let manifest = try WrittenArchive().manifest
        let html = String(
            decoding: AttributionPage.html(subject: manifest.subject, pin: manifest.pin, photos: manifest.photos),
            as: UTF8.self)
        for text in [
            "<title>Railway square</title>", "60.17, 24.94 · 2 photos", "<strong>Market &amp; &lt;Square&gt;</strong>",
            "by Ann &quot;A&quot; · CC BY 4.0 · 2024-07-11 · <a href=\"https://commons.example/7?a=1&amp;b=2\" rel=",
            "<img src=\"pictures/001-market-square.jpg\"", "<strong>Untitled</strong> · upload</figcaption>",
        ] {
            #expect(html.contains(text), "\(text)")
        }
        #expect(!html.contains("<script") && !html.contains("<Square>"))
    }

    @Test("has a page that a title can't add a tag to, whatever its signs are joined with", arguments: Joiner.all)
    func joined(joiner: Joiner) {
        let calm = Self.tags(in: Self.pages(with: "x"))
        #expect(Self.tags(in: Self.pages(with: joiner.through("<script>alert(1)</script>\"'<img/src=x>"))) == calm)
        // Of each page: elements that open and end, and quotes.
        #expect(calm > 40)
    }

    /// Pages of an album and of an account, with a text wherever one from outside may stand.
    private static func pages(with text: String) -> [UInt8] {
        let photo = ArchivedPhoto(
            Photo(id: text, title: text, author: text, licence: text, sourceUrl: "https://a.example/" + text),
            ArchivedFile("pictures/1.jpg", FileNotes([])))
        let leftOut = [LeftOutPhoto(id: text, reason: text)]
        let pin = ArchivedPin(name: text, latitude: 0, longitude: 0, radiusM: 1)
        var account = AccountPage()
        account.account = Account(firstName: text)
        (account.photos, account.leftOut, account.files) = ([photo], leftOut, [(text, text)])
        account.add([Pin(name: text)])
        return AttributionPage.html(subject: text, pin: pin, photos: [photo], leftOut: leftOut) + account.html
    }

    private static func tags(in page: [UInt8]) -> Int { page.count { "<>\"'".utf8.contains($0) } }

    @Test("has pages that run nothing, whatever should stand in them")
    func policy() {
        let pages = String(decoding: Self.pages(with: "x"), as: UTF8.self)
        let policies = pages.matches(of: /<meta http-equiv="Content-Security-Policy" content="default-src 'none';/)
        #expect(policies.count == 2)
        // Nothing that it holds for stands before it.
        #expect(!(policies.first.map { pages[..<$0.range.lowerBound] } ?? pages[...]).contains("<style"))
    }

    @Test("names the photos that it has no picture of, in its manifest and on its page")
    func leftOut() throws {
        let archive = try WrittenArchive(leftOut: [Photo(id: "flickr/<9>")])
        let check = ArchiveCheck(archive.path)
        #expect(check.problems.isEmpty && check.manifest == archive.manifest)
        #expect(check.manifest?.leftOut == [LeftOutPhoto(id: "flickr/<9>", reason: "it may not be shown")])
        let page = String(decoding: try ArchiveCheck.bytes(of: archive.manifest.page, in: archive.path), as: UTF8.self)
        #expect(page.contains("<h2>Not in this archive</h2>\n<ul>\n<li>flickr/&lt;9&gt;: it may not be shown</li>"))
        #expect(try WrittenArchive().manifest.leftOut == nil)
    }

    @Test("names pictures after what they are, by their first bytes")
    func kinds() {
        for (bytes, ending) in [
            ([0xff, 0xd8, 0xff, 0xe0], "jpg"), ([0x89] + Array("PNG\r\n".utf8), "png"),
            (Array("GIF89a".utf8), "gif"), (Array("RIFF1234WEBPVP8".utf8), "webp"), (Array("II*\0".utf8), "tif"),
            (Array("MM\0*".utf8), "tif"), (Array("\0\0\0 ftypavif".utf8), "avif"),
            (Array("\0\0\0 ftypheic".utf8), "heic"), ([], "bin"), ([1, 2], "bin"),
        ] as [([UInt8], String)] {
            #expect(FileEnding.ending(of: bytes) == ending)
        }
    }
}
