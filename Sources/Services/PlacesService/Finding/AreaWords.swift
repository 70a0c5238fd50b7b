import Geo

/// A text that says first what is meant and then where, or the other way round: "cafe near Kamppi", "Amos Rex,
/// Helsinki".
struct AreaReading {
    /// The words of what is meant.
    let name: Range<Int>
    /// The words of where it is.
    let area: Range<Int>
    /// Whether a word between them says so.
    let isStated: Bool
}

/// Cuts texts into what and where.
enum AreaWords {
    /// Words that stand between what is meant and where it is, folded. Prepositions of some languages.
    private static let between: Set<String> = [
        "near", "in", "at", "around", "by", "close", "nahe", "bei", "im", "pres", "dans", "cerca", "en", "vicino",
        "lahella", "i", "nara", "perto", "em", "bij", "blizko", "kolo", "okolo", "v", "u", "w", "kod", "beside",
        "nearby",
        "neben", "am", "a", "autour", "junto", "presso", "accanto", "nabij", "rond", "naer", "vid", "ved", "hos", "pa",
        "luona", "vieressa", "blisko", "niedaleko", "przy", "na", "pobliz", "vedle", "в", "на", "у", "около", "возле",
        "рядом", "недалеко",
    ]
    /// Words behind these that say nothing more: "close to", "near the", "cerca de".
    private static let fill: Set<String> = [
        "to", "the", "of", "a", "ao", "allo", "de", "du", "des", "la", "le", "les", "von", "der", "den", "dem", "av",
        "da", "do", "del",
        "di", "al", "alla", "el", "los", "las", "il", "het", "с", "от",
    ]
    /// Words of an area that nothing announces.
    private static let maximumUnstated = 3

    /// Those with a word between them first, then with as few words for the area as possible.
    static func readings(of words: QueryWords) -> [AreaReading] {
        let count = words.count
        guard count >= 2, count <= QueryWords.maximum else { return [] }
        let texts = words.words.map { String(decoding: words.folded[$0], as: UTF8.self) }
        var readings: [AreaReading] = []
        for index in 1..<count where between.contains(texts[index]) {
            var start = index + 1
            while start < count - 1, fill.contains(texts[start]) { start += 1 }
            if start < count { readings.append(AreaReading(name: 0..<index, area: start..<count, isStated: true)) }
        }
        guard readings.isEmpty else { return readings }
        for length in 1...min(maximumUnstated, count - 1) {
            readings.append(AreaReading(name: 0..<count - length, area: count - length..<count, isStated: false))
            readings.append(AreaReading(name: length..<count, area: 0..<length, isStated: false))
        }
        return readings
    }
}

extension FindArea {
    private static let townMetres = 5_000.0
    /// Metres around a town, for the root of its people.
    private static let metresOfRoot = 20.0
    private static let maximumTownMetres = 60_000.0
    private static let placeMetres = 2_500.0

    /// The area of a country, a region or a town.
    init(_ record: GazetteerRecord, _ index: UInt32, in gazetteer: Gazetteer) {
        if record.kind != .town, let box = gazetteer.extent(index) {
            self = .box(box, centre: record.position)
        } else {
            let metres = Self.metresOfRoot * Double(record.population).squareRoot()
            let radius = min(max(metres, Self.townMetres), Self.maximumTownMetres)
            self = .circle(record.position, metres: radius)
        }
    }

    /// What is as near to the middle of an area as its corners are.
    static func beyond(_ area: AreaFilter, centre: Geo.Coordinate) -> FindArea {
        let middle = area.centre ?? centre
        return .circle(middle, metres: min(area.reach(from: middle), maximumTownMetres))
    }

    /// The surroundings of a place.
    static func around(_ place: Geo.Coordinate) -> FindArea { .circle(place, metres: placeMetres) }
}
