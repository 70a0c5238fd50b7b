import Bytes
import Contracts
import Refusals
import Requests

// The fields of requests about lists, validated.

extension PinList {
    /// A name without white space around it, which counts all the same.
    static func checked(name given: String) throws(Refusal) -> String {
        let (count, most) = (given.unicodeScalars.count, CreateListRequest.nameLength.upperBound)
        guard count <= most else { throw Refusal("name", count, "characters", allowed: "at most \(most) are") }
        guard let name = try TextLine.checked(given, "name", most: most) else {
            throw Refusal(missing: "name", needed: "a name of 1 to \(most) characters is")
        }
        return name
    }

    /// The pins that are put into a list or taken out of it.
    static func checked(pins ids: [String]) throws(Refusal) -> [PinID] {
        let most = AddToListRequest.pinIdsLength.upperBound
        guard !ids.isEmpty else { throw Refusal(missing: "pin_ids", needed: "1 to \(most) ids of pins are") }
        guard ids.count <= most else { throw Refusal("pin_ids", ids.count, "ids", allowed: "at most \(most) are") }
        var pins: [PinID] = []
        for (index, id) in ids.enumerated() { pins.append(try PinID(request: id, field: "pin_ids[\(index)]")) }
        return pins
    }
}

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
    private static let pageSize = Bounds.pageSize(
        ListPinsOfListRequest.pageSizeRange, default: ListPinsOfListRequest.pageSizeDefault)

    init(_ request: ListPinsOfListRequest) throws(Refusal) {
        let list = try ListID(request: request.id)
        let size = try Self.pageSize.checkedCount(request.pageSize)
        let end = try Self.tokens(list).end(in: request.pageToken) { Cursor($0) }
        self.init(list: list, after: end ?? .start, limit: size, isOnlyIDs: request.onlyIds)
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
