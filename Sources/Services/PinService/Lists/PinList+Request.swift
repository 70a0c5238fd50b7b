import Bytes
import PinContracts
import Refusals
import Requests

// The fields of requests about lists, validated.

extension PinList.Colour {
    /// Nil when none was given.
    init?(_ message: ListColour) throws(Refusal) {
        if message == .unspecified { return nil }
        guard let colour = Self(rawValue: Int64(message.rawValue)) else {
            throw Refusal("colour", message.rawValue, allowed: "LIST_COLOUR_RED to LIST_COLOUR_GREY are")
        }
        self = colour
    }
}

extension ListedPinsQuery {
    init(_ request: ListPinsOfListRequest) throws(Refusal) {
        let list = try ListID(request: request.id)
        let end = try Self.tokens(list).end(in: request.pageToken) { Cursor($0) }
        self.init(
            list: list, after: end ?? .start, limit: Int(request.pageSize ?? ListPinsOfListRequest.pageSizeDefault),
            isOnlyIDs: request.onlyIds)
    }

    /// The token for the page after a pin.
    func token(after end: Cursor) -> String {
        Self.tokens(list).text(after: BigEndian.bytes(UInt64(bitPattern: end.addedMilliseconds)) + end.pin.bytes)
    }

    private static func tokens(_ list: ListID) -> PageToken { PageToken(of: "pins of the list \(list)") }
}

extension ListedPinsQuery.Cursor {
    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == 24, let pin = PinID(bytes: Array(bytes[8...])) else { return nil }
        self.init(addedMilliseconds: Int64(bitPattern: BigEndian.number(bytes[..<8])), pin: pin)
    }
}
