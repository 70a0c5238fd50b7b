internal import Bytes

/// Words that people write around degrees: what these are of, where they point to, and what they end with.
enum DegreesWords {
    /// The four directions in languages of Europe; "O" is none, which is east in one and west in another.
    private static let directions: [String: String] = [
        "north": "N", "nord": "N", "norte": "N", "noord": "N", "norr": "N", "pohjoista": "N", "pohjoinen": "N",
        "south": "S", "süd": "S", "sud": "S", "sur": "S", "sul": "S", "zuid": "S", "syd": "S", "söder": "S",
        "etelää": "S", "etelä": "S",
        "east": "E", "ost": "E", "est": "E", "este": "E", "leste": "E", "oost": "E", "øst": "E", "öst": "E",
        "öster": "E", "itää": "E", "itä": "E",
        "west": "W", "ouest": "W", "oeste": "W", "ovest": "W", "vest": "W", "väst": "W", "väster": "W", "länttä": "W",
        "länsi": "W",
    ]
    private static let latitudes: Set<String> = ["lat", "latitude", "breite", "latitud", "latitudine"]
    private static let longitudes: Set<String> = [
        "lon", "lng", "long", "longitude", "länge", "longitud", "longitudine",
    ]
    /// What the degrees are measured on, behind them.
    private static let ends = ["(wgs84)", "(wgs 84)", "wgs84", "wgs 84", "(epsg:4326)"]

    /// A text with letters for the directions that it names, and without what only introduces or ends its degrees.
    static func plain(_ text: String) -> String {
        var text = text.replacing(each: "，", with: ",").trimmed
        let lower = text.asciiLowercased
        if let end = ends.first(where: { lower.ends(with: $0) }) {
            text = Substring(text.unicodeScalars.dropLast(end.unicodeScalars.count)).trimmed
        }
        // "Position: 60.1699, 24.9384", but no scheme of a link.
        if let (label, rest) = text.halves(at: ":"), label.unicodeScalars.allSatisfy({ $0.isAlphabetic || $0 == " " }),
            !latitudes.contains(label.lowercased()), !longitudes.contains(label.lowercased())
        {
            text = rest.trimmed
        }
        if text.ends(with: ".") { text = Substring(text.unicodeScalars.dropLast()) }
        return withoutZoom(Substring(named(text)))
    }

    /// "60.1699,24.9384,17z" is a point, and how near a map shows it.
    private static func withoutZoom(_ text: Substring) -> String {
        guard text.ends(with: "z"), let (point, zoom) = text.halves(atLast: ","),
            NumberPair.number(Substring(zoom.unicodeScalars.dropLast())) != nil
        else { return String(text) }
        return String(point)
    }

    private static func named(_ text: Substring) -> String {
        var (plain, word) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        func flush() {
            let letters = directions[String(word).lowercased()]?.unicodeScalars ?? word
            plain.append(contentsOf: letters)
            word.removeAll()
        }
        for scalar in text.unicodeScalars {
            if scalar.isAlphabetic, scalar != "º" {
                word.append(scalar)
            } else {
                flush()
                plain.append(scalar)
            }
        }
        flush()
        return String(plain)
    }

    /// "lat: 60.1699, lon: 24.9384", in either order: the texts of both.
    static func labelled(_ text: String) -> (latitude: String, longitude: String)? {
        var values: [(isLatitude: Bool, text: String.UnicodeScalarView)] = []
        var word = String.UnicodeScalarView()
        func flush() -> Bool {
            defer { word.removeAll() }
            if word.isEmpty { return true }
            let name = String(word).lowercased()
            if latitudes.contains(name) || longitudes.contains(name) {
                values.append((latitudes.contains(name), .init()))
                return true
            }
            guard !values.isEmpty else { return false }
            values[values.count - 1].text.append(contentsOf: word)
            return true
        }
        for scalar in text.unicodeScalars {
            if scalar.isAlphabetic, scalar != "º" {
                word.append(scalar)
                continue
            }
            guard flush() else { return nil }
            if !values.isEmpty { values[values.count - 1].text.append(scalar) }
        }
        guard flush(), values.count == 2, values[0].isLatitude != values[1].isLatitude else { return nil }
        let texts = values.map { value in
            String(
                String(value.text).unicodeScalars.drop { $0.isWhitespace || ":=\"'".unicodeScalars.contains($0) })
        }
        let trimmed = texts.map { text in
            var scalars = Substring(text).trimmed.unicodeScalars
            while let last = scalars.last, ",;}\"'".unicodeScalars.contains(last) || last.isWhitespace {
                scalars.removeLast()
            }
            return String(scalars)
        }
        return values[0].isLatitude ? (trimmed[0], trimmed[1]) : (trimmed[1], trimmed[0])
    }
}
