import Arguments
import Contracts
import RPC
import Terminal

/// What is done with pins: `waymark pin …`.
enum PinCommands {
    static let all: [any Command] = [
        BodyCommand(PinAddCommand.self), list, show, BodyCommand(PinWatchCommand.self), places, move, rename, note,
        remove,
        BodyCommand(PinMapCommand.self), near, bounds,
    ]

    private static let list = UnaryCommand(
        CommandSyntax(words: ["pin", "list"], summary: "all your pins, the newest first"),
        request: { _ in ListPinsRequest(pageSize: PinReference.pageSize) },
        call: { client, request, options in
            try await allPages(request) { try await PinServiceClient(client).listPins($0, options.call) }
        },
        view: { reply in
            guard !reply.answer.pins.isEmpty else { return ["There is no pin; waymark pin add LAT LON adds one."] }
            return PinTable.lines(reply.answer.pins, on: reply.sink)
        })

    private static let show = UnaryCommand(
        CommandSyntax(words: ["pin", "show"], summary: "one pin, and how far its search is", positionals: [.pin]),
        request: { GetPinRequest(id: $0.pinID) },
        call: { try await PinServiceClient($0).getPin($1, $2.call) },
        view: { PinView(pin: $0.answer.pin ?? Pin(), sink: $0.sink).lines })

    /// The places that are linked to a pin.
    private static let places = UnaryCommand(
        CommandSyntax(
            words: ["pin", "places"],
            summary: "the places that are linked to a pin, nearest first; what several networks have is listed once",
            positionals: [.pin],
            flags: [
                Flag("with-photos", "only places that have photos"),
                Flag("network", "NAME", "only this network", isRepeatable: true),
                .limit(
                    "how many places", ListPinPlacesRequest.pageSizeRange,
                    default: ListPinPlacesRequest.pageSizeDefault),
                Flag("all", "all places, page by page"),
            ],
            examples: ["pin places 01a1f8cb-6901-7c14-b2c1-5071771f994f --with-photos"]),
        request: { arguments in
            let wantsAll = arguments.has("all")
            let page = ListPinPlacesRequest(
                id: arguments.pinID, pageSize: try arguments.count("limit") ?? (wantsAll ? largestPage : nil),
                networks: arguments.all("network"), withPhotos: arguments.has("with-photos"), grouped: true)
            return ListRequest(page: page, wantsAll: wantsAll)
        },
        call: { client, list, options in
            try await list.answer { try await PinServiceClient(client).listPinPlaces($0, options.call) }
        },
        view: { PinPlacesView(response: $0.answer, sink: $0.sink).lines })

    /// The most that one page of places may have.
    private static let largestPage = ListPinPlacesRequest.pageSizeRange.upperBound

    static let move = UnaryCommand(
        changing: CommandSyntax(
            words: ["pin", "move"], summary: "move a pin and search again; it keeps what it has",
            positionals: [.pin] + Positional.point,
            flags: [
                .radius("its new radius", MovePinRequest.radiusMRange, notGiven: "as it is"),
                Flag("force", "search again even if neither the point nor the radius changes"),
            ],
            examples: ["pin move 01a1f8cb-6901-7c14-b2c1-5071771f994f 60.1841 24.9497 --radius 500"]),
        request: { arguments, change in
            MovePinRequest(
                id: arguments.pinID, position: try arguments.coordinate(at: 1),
                radiusM: try arguments.metres("radius"), force: arguments.has("force"), requestId: "\(change)")
        },
        call: { try await PinServiceClient($0).movePin($1, $2.call) },
        view: { PinTable.lines($0.answer.pin.map { [$0] } ?? [], on: $0.sink) })

    private static let rename = UnaryCommand(
        changing: CommandSyntax(
            words: ["pin", "rename"], summary: "give a pin a name that stays when it moves",
            positionals: [
                .pin,
                Positional(
                    name: "NAME",
                    summary:
                        "at most \(RenamePinRequest.nameLength.upperBound) characters; \"\" names it by its place again"
                ),
            ],
            examples: ["pin rename 01a1f8cb-6901-7c14-b2c1-5071771f994f 'Railway square'"]),
        request: { RenamePinRequest(id: $0.pinID, name: $0.optional(at: 1) ?? "", requestId: "\($1)") },
        call: { try await PinServiceClient($0).renamePin($1, $2.call) },
        view: { PinTable.lines($0.answer.pin.map { [$0] } ?? [], on: $0.sink) })

