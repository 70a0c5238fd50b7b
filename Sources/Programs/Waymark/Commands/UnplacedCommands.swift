import Arguments
import Bytes
import Contracts
import RPC
import Terminal

/// Entries of imported files without a position: `waymark pin unplaced`, `pin place` and `pin drop`.
enum UnplacedCommands {
    static let all: [any Command] = [list, place, drop]

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["pin", "unplaced"],
            summary: "what imported files name without saying where it is, and where it may be",
            examples: ["pin unplaced"]),
        request: { _ in ListUnplacedPinsRequest(pageSize: ListUnplacedPinsRequest.pageSizeRange.upperBound) },
        call: { client, request, options in
            try await allPages(request) {
                try await UnplacedPinServiceClient(client).listUnplacedPins($0, options.longCall)
            }
        },
        view: { reply in
            guard !reply.answer.pins.isEmpty else { return ["All that your files name is on the map."] }
            let warning = reply.answer.warning.isEmpty ? [] : ["no suggestions: \(reply.answer.warning)".printable]
            return table(reply.answer).lines(on: reply.sink) + warning
        })

    private static let place = UnaryCommand(
        changing: CommandSyntax(
            words: ["pin", "place"], summary: "put an entry of `waymark pin unplaced` on the map",
            positionals: [
                Positional(name: "ID", summary: "the entry's id", isOptional: true),
                Positional(name: "LAT", summary: "degrees north; where it may be when not given", isOptional: true),
                Positional(name: "LON", summary: "degrees east", isOptional: true),
            ], flags: [Flag("sure", "all entries that are surely where they may be")],
            examples: ["pin place --sure", "pin place 0190163d-8694-739b-aea5-966c26f8ad91.3 60.1699 24.9384"]),
        request: { arguments, change in
            guard let id = arguments.positionals.first else {
                guard arguments.has("sure") else { throw UsageError("the entry's id is missing, or --sure") }
                return PlacePinsRequest(requestId: "\(change)")
            }
            let hasPoint = arguments.positionals.count > 1
            let position = hasPoint ? try arguments.coordinate(at: 1) : nil
            return PlacePinsRequest(pins: [PlacedPin(id: id, position: position)], requestId: "\(change)")
        },
        call: { client, request, options in
            let service = UnplacedPinServiceClient(client)
            var request = request
            if request.pins.isEmpty || request.pins.first?.position == nil {
                let known = try await allPages(
                    ListUnplacedPinsRequest(pageSize: ListUnplacedPinsRequest.pageSizeRange.upperBound)
                ) { try await service.listUnplacedPins($0, options.longCall) }
                request.pins = try chosen(request.pins.first?.id, known)
            }
            guard !request.pins.isEmpty else { return PlacePinsResponse() }
            return try await service.placePins(request, options.longCall)
        },
        view: { ["\(Quantity.count(UInt64($0.answer.pinIds.count), "pin")) added."] })

    private static let drop = UnaryCommand(
        CommandSyntax(
            words: ["pin", "drop"], summary: "delete entries of `waymark pin unplaced`",
            positionals: [Positional(name: "ID", summary: "the entry's id", isRepeatable: true)],
            examples: ["pin drop 0190163d-8694-739b-aea5-966c26f8ad91.3"]),
        request: { DeleteUnplacedPinsRequest(ids: $0.positionals) },
        call: { try await UnplacedPinServiceClient($0).deleteUnplacedPins($1, $2.call) },
        view: { ["Deleted \($0.answer.deletedCount == 1 ? "1 entry" : "\($0.answer.deletedCount) entries")."] })

    /// Where one entry may be; or all of which that is sure, as many as one request may have.
    private static func chosen(_ id: String?, _ known: ListUnplacedPinsResponse) throws -> [PlacedPin] {
        let wanted = known.pins.filter { id.map($0.id.isSame(as:)) ?? ($0.suggestion?.isSure ?? false) }
        if let id, wanted.isEmpty { throw RPCError(.notFound, "there is no entry \(id.printable)") }
        let placed = wanted.compactMap { pin in
            pin.suggestion.map { PlacedPin(id: pin.id, position: $0.position) }
        }
        if id != nil, placed.isEmpty { throw RPCError(.notFound, "nothing is found for it; say LAT and LON") }
        return Array(placed.prefix(PlacePinsRequest.pinsLength.upperBound))
    }

    private static func table(_ answer: ListUnplacedPinsResponse) -> Table {
        let missing = answer.warning.isEmpty ? "nothing of that name is known" : "not looked up"
        var table = Table(columns: [
            .init(title: "NAME", minimum: 14, style: .bold), .init(title: "LISTS", rank: 2),
            .init(title: "MAY BE", minimum: 14, rank: 1), .init(title: "SURE", rank: 1),
            .init(title: "ID", style: .faint),
        ])
        table.rows = answer.pins.map { pin in
            let place = pin.suggestion.map { $0.context.isEmpty ? $0.name : "\($0.name), \($0.context)" }
            return [
                .init(pin.name.isEmpty ? pin.address : pin.name), .init(pin.lists.joined(separator: ", ")),
                .init(place ?? missing), .init(pin.suggestion?.isSure == true ? "yes" : ""),
                .init(pin.id),
            ]
        }
        return table
    }
}

extension ListUnplacedPinsRequest: PageRequest {}
extension ListUnplacedPinsResponse: Page {
    mutating func append(_ page: ListUnplacedPinsResponse) {
        pins += page.pins
        if warning.isEmpty { warning = page.warning }
    }
}
