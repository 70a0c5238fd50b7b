import PhotoContracts
import PinContracts
import Daemon
import RPC
import Storage
import Stores
import Wire

// Changes of existing pins. A call that names its change gets its first answer whenever it is repeated.

extension PinHandler {
    func movePin(_ request: MovePinRequest, _ context: CallContext) async throws -> MovePinResponse {
        let (id, move) = (try PinID(request: request.id), try PinMove(request))
        let (change, now) = (try change(request.requestId, request, context), clock.unixMilliseconds)
        let limit = NetworkChoice(limitOf: context)
        return try await make(change, id, context) { [networks, store] transaction, pin throws(SQLError) in
            var pin = pin
            (pin.limit, pin.importedBy) = (limit, "")
            let choice = try store.settings(of: pin.account, transaction).networks.limited(to: limit)
            let asked = networks.current(for: pin).filter { choice.allows($0.name) }
            let moved = try pin.moved(move, networks: asked).map { pin throws(SQLError) in
                try transaction.move(pin, at: now)
            }
            return MovePinResponse(pin: PinContracts.Pin(moved ?? pin))
        }
    }

    func renamePin(_ request: RenamePinRequest, _ context: CallContext) async throws -> RenamePinResponse {
        let (id, name) = (try PinID(request: request.id), PinDraft.name(request.name))
        let (change, now) = (try change(request.requestId, request, context), clock.unixMilliseconds)
        return try await make(change, id, context) { transaction, pin throws(SQLError) in
            RenamePinResponse(pin: PinContracts.Pin(try transaction.rename(pin.renamed(name), at: now)))
        }
    }

    func annotatePin(_ request: AnnotatePinRequest, _ context: CallContext) async throws -> AnnotatePinResponse {
        let (id, annotation) = (try PinID(request: request.id), PinAnnotation(request))
        let change = try change(request.requestId, request, context)
        return try await make(change, id, context) { transaction, pin throws(SQLError) in
            let pin = try transaction.touch(annotation.applied(to: pin))
            return AnnotatePinResponse(pin: PinContracts.Pin(pin, isWhole: true))
        }
    }

    func deletePin(_ request: DeletePinRequest, _ context: CallContext) async throws -> DeletePinResponse {
        let id = try PinID(request: request.id)
        let (change, now) = (try change(request.requestId, request, context), clock.unixMilliseconds)
        return try await make(change, id, context) { transaction, pin throws(SQLError) in
            try transaction.delete(pin, at: now)
            return DeletePinResponse(
                placeCount: UInt32(clamping: pin.counts.places), pin: PinContracts.Pin(pin, isWhole: true))
        }
    }

    func setPinSpan(_ request: SetPinSpanRequest, _ context: CallContext) async throws -> SetPinSpanResponse {
        let (id, span) = (try PinID(request: request.id), MapSpan(request.span))
        let change = try change(request.requestId, request, context)
        return try await make(change, id, context) { transaction, pin throws(SQLError) in
            var pin = pin
            pin.span = span
            return SetPinSpanResponse(pin: PinContracts.Pin(try transaction.touch(pin)))
        }
    }

    func setMapRegion(_ request: SetMapRegionRequest, _ context: CallContext) async throws -> SetMapRegionResponse {
        let (account, region) = (try context.account, try MapRegion(request.region))
        let change = try change(request.requestId, request, context)
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.putRegion(region, of: account)
            return .success(SetMapRegionResponse(region: BaseContracts.Region(region)))
        }
    }

    /// The change that a request asks for.
    func change(_ id: String, _ request: some WireMessage, _ context: CallContext) throws(RPCError) -> Change {
        try Change(id, request, context, clock: clock)
    }

    /// Changes a pin of the caller's; NOT_FOUND when it does not exist.
    private func make<Response: WireMessage>(
        _ change: Change, _ id: PinID, _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction, Pin) throws(SQLError) -> Response
    ) async throws -> Response {
        let account = try context.account
        return try await store.make(change, deadline: context.storageDeadline) {
            transaction throws(SQLError) in
            guard let pin = try transaction.pin(id, of: account) else { return .failure(.notFound(id)) }
            return .success(try body(transaction, pin))
        }
    }
}