    private static let note = UnaryCommand(
        changing: CommandSyntax(
            words: ["pin", "note"], summary: "keep a note with a pin, and the day of a visit; `pin show` shows them",
            positionals: [
                .pin,
                Positional(
                    name: "TEXT",
                    summary: "at most \(AnnotatePinRequest.noteLength.upperBound) characters; \"\" removes the note",
                    isOptional: true),
            ],
            flags: [Flag("visited", "DAY", "when you were there: 2026-05-04, or \"\" for no day")],
            examples: [
                "pin note 01a1f8cb-6901-7c14-b2c1-5071771f994f 'The terrace opens in May.' --visited 2026-05-04"
            ]),
        request: {
            AnnotatePinRequest(
                id: $0.pinID, note: $0.optional(at: 1), visitedDate: $0.text("visited"), requestId: "\($1)")
        },
        call: { try await PinServiceClient($0).annotatePin($1, $2.call) },
        view: { reply in reply.answer.pin.map { PinView(pin: $0, sink: reply.sink).lines } ?? [] })

    private static let remove = UnaryCommand(
        changing: CommandSyntax(
            words: ["pin", "rm"], summary: "remove a pin, its links to places and its album", positionals: [.pin]),
        request: { DeletePinRequest(id: $0.pinID, requestId: "\($1)") },
        call: { try await PinServiceClient($0).deletePin($1, $2.call) },
        view: { removed($0.answer) })

    /// What was removed, and the command that adds it again.
    private static func removed(_ answer: DeletePinResponse) -> [String] {
        let count = answer.placeCount
        let places = "\(Quantity.count(count, "place")) \(count == 1 ? "was" : "were") linked to it"
        guard let pin = answer.pin, let position = pin.position else { return ["The pin is deleted; \(places)."] }
        var words = ["waymark", "pin", "add", "\(position.latitude)", "\(position.longitude)"]
        words += ["--radius", Flag.exactLength(pin.radiusM)]
        if pin.isNamed { words += ["--name", pin.name] }
        let command = words.map { Invitation.quoted($0) }.joined(separator: " ")
        return ["\(pin.name) is deleted; \(places).".printable, "Undo: \(command)".printable]
    }

    private static let near = UnaryCommand(
        .around(["pin", "near"], "your pins around a point", example: "pin near 60.1699 24.9384 --radius 20000"),
        request: {
            PinsNearRequest(
                centre: try $0.coordinate(), radiusM: try $0.metres("radius"), limit: try $0.count("limit"))
        },
        call: { try await PinServiceClient($0).pinsNear($1, $2.call) },
        view: { reply in
            guard !reply.answer.pins.isEmpty else {
                return ["There is no pin here; waymark pin add LAT LON adds one."]
            }
            return PinTable.lines(reply.answer.pins, on: reply.sink)
        })

    /// The box that a map has to show.
    private static let bounds = UnaryCommand(
        CommandSyntax(
            words: ["pin", "bounds"], summary: "the smallest box around all your pins, or around one pin's places",
            positionals: [
                Positional(
                    name: "PIN", summary: "its id, the beginning of it, or its name; all pins when not given",
                    isOptional: true)
            ]),
        request: { GetBoundsRequest(pinId: $0.pinID) },
        call: { try await PinServiceClient($0).getBounds($1, $2.call) },
        view: { [PinTable.line($0.answer.box)] })
}

extension CommandSyntax {
    /// A command for what lies around a point.
    static func around(_ words: [String], _ summary: String, example: String) -> CommandSyntax {
        CommandSyntax(
            words: words, summary: summary, positionals: Positional.point,
            flags: [
                .searchRadius, .limit("how many", PinsNearRequest.limitRange, default: PinsNearRequest.limitDefault),
            ],
            examples: [example])
    }
}
