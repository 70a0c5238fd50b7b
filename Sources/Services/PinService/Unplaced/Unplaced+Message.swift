import Bytes
import BaseContracts
import PinContracts
import RPC
import Refusals
import Requests

// Requests about entries without a position, validated, and what is answered.

extension UnplacedPin {
    init(_ entry: Unplaced, _ suggestion: Suggestion?) {
        self.init(
            id: entry.id.description, name: entry.name, address: entry.address, note: entry.note, link: entry.link,
            lists: entry.lists, fileName: entry.fileName, suggestion: suggestion.map { PlaceSuggestion($0) })
    }
}

extension PlaceSuggestion {
    init(_ suggestion: Suggestion) {
        let found = suggestion.found
        self.init(
            position: BaseContracts.Coordinate(found.position), name: found.name, context: found.context,
            isSure: suggestion.isSure)
    }
}

extension Unplaced.ID {
    private static let tokens = PageToken(of: "unplaced pins")

    init(request text: String, field: String) throws(Refusal) {
        guard let id = Unplaced.ID(text) else { throw Refusal(field, text: text, allowed: "the id of an entry is") }
        self = id
    }

    /// Where the page before ended; nil for the first.
    static func end(in token: String) throws(Refusal) -> Unplaced.ID? {
        try tokens.end(in: token) { bytes in Unplaced.ID(String(decoding: bytes, as: UTF8.self)) }
    }

    /// The token of the page after it.
    var token: String { Self.tokens.text(after: Array(description.utf8)) }
}

/// Why entries can't be placed.
enum UnplacedError: Error, Equatable {
    case notFound(String)
    /// It can't become a pin, for this reason.
    case refused(String, String)
}

extension UnplacedError: RPCErrorConvertible {
    var rpcError: RPCError {
        switch self {
        case .refused(let id, let reason):
            RPCError(.failedPrecondition, "the entry \(id) can't become a pin: \(reason)")
        case .notFound(let id): RPCError(.notFound, "there is no entry \(id): it was placed or deleted already")
        }
    }
}
