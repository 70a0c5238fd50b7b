import PinContracts
import Daemon
import FieldRules
import RPC
import Storage
import Stores
import Wire

/// Answers calls about the caller's lists of pins.
struct ListHandler: ListServiceHandler {
    let store: PinStore
    let clock: WallClock

    func createList(_ request: CreateListRequest, _ context: CallContext) async throws -> CreateListResponse {
        let (account, now) = (try context.account, clock.unixMilliseconds)
        let list = PinList(
            id: ListID.make(unixMilliseconds: now), name: FieldText.line(request.name),
            colour: try PinList.Colour(request.colour) ?? .blue, createdMilliseconds: now)
        let change = try Change(request.requestId, request, context, clock: clock)
        return try await make(change, context) { transaction throws(SQLError) in
            guard try transaction.listCount(of: account) < PinList.limit else { return .failure(.tooMany) }
            try transaction.insert(list, of: account)
            return .success(CreateListResponse(list: PinContracts.PinList(list)))
        }
    }

    func listLists(_ request: ListListsRequest, _ context: CallContext) async throws -> ListListsResponse {
        let (account, pin) = (try context.account, try PinID(optional: request.pinId, field: "pin_id"))
        let found = try await store.read(deadline: context.storageDeadline) {
            transaction throws(SQLError) -> Result<[PinList], ListError> in
            guard let pin else { return .success(try transaction.lists(of: account)) }
            guard try transaction.pin(pin, of: account) != nil else { return .failure(.noPin(pin)) }
            return .success(try transaction.lists(with: pin))
        }
        return ListListsResponse(lists: try found.get().map { PinContracts.PinList($0) })
    }

    func changeList(_ request: ChangeListRequest, _ context: CallContext) async throws -> ChangeListResponse {
        let name = request.name.map(FieldText.line)
        let colour = try PinList.Colour(request.colour)
        return try await make(request.id, request.requestId, request, context) { transaction, list throws(SQLError) in
            list.name = name ?? list.name
            list.colour = colour ?? list.colour
            try transaction.update(list)
            return .success(ChangeListResponse(list: PinContracts.PinList(list)))
        }
    }

    func deleteList(_ request: DeleteListRequest, _ context: CallContext) async throws -> DeleteListResponse {
        try await make(request.id, request.requestId, request, context) { transaction, list throws(SQLError) in
            try transaction.deleteList(list.id)
            return .success(DeleteListResponse(list: PinContracts.PinList(list)))
        }
    }

    func addToList(_ request: AddToListRequest, _ context: CallContext) async throws -> AddToListResponse {
        let (account, now) = (try context.account, clock.unixMilliseconds)
        let pins = try PinID.all(request.pinIds, field: "pin_ids")
        return try await make(request.id, request.requestId, request, context) { transaction, list throws(SQLError) in
            switch try transaction.add(pins, to: list, of: account, at: now) {
            case .failure(let error): return .failure(error)
            case .success(let count):
                list.pinCount += count
                try transaction.update(list)
                return .success(
                    AddToListResponse(list: PinContracts.PinList(list), addedCount: UInt32(clamping: count)))
            }
        }
    }

    func removeFromList(
        _ request: RemoveFromListRequest, _ context: CallContext
    ) async throws -> RemoveFromListResponse {
        let pins = try PinID.all(request.pinIds, field: "pin_ids")
        return try await make(request.id, request.requestId, request, context) { transaction, list throws(SQLError) in
            let count = try transaction.remove(pins, from: list.id)
            list.pinCount -= count
            try transaction.update(list)
            return .success(
                RemoveFromListResponse(list: PinContracts.PinList(list), removedCount: UInt32(clamping: count)))
        }
    }

    func listPinsOfList(
        _ request: ListPinsOfListRequest, _ context: CallContext
    ) async throws -> ListPinsOfListResponse {
        let (account, query) = (try context.account, try ListedPinsQuery(request))
        let listed = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.list(query, of: account)
        }
        guard let listed else { throw ListError.notFound(query.list) }
        return ListPinsOfListResponse(listed, query)
    }

    /// Changes a list of the caller's; NOT_FOUND when it does not exist.
    private func make<Response: WireMessage>(
        _ id: String, _ requestID: String, _ request: some WireMessage, _ context: CallContext,
        _ body:
            @escaping @Sendable (borrowing Transaction, inout PinList) throws(SQLError) -> Result<Response, ListError>
    ) async throws -> Response {
        let (account, id) = (try context.account, try ListID(request: id))
        let change = try Change(requestID, request, context, clock: clock)
        return try await make(change, context) { transaction throws(SQLError) in
            guard var list = try transaction.list(id, of: account) else { return .failure(.notFound(id)) }
            return try body(transaction, &list)
        }
    }

    private func make<Response: WireMessage>(
        _ change: Change, _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, ListError>
    ) async throws -> Response {
        try await store.database.make(
            change, of: "lists", .subject(try context.account), deadline: context.storageDeadline, body)
    }
}
