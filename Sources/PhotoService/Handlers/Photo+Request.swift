import Contracts
import Geo
import Requests
import Wire

extension Photo {
    init(_ request: PutPhotoRequest) throws {
        guard let message = request.photo else { throw PhotoError.invalid(field: "photo", "a photo is needed") }
        guard message.distanceM == nil else {
            throw PhotoError.invalid(
                field: "photo.distance_m", "it is set; only answers to a search for near photos have it")
        }
        try message.refuseWhatIsOurs()
        let id = try PhotoID(request: message.id, field: "photo.id")
        guard id.network != PhotoID.folderNetwork else {
            throw PhotoError.invalid(
                field: "photo.id", "\"\(id.text.prefix(50))\" is given; photos of the folder are found by a scan only")
        }
        let credit = try Credit(message)
        try credit.check(demandsOf: id.network)
        self.init(
            id: id, title: try TextLimit.title.checked(message.title),
            position: try Geo.Coordinate(message.position, field: "photo.position"), credit: credit,
            originalURL: try WebAddress.original.checked(message.originalUrl),
            width: try Self.checkedSide(message.width, field: "photo.width"),
            height: try Self.checkedSide(message.height, field: "photo.height"),
            takenMilliseconds: try message.takenTime?.moment(field: "photo.taken_time"))
    }
}

extension Contracts.Photo {
    /// What the service itself says of a picture.
    fileprivate func refuseWhatIsOurs() throws(PhotoError) {
        let fields = [
            ("state", state != .unspecified), ("fetched_byte_count", fetchedByteCount != 0),
            ("total_byte_count", totalByteCount != 0), ("failure", !failure.isEmpty),
            ("placeholder", !placeholder.isEmpty), ("thumbnail_url", !thumbnailUrl.isEmpty),
            ("large_url", !largeUrl.isEmpty),
        ]
        guard let set = fields.first(where: \.1) else { return }
        throw .invalid(field: "photo.\(set.0)", "it is set; only answers have it")
    }
}

extension Credit {
    fileprivate init(_ message: Contracts.Photo) throws(PhotoError) {
        author = try TextLimit.author.checked(message.author)
        licence = try TextLimit.licence.checked(message.licence)
        sourceURL = try WebAddress.page.checked(message.sourceUrl)
    }
}

extension PhotoID {
    init(request text: String, field: String) throws(PhotoError) {
        guard let id = PhotoID(text) else {
            throw .invalid(
                field: field,
                "\"\(text.prefix(50))\" is given, \"<network>/<id there>\" is needed: the network of lower-case letters, "
                    + "digits, - and _, at most 32 of them, the id of at most 1,024 bytes without control characters")
        }
        self = id
    }
}

extension TimestampMessage {
    /// Whole milliseconds since 1970-01-01T00:00:00Z; finer parts are left out.
    fileprivate func moment(field: String) throws(PhotoError) -> Int64 {
        if let unixMilliseconds { return unixMilliseconds }
        throw .invalid(
            field: field,
            "\(seconds) seconds and \(nanos) nanoseconds are given, a time of the years 1 to 9999 is allowed")
    }
}
