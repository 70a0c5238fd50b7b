import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Lists of pins in memory.
final class FakeLists: ListServiceFake, Sendable {
    private struct Entry {
        var list: PinList
        var pins: [String] = []
    }

    private let entries = Mutex<[Entry]>([])

    private func change<Answer>(_ id: String, _ body: (inout Entry) -> Answer) throws -> Answer {
        try entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.list.id == id }) else {
                throw RPCError(.notFound, "there is no list \(id)")
            }
            defer { entries[index].list.pinCount = UInt32(entries[index].pins.count) }
            return body(&entries[index])
        }
    }

    func createList(_ request: CreateListRequest, _ context: CallContext) async throws -> CreateListResponse {
        entries.withLock { entries in
            let id = "0190a1b2-c3d4-7e5f-8a6b-00000000000\(entries.count + 1)"
            entries.append(Entry(list: PinList(id: id, name: request.name, colour: request.colour)))
            return CreateListResponse(list: entries.last?.list)
        }
    }

    func listLists(_ request: ListListsRequest, _ context: CallContext) async throws -> ListListsResponse {
        let kept = entries.withLock { $0 }
        let with = kept.filter { request.pinId.isEmpty || $0.pins.contains(request.pinId) }
        return ListListsResponse(lists: with.map(\.list))
    }

    func changeList(_ request: ChangeListRequest, _ context: CallContext) async throws -> ChangeListResponse {
        try change(request.id) { entry in
            entry.list.name = request.name ?? entry.list.name
            if request.colour != .unspecified { entry.list.colour = request.colour }
            return ChangeListResponse(list: entry.list)
        }
    }

    func deleteList(_ request: DeleteListRequest, _ context: CallContext) async throws -> DeleteListResponse {
        let list = try change(request.id) { $0.list }
        entries.withLock { $0.removeAll { $0.list.id == request.id } }
        return DeleteListResponse(list: list)
    }

    func addToList(_ request: AddToListRequest, _ context: CallContext) async throws -> AddToListResponse {
        let count = try change(request.id) { entry in
            let new = request.pinIds.filter { !entry.pins.contains($0) }
            entry.pins += new
            return new.count
        }
        return AddToListResponse(list: try change(request.id) { $0.list }, addedCount: UInt32(count))
    }

    func removeFromList(
        _ request: RemoveFromListRequest, _ context: CallContext
    ) async throws -> RemoveFromListResponse {
        let count = try change(request.id) { entry in
            let before = entry.pins.count
            entry.pins.removeAll { request.pinIds.contains($0) }
            return before - entry.pins.count
        }
        return RemoveFromListResponse(list: try change(request.id) { $0.list }, removedCount: UInt32(count))
    }

    /// One pin a page.
    func listPinsOfList(
        _ request: ListPinsOfListRequest, _ context: CallContext
    ) async throws -> ListPinsOfListResponse {
        let pins = try change(request.id) { $0.pins }
        let index = Int(request.pageToken) ?? 0
        guard pins.indices.contains(index) else { return ListPinsOfListResponse() }
        let pin = Pin(id: pins[index], name: "Pin \(index + 1)", position: Coordinate(latitude: 60, longitude: 25))
        return ListPinsOfListResponse(pins: [pin], nextPageToken: index + 1 < pins.count ? "\(index + 1)" : "")
    }
}
