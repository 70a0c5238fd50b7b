import Arguments
import Contracts
import RPC
import Terminal

/// Named lists of pins: `waymark list create`, and so on. `waymark list` alone is about methods.
enum ListCommands {
    static let all: [any Command] = [create, allLists, show, add, remove, rename, colour, delete]

    private static let create = UnaryCommand(
        changing: CommandSyntax(
            words: ["list", "create"], summary: "make a list for pins", positionals: [.listName],
            flags: [.colour], examples: ["list create 'Summer 2026' --colour orange"]),
        request: {
            CreateListRequest(
                name: $0.positionals.first ?? "", colour: try $0.listColour ?? .blue, requestId: "\($1)")
        },
        call: { try await ListServiceClient($0).createList($1, $2.call) },
        view: { table($0.answer.list, on: $0.sink) })

    private static let allLists = UnaryCommand(
        CommandSyntax(
            words: ["list", "all"], summary: "your lists of pins, or those that a pin is in",
            positionals: [
                Positional(
                    name: Positional.pin.name, summary: "its id, the beginning of it, or its name", isOptional: true)
            ], examples: ["list all", "list all Esplanadi"]),
        request: { ListListsRequest(pinId: $0.optional(at: 0) ?? "") },
        call: { try await ListServiceClient($0).listLists($1, $2.call) },
        view: { reply in
            if !reply.answer.lists.isEmpty { return table(reply.answer.lists, on: reply.sink) }
            return [
                reply.request.pinId.isEmpty
                    ? "There is no list; waymark list create NAME makes one." : "The pin is in no list."
            ]
        })

    private static let show = UnaryCommand(
        CommandSyntax(
            words: ["list", "show"], summary: "the pins of a list; those that were added last come first",
            positionals: [.list], examples: ["list show 'Summer 2026'"]),
        request: { ListReference(text: $0.positionals.first ?? "") },
        call: { client, list, options in
            let request = ListPinsOfListRequest(
                id: try await list.id(client, options), pageSize: ListPinsOfListRequest.pageSizeRange.upperBound)
            return try await allPages(request) { try await ListServiceClient(client).listPinsOfList($0, options.call) }
        },
        view: { reply in
            guard !reply.answer.pins.isEmpty else { return ["No pin is in it; waymark list add LIST PIN adds one."] }
            return PinTable.lines(reply.answer.pins, on: reply.sink)
        })

    private static let add = UnaryCommand(
        changing: CommandSyntax(
            words: ["list", "add"], summary: "put pins into a list", positionals: [.list, .pins],
            examples: ["list add 'Summer 2026' Esplanadi 01a1f8cb"]),
        request: { ListChange($0, $1) },
        call: { client, change, options in
            let request = AddToListRequest(
                id: try await change.list.id(client, options), pinIds: change.pins, requestId: change.name)
            return try await ListServiceClient(client).addToList(request, options.call)
        },
        view: { ["\(Quantity.count($0.answer.addedCount, "pin")) added."] + table($0.answer.list, on: $0.sink) })

    private static let remove = UnaryCommand(
        changing: CommandSyntax(
            words: ["list", "remove"], summary: "take pins out of a list; they stay on the map",
            positionals: [.list, .pins], examples: ["list remove 'Summer 2026' Esplanadi"]),
        request: { ListChange($0, $1) },
        call: { client, change, options in
            let request = RemoveFromListRequest(
                id: try await change.list.id(client, options), pinIds: change.pins, requestId: change.name)
            return try await ListServiceClient(client).removeFromList(request, options.call)
        },
        view: {
            ["\(Quantity.count($0.answer.removedCount, "pin")) taken out."] + table($0.answer.list, on: $0.sink)
        })

    private static let rename = UnaryCommand(
        changing: CommandSyntax(
            words: ["list", "rename"], summary: "give a list another name", positionals: [.list, .listName],
            examples: ["list rename 'Summer 2026' 'Summer 2027'"]),
        request: { ListChange($0, $1) },
        call: { client, change, options in
            let request = ChangeListRequest(
                id: try await change.list.id(client, options), name: change.pins.first, requestId: change.name)
            return try await ListServiceClient(client).changeList(request, options.call)
        },
        view: { table($0.answer.list, on: $0.sink) })

