import Geo
import PictureCalls
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P22, P26 The bundled postcards")
struct PicturePostcardTests {
    private static let folder = PictureFolder(
        #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Data/postcards")
    static let paths: [String] = {
        var paths: [String] = []
        _ = try? folder.walk { paths.append($0.path) }
        return paths
    }()

    @Test("are all found")
    func found() {
        #expect(Self.paths.count >= 40)
        #expect(Self.paths == Self.paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(Self.paths.allSatisfy { $0.hasSuffix(".jpg") && $0.contains("/") })
    }

    @Test("say where, when and by whom; one becomes a small picture that tells nothing private", arguments: paths)
    func postcard(path: String) throws {
        let facts = try Self.folder.facts(path)
        #expect(facts.title.hasSuffix("(Waymark sample postcard)"))
        #expect(facts.author == "Waymark samples")
        #expect(facts.licence == "CC0-1.0")
        #expect(facts.takenMilliseconds != nil)
        let made = try PictureMaker.make(
            from: try Self.folder.read(path).bytes, longestSide: 320, quality: 80)
        #expect(max(made.width, made.height) == 320)
        #expect((made.width > made.height) == (facts.width > facts.height))
        #expect(made.bytes.count < 40_000)
        let text = String(decoding: made.bytes, as: UTF8.self)
        for secret in ["SAMPLE-PRIVATE", "Exif", "Waymark"] { #expect(!text.contains(secret)) }
    }

    @Test("of the centre of Helsinki were taken there")
    func helsinki() throws {
        let centre = try Coordinate(latitude: 60.1699, longitude: 24.9384)
        let near = Self.paths.filter { $0.hasPrefix("helsinki/") || $0.hasPrefix("esplanadi/") }
        #expect(!near.isEmpty)
        for path in near { #expect(try Self.folder.facts(path).position.metres(to: centre) < 5_000) }
    }
}
