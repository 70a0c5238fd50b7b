import FoundationEssentials
import Glibc
import VectorTiles

/// Makes the archive of the world's lines, for script/data: outlines of countries and lakes in, tiles out.
@main
struct Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return fail("usage: WorldMap OUTLINES.geojson TILES.pmtiles") }
        do {
            let outlines = try JSONDecoder().decode(
                WorldOutlines.self, from: Data(contentsOf: URL(filePath: arguments[1])))
            try WorldMap(outlines).write(to: arguments[2])
        } catch {
            fail("WorldMap: \(error)")
        }
    }

    private static func fail(_ sentence: String) {
        var text = Array("\(sentence)\n".utf8)
        _ = unsafe write(STDERR_FILENO, &text, text.count)
        exit(1)
    }
}
