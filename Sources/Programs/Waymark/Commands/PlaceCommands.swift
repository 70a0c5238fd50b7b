import Arguments
import Contracts
import RPC

/// Positions, and what live networks have there: `waymark find`, `reverse`, `area`, `geocode` and `discover`.
enum PlaceCommands {
    static let all: [any Command] = [find, reverse, area, geocode, discover]

    /// Anything by a text, as the map's search field does.
    private static let find = UnaryCommand(
        CommandSyntax(
            words: ["find"], summary: "anything by a text: places, addresses, towns, coordinates; best first",
            positionals: [
                Positional(name: "TEXT", summary: "a name, \"cafe near Kamppi\", an address, coordinates")
            ],
            flags: [
                Flag("near", "LAT,LON", "what is near this point comes first"),
                .limit("how many results", FindRequest.limitRange, default: FindRequest.limitDefault),
                .area,
            ] + Flag.open,
            examples: ["find \"Amos Rex\"", "find \"cafe near Kamppi\" --limit 5", "find JFK --json"]),
        request: {
            FindRequest(
                text: $0.positionals[0], near: try $0.point("near"), limit: try $0.count("limit"),
                openAt: try $0.openAt(), area: $0.text("area") ?? "")
        },
        call: { try await PlacesServiceClient($0).find($1, $2.call) },
        view: { FindView(response: $0.answer, sink: $0.sink).lines })

    /// Where a point is.
    private static let reverse = UnaryCommand(
        CommandSyntax(
            words: ["reverse"], summary: "where a point is: house or street, town, region, country, and its areas",
            positionals: Positional.point,
            flags: [
                Flag("language", "CODE", "names in this language, where they have one: fi", isRepeatable: true)
            ],
            examples: ["reverse -33.86 151.21", "reverse 43.7326 7.4213 --language fr"]),
        request: {
            ReverseGeocodeRequest(position: try $0.coordinate(), languages: $0.all("language"))
        },
        call: { try await PlacesServiceClient($0).reverseGeocode($1, $2.call) },
        view: { [GeocodeView.line($0.answer)] + GeocodeView.areas($0.answer, $0.sink) })

    /// An area and its border.
    private static let area = UnaryCommand(
        CommandSyntax(
            words: ["area"], summary: "an area and the box around it; with --json also the lines of its border",
            positionals: [Positional(name: "ID", summary: "as reverse gives it, country/FI or region/FI/Uusimaa")],
            flags: [
                Flag("zoom", "LEVEL", "lines for a map of this zoom level, up to 22; 0 when not given"),
                Flag("language", "CODE", "its name in this language, where it has one: fi", isRepeatable: true),
            ],
            examples: ["area country/FI", "area region/FI/Uusimaa --zoom 9 --json"]),
        request: {
            GetAreaRequest(
                area: $0.positionals[0], zoom: try $0.count("zoom") ?? 0, languages: $0.all("language"))
        },
        call: { try await PlacesServiceClient($0).getArea($1, $2.call) },
        view: { GeocodeView.lines($0.answer, $0.sink) })

    /// Where something is that a text names.
    private static let geocode = UnaryCommand(
        CommandSyntax(
            words: ["geocode"], summary: "what a text names: countries, regions, towns, addresses; best first",
            positionals: [Positional(name: "TEXT", summary: "a name or an address, as people write it")],
            flags: [
                .limit("how many matches", GeocodeRequest.limitRange, default: GeocodeRequest.limitDefault),
                Flag("near", "LAT,LON", "of equally good matches those near this point come first"),
                Flag("country", "CODE", "only in this country, by two letters: FI", isRepeatable: true),
            ],
            examples: ["geocode \"Seattle, WA\"", "geocode \"Mannerheimintie 22, Helsinki\" --limit 1 --json"]),
        request: {
            GeocodeRequest(
                text: $0.positionals[0], limit: try $0.count("limit"), bias: try $0.point("near"),
                countryCodes: $0.all("country"))
        },
        call: { try await PlacesServiceClient($0).geocode($1, $2.call) },
        view: { GeocodeView(response: $0.answer, sink: $0.sink).lines })

    /// Has live networks asked for the places around a point.
    private static let discover = UnaryCommand(
        CommandSyntax(
            words: ["discover"], summary: "ask live networks for the places around a point",
            positionals: Positional.point,
            flags: [
                .radius(
                    "how far around", DiscoverRequest.radiusMRange,
                    notGiven: Flag.length(DiscoverRequest.radiusMDefault)),
                Flag(
                    "network", "NAME", "only this network; all that are switched on when not given",
                    isRepeatable: true),
                Flag("force", "ask also for what is known already"),
            ],
            examples: [
                "discover 60.1699 24.9384 --radius 500", "discover 60.17 24.94 --network openstreetmap --json",
            ]),
        request: {
            DiscoverRequest(
                centre: try $0.coordinate(), radiusM: try $0.metres("radius"), networks: $0.all("network"),
                force: $0.has("force"))
        },
        call: { try await PlacesServiceClient($0).discover($1, $2.call) },
        view: { SourceTables.lines($0.answer.results, on: $0.sink) })
}
