import Arguments
import Bytes
import Contracts
import FieldRules
import RPC
import Terminal

/// How a user names a list of pins: by its id, by the beginning of its id, or by its name.
struct ListReference: Sendable {
    let text: String

    /// The list that is meant. A name or beginning of no list or of several is refused.
    func id(among lists: [PinList]) throws -> String {
        let prefix = text.lowercased()
        let isPrefix = prefix.utf8.count >= PinReference.shortestPrefix
        let found = [
            lists.filter { $0.id == prefix }, isPrefix ? lists.filter { $0.id.begins(with: prefix) } : [],
            lists.filter { $0.name == text }, lists.filter { $0.name.lowercased() == prefix },
        ].first { !$0.isEmpty }
        guard let found, let first = found.first else {
            throw RPCError(
                .notFound, "no list has the id or the name \(text.printable); waymark list all shows your lists")
        }
        guard found.count == 1 else {
            let ids = found.prefix(5).map(\.id).joined(separator: ", ")
            throw UsageError("LIST \(text.printable) may be \(found.count) lists, give more of an id: \(ids)")
        }
        return first.id
    }

    /// Asks for the lists only when it is not an id already.
    func id(_ client: RPCClient, _ options: ClientOptions) async throws -> String {
        if FieldForm.uuid.takes(text) { return text.lowercased() }
        return try id(among: try await ListServiceClient(client).listLists(ListListsRequest(), options.call).lists)
    }
}
