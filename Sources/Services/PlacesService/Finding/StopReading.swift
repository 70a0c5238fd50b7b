import Bytes

/// A text that asks for the stops of a line: "U2 station", "Bahnhof S1", "line 9 stop".
struct StopReading {
    /// Kinds of places where lines stop.
    private static let stops: Set<[UInt8]> = Set(
        [
            "railway/station", "railway/halt", "railway/tram_stop", "railway/subway_entrance", "railway/platform",
            "public_transport/station", "public_transport/platform", "public_transport/stop_position",
            "highway/bus_stop", "amenity/bus_station",
        ].map { Array($0.utf8) })
    /// Folded words for lines and stops that are no words for kinds.
    private static let words: Set<[UInt8]> = Set(
        [
            "line", "linie", "ligne", "linea", "linja", "linjan", "linjen", "linje", "lijn", "linha", "linia", "bus",
            "tram", "metro", "subway", "underground", "tube", "train", "stop", "stops", "station", "stations",
            "bahnhof", "haltestelle", "halt", "gare", "arret", "estacion", "parada", "asema", "pysakki", "fermata",
            "stazione", "hallplats", "estacao", "przystanek", "u-bahn", "s-bahn", "ubahn", "sbahn",
        ].map { Array($0.utf8) })
    private static let longestLine = 4

    /// As `LineKey` has it.
    let line: [UInt8]

    /// Nil for a text that has no word for a stop or a line, or no line.
    init?(_ text: QueryWords, _ kinds: KindTable) {
        guard (2...5).contains(text.count) else { return nil }
        let all = text.words.map { text.folded[$0] }
        let rest = all.filter { !Self.isStop($0, kinds) }
        let letters = rest.joined()
        guard !rest.isEmpty, rest.count <= 2, rest.count < all.count, letters.count <= Self.longestLine,
            let key = LineKey.key(letters)
        else { return nil }
        line = key
    }

    private static func isStop(_ word: ArraySlice<UInt8>, _ kinds: KindTable) -> Bool {
        if words.contains(Array(word)) { return true }
        let found = kinds.kinds(of: word)
        return found.isWhole && found.kinds.contains { $0.paths.contains(where: stops.contains) }
    }
}
