import Arguments
import Bytes
import Contracts
import FieldRules
import RPC
import Terminal

/// How a user names a pin: by its id, by the beginning of its id, or by its name.
struct PinReference: Sendable {
    /// The fewest digits of an id that are tried as one.
    static let shortestPrefix = 4
    /// Pins that a refusal lists.
    private static let maximumListed = 5

    let text: String

    /// The pin that is meant; a whole id is taken unchanged. A name or prefix of no pin or of several is refused.
    func id(among pins: [Pin]) throws -> String {
        let prefix = text.lowercased()
        let isPrefix = prefix.utf8.count >= Self.shortestPrefix
        let named = pins.filter { $0.name == text }
        let found = [
            pins.filter { $0.id == prefix }, isPrefix ? pins.filter { $0.id.begins(with: prefix) } : [], named,
            pins.filter { $0.name.lowercased() == prefix },
        ].first { !$0.isEmpty }
        guard let found, let first = found.first else {
            throw RPCError(
                .notFound, "no pin has the id or the name \(text.printable); waymark pin list shows your pins")
        }
        guard found.count == 1 else { throw UsageError(ambiguity(found, pins)) }
        return first.id
    }

    private func ambiguity(_ found: [Pin], _ all: [Pin]) -> String {
        let ids = ShortIDs(all.map(\.id))
        let listed = found.prefix(Self.maximumListed).map { pin in
            "\(ids.short(pin.id)) \(pin.name) at \(PinTable.position(pin.position))"
        }
        let more = found.count > listed.count ? "; and \(Quantity.count(found.count - listed.count)) more" : ""
        return "PIN \(text) may be \(Quantity.count(found.count, "pin")), give more of an id: "
            + listed.joined(separator: "; ") + more
    }
}

extension PinReference {
    /// How many pins a page has where all are listed.
    static let pageSize: UInt32 = 500

    /// The arguments with whole ids in place of the user's names for pins. The target is asked only when it is not
    /// already an id.
    static func resolving(_ arguments: ParsedArguments) async throws -> ParsedArguments {
        guard
            let first = arguments.syntax.positionals.firstIndex(where: {
                $0.name == Positional.pin.name
                    || $0.name == Positional.album.name
            })
        else { return arguments }
        let positional = arguments.syntax.positionals[first]
        let end = positional.isRepeatable ? arguments.positionals.count : first + 1
        let references = arguments.positionals.indices.filter { (first..<max(first, end)).contains($0) }.compactMap {
            index in
            reference(arguments.positionals[index], positional.name).map { (index: index, pin: $0) }
        }
        guard !references.isEmpty else { return arguments }
        let options = try ClientOptions(arguments)
        let pins = try await TargetLink.with(options.target) { link in
            try await all(PinServiceClient(link.client), options)
        }
        var arguments = arguments
        for reference in references { arguments.positionals[reference.index] = try reference.pin.id(among: pins) }
        return arguments
    }

    /// Nil when the word is an id, or names a place's album.
    private static func reference(_ word: String, _ positional: String) -> PinReference? {
        let text = Subject.pinID(word)
        if FieldForm.uuid.takes(text) || text.isEmpty { return nil }
        if positional == Positional.album.name, text == word, word.holds("/") { return nil }
        return PinReference(text: text)
    }

    /// The id of the pin that a flag names by its id, the beginning of it, or its name; empty when it names none.
    static func id(of text: String, _ link: TargetLink, _ options: ClientOptions) async throws -> String {
        if text.isEmpty || FieldForm.uuid.takes(text) { return text.lowercased() }
        return try PinReference(text: text).id(among: try await all(PinServiceClient(link.client), options))
    }

    static func all(_ pins: PinServiceClient, _ options: ClientOptions) async throws -> [Pin] {
        try await allPages(ListPinsRequest(pageSize: pageSize)) { try await pins.listPins($0, options.call) }.pins
    }
}

/// Names a change, so that the request can be repeated and the change is made once.
struct ChangeName: Sendable, CustomStringConvertible {
    let description: String

    /// The value of `--request-id`, else 128 random bits as 32 hexadecimal digits.
    init(_ arguments: ParsedArguments) { description = arguments.text("request-id") ?? Self.random() }

    /// Makes a call that asks for the change. An error that leaves open whether it was made carries the name.
    func calling<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch {
            guard let cause = error as? RPCError, cause.leavesOpen else { throw error }
            throw UncertainChange(cause: cause, name: description)
        }
    }

    private static func random() -> String {
        let digits = String(UInt128.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}

/// A call that failed, though its change may have been made.
struct UncertainChange: Error {
    let cause: RPCError
    /// The name that the change was given.
    let name: String
}

extension RPCError {
    /// Whether the call may have succeeded all the same.
    fileprivate var leavesOpen: Bool {
        switch code {
        case .unavailable, .deadlineExceeded, .cancelled, .unknown, .internalError: true
        default: false
        }
    }
}

extension Flag {
    /// The flags of every command that changes something.
    static let change = [
        Flag("request-id", "NAME", "names the change; asked for again under this name it is made once")
    ]
}