    private static let colour = UnaryCommand(
        changing: CommandSyntax(
            words: ["list", "colour"], summary: "give a list another colour",
            positionals: [.list, Positional(name: "COLOUR", summary: ListColour.words)],
            examples: ["list colour 'Summer 2026' teal"]),
        request: { (change: ListChange($0, $1), colour: try ListColour(word: $0.optional(at: 1) ?? "", "COLOUR")) },
        call: { client, wanted, options in
            let request = ChangeListRequest(
                id: try await wanted.change.list.id(client, options), colour: wanted.colour,
                requestId: wanted.change.name)
            return try await ListServiceClient(client).changeList(request, options.call)
        },
        view: { table($0.answer.list, on: $0.sink) })

    private static let delete = UnaryCommand(
        changing: CommandSyntax(
            words: ["list", "delete"], summary: "delete a list; its pins stay", positionals: [.list],
            examples: ["list delete 'Summer 2026'"]),
        request: { ListChange($0, $1) },
        call: { client, change, options in
            let request = DeleteListRequest(id: try await change.list.id(client, options), requestId: change.name)
            return try await ListServiceClient(client).deleteList(request, options.call)
        },
        view: { reply in
            reply.answer.list.map {
                ["\($0.name) is deleted. Its pins are still there: \(Quantity.count($0.pinCount)).".printable]
            } ?? []
        })

    private static func table(_ list: PinList?, on sink: TextSink) -> [String] {
        table(list.map { [$0] } ?? [], on: sink)
    }

    private static func table(_ lists: [PinList], on sink: TextSink) -> [String] {
        let ids = sink.width == nil ? nil : ShortIDs(lists.map(\.id))
        var table = Table(columns: [
            .init(title: "NAME", minimum: 14, style: .bold), .init(title: "COLOUR", rank: 1),
            .init(title: "PINS", isRight: true), .init(title: "ID", style: .faint),
        ])
        table.rows = lists.map { list in
            [
                .init(list.name), .init(list.colour.word), .init(Quantity.count(list.pinCount)),
                .init(ids?.short(list.id) ?? list.id),
            ]
        }
        return table.lines(on: sink)
    }
}

/// A change of a list: the list, what follows it on the command line, and the name of the change.
private struct ListChange: Sendable {
    let list: ListReference
    let pins: [String]
    let name: String

    init(_ arguments: ParsedArguments, _ name: ChangeName) {
        list = ListReference(text: arguments.positionals.first ?? "")
        pins = Array(arguments.positionals.dropFirst())
        self.name = name.description
    }
}

extension ListColour {
    private static let byWord: KeyValuePairs<String, ListColour> = [
        "red": .red, "orange": .orange, "yellow": .yellow, "green": .green, "teal": .teal, "blue": .blue,
        "purple": .purple, "pink": .pink, "brown": .brown, "grey": .grey,
    ]

    /// "red, orange, …"
    fileprivate static var words: String { byWord.map(\.key).joined(separator: ", ") }

    fileprivate init(word: String, _ argument: String) throws(UsageError) {
        guard let colour = Self.byWord.first(where: { $0.key == word.lowercased() })?.value else {
            throw UsageError("\(argument) is \(word), allowed are \(Self.words)")
        }
        self = colour
    }

    /// Empty for one that this program does not know.
    fileprivate var word: String { Self.byWord.first { $0.value == self }?.key ?? "" }
}

extension ParsedArguments {
    fileprivate var listColour: ListColour? {
        get throws(UsageError) {
            guard let word = text("colour") else { return nil }
            return try ListColour(word: word, "--colour")
        }
    }
}

extension Flag {
    fileprivate static let colour = Flag("colour", "COLOUR", "\(ListColour.words); blue when not given")
}

extension Positional {
    fileprivate static let list = Positional(name: "LIST", summary: "its id, the beginning of it, or its name")
    fileprivate static let listName = Positional(name: "NAME", summary: "1 to 100 characters")
    fileprivate static let pins = Positional(
        name: pin.name, summary: "its id, the beginning of it, or its name", isRepeatable: true)
}

extension ListPinsOfListRequest: PageRequest {}
extension ListPinsOfListResponse: Page {
    mutating func append(_ page: ListPinsOfListResponse) { pins += page.pins }
}
