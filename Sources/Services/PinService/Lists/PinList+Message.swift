import PinContracts
import RPC
import Wire

extension PinContracts.PinList {
    init(_ list: PinList) {
        self.init(
            id: list.id.description, name: list.name, colour: ListColour(rawValue: Int32(list.colour.rawValue)),
            createTime: TimestampMessage(unixMilliseconds: list.createdMilliseconds),
            pinCount: UInt32(clamping: list.pinCount))
    }
}

extension ListPinsOfListResponse {
    init(_ listed: ListedPins, _ query: ListedPinsQuery) {
        self.init(
            pins: query.isOnlyIDs
                ? listed.ids.map { PinContracts.Pin(id: $0.description) } : listed.pins.map { PinContracts.Pin($0) },
            nextPageToken: listed.end.map { query.token(after: $0) } ?? "")
    }
}

extension ListError: RPCErrorConvertible {
    var rpcError: RPCError {
        switch self {
        case .notFound(let id): RPCError(.notFound, "there is no list \(id)")
        case .noPin(let id): PinError.notFound(id).rpcError
        case .tooMany:
            RPCError(.resourceExhausted, "you have \(PinList.limit) lists already; delete some that you don't need")
        case .tooManyOfPin(let id):
            RPCError(
                .resourceExhausted, "the pin \(id) is in \(PinList.limitOfPin) lists already; take it out of some")
        }
    }
}
