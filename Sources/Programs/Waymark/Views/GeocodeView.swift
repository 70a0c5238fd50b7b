import Bytes
import Contracts
import Terminal

/// The answer of `geocode` as lines for a person.
struct GeocodeView {
    let response: GeocodeResponse
    let sink: TextSink

    var lines: [String] {
        var table = Table(columns: [
            .init(title: "NAME", minimum: 14, style: .bold), .init(title: "KIND"), .init(title: "IN", minimum: 12),
            .init(title: "PEOPLE", isRight: true), .init(title: "POSITION"),
        ])
        table.rows = response.matches.map { match in
            [
                .init(match.name), .init(Self.kind(match)), .init(Self.surroundings(match)),
                .init(match.population == 0 ? "" : Quantity.count(Int(clamping: match.population))),
                .init(PinTable.position(match.position)),
            ]
        }
        return table.lines(on: sink) + [
            "", Style.faint.paint(SourceLine.text(response.matches.map(\.attribution)), on: sink),
        ]
    }

    /// The answer of `reverse`: "Helsinki, Uusimaa, Finland (FI); 1.2 km away" or "Kaivokatu 1, Helsinki, Uusimaa,
    /// Finland (FI); the nearest town is Helsinki, 1.2 km away", and far from any town "Pacific Ocean; the nearest town
    /// is Adamstown, 560 km away".
    static func line(_ response: ReverseGeocodeResponse) -> String {
        guard let town = response.town else { return "No town is known." }
        let code = response.countryCode.isEmpty ? "" : " (\(response.countryCode))"
        let distance = town.distanceM.map { "\(Quantity.distance($0)) away" } ?? ""
        let name = response.name.isEmpty ? town.name : response.name
        let isLand = !response.country.isEmpty && name.ends(with: response.country)
        let names = isLand ? [name] : [name, response.region, response.country].filter { !$0.isEmpty }
        let place = names.joined(separator: ", ") + code
        return (name == town.name ? "\(place); \(distance)" : "\(place); the nearest town is \(town.name), \(distance)")
            .printable
    }

    /// The areas that a point lies in, the largest first; nothing without any.
    static func areas(_ response: ReverseGeocodeResponse, _ sink: TextSink) -> [String] {
        guard !response.areas.isEmpty else { return [] }
        var table = Table(columns: [
            .init(title: "AREA", minimum: 14, style: .bold), .init(title: "KIND"), .init(title: "LEVEL", isRight: true),
            .init(title: "ID", minimum: 12),
        ])
        table.rows = response.areas.map { area in
            [
                .init(area.name), .init(kind(area.kind)), .init(area.level == 0 ? "" : "\(area.level)"),
                .init(area.id),
            ]
        }
        return [""] + table.lines(on: sink)
    }

    /// The answer of `area`: "Uusimaa, region, 59.75, 22.75 to 60.75, 26.5; its border is 3 lines of 120 points".
    static func lines(_ response: GetAreaResponse, _ sink: TextSink) -> [String] {
        let points = response.lines.reduce(0) { $0 + $1.steps.count / 2 }
        let border = "\(Quantity.count(response.lines.count, "line")) of \(Quantity.count(points, "point"))"
        let facts = [response.name, kind(response.kind), PinTable.line(response.box)].filter { !$0.isEmpty }
        let line = "\(facts.joined(separator: ", ")); its border is \(border)".printable
        guard !response.attribution.isEmpty else { return [line] }
        return [line, "", Style.faint.paint(SourceLine.text([response.attribution]), on: sink)]
    }

    private static func kind(_ kind: AreaKind) -> String {
        switch kind {
        case .country: "country"
        case .region: "region"
        case .place: "place"
        case .park: "park"
        case .square: "square"
        case .island: "island"
        default: "area"
        }
    }

    static func kind(_ match: GeocodeMatch) -> String {
        let kind =
            switch match.kind {
            case .country: "country"
            case .region: "region"
            case .town: "town"
            case .address: "address"
            default: "other"
            }
        return match.changedLetters == 0 ? kind : "\(kind)?"
    }

    /// "Helsinki, Uusimaa, Finland"; nothing for a country.
    private static func surroundings(_ match: GeocodeMatch) -> String {
        let town = [match.postcode, match.town].filter { !$0.isEmpty }.joined(separator: " ")
        let country = match.kind == .country ? match.countryCode : match.country
        return [town, match.region, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
