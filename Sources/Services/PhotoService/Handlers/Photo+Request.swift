import Contracts
import Geo
import Refusals
import Requests
import Wire

extension Photo {
    init(_ request: PutPhotoRequest) throws(Refusal) {
        guard let message = request.photo else { throw Refusal(missing: "photo", needed: "a photo is") }
        guard message.distanceM == nil else {
            throw Refusal("photo.distance_m", "it is set; only answers to a search for near photos have it")
        }
        try message.refuseWhatIsOurs()
        let id = try PhotoID(request: message.id, field: "photo.id")
        guard id.network != PhotoID.folderNetwork else {
            throw Refusal("photo.id", text: id.text, allowed: "a scan alone brings photos of the folder")
        }
        guard id.network != PhotoID.uploadNetwork else {
            throw Refusal("photo.id", text: id.text, allowed: "an upload alone brings photos of \"upload\"")
        }
        guard !id.isShownThrough else {
            throw Refusal("photo.id", text: id.text, allowed: "an account's key alone brings photos of \"immich\"")
        }
        let credit = try Credit(message)
        try credit.check(demandsOf: id.network)
        self.init(
            id: id, title: try TextLimit.title.checked(message.title),
            position: try Geo.Coordinate(message.position, field: "photo.position"), credit: credit,
            originalURL: try WebAddress.original.checked(message.originalUrl),
            width: try Self.side("width").checked(message.width),
            height: try Self.side("height").checked(message.height),
            takenMilliseconds: try message.takenTime?.moment(field: "photo.taken_time"),
            takenOffsetMinutes: try TakenOffset.checked(message.takenOffsetMinutes, message.takenTime, "photo"),
            tags: try PhotoTags.checked(message.tags, field: "photo.tags"))
    }

    /// A width or a height.
    private static func side(_ name: String) -> Bound<UInt32> {
        Bound("photo.\(name)", Contracts.Photo.widthRange, default: 0, unit: "pixels")
    }
}

extension PhotoFilter {
    private static let mostLicences = 20

    init(_ request: PhotosNearRequest) throws(Refusal) {
        guard request.licences.count <= Self.mostLicences else {
            throw Refusal("licences", request.licences.count, "licences", allowed: "at most \(Self.mostLicences) are")
        }
        let longest = Contracts.Photo.licenceLength.upperBound
        for (index, licence) in request.licences.enumerated() where licence.utf8.count > longest {
            throw Refusal(
                "licences[\(index)]", licence.utf8.count, "bytes", allowed: "at most \(longest) are")
        }
        let (from, before) = (
            try request.takenFrom?.moment(field: "taken_from"), try request.takenBefore?.moment(field: "taken_before")
        )
        if let from, let before, from >= before {
            throw Refusal("taken_before", "it is not later than taken_from, so that no photo can match")
        }
        self.init(
            networks: try PhotoNetworkNames.checked(request.networks),
            licences: Set(request.licences.map { $0.lowercased() }).sorted(), takenFrom: from, takenBefore: before)
    }
}

extension Contracts.Photo {
    /// Refuses the fields that only the service itself sets.
    fileprivate func refuseWhatIsOurs() throws(Refusal) {
        let fields = [
            ("state", state != .unspecified), ("fetched_byte_count", fetchedByteCount != 0),
            ("total_byte_count", totalByteCount != 0), ("failure", !failure.isEmpty),
            ("placeholder", !placeholder.isEmpty), ("thumbnail_url", !thumbnailUrl.isEmpty),
            ("large_url", !largeUrl.isEmpty), ("small_url", !smallUrl.isEmpty),
        ]
        guard let set = fields.first(where: \.1) else { return }
        throw Refusal("photo.\(set.0)", "it is set; only answers have it")
    }
}

extension Credit {
    fileprivate init(_ message: Contracts.Photo) throws(Refusal) {
        author = try TextLimit.author.checked(message.author)
        licence = try TextLimit.licence.checked(message.licence)
        sourceURL = try WebAddress.page.checked(message.sourceUrl)
    }
}

extension PhotoID {
    init(request text: String, field: String) throws(Refusal) {
        guard let id = PhotoID(text) else {
            throw Refusal(
                field, text: text,
                allowed: "<network>/<id there> is: the network of lower-case letters, digits, - and _, at most 32 of "
                    + "them, the id of at most 1,024 bytes without control characters")
        }
        self = id
    }
}

/// How far the clocks were ahead where a photo was taken.
enum TakenOffset {
    /// Refuses one that no clock has, and one without a time.
    static func checked(
        _ minutes: Int32?, _ time: TimestampMessage?, _ message: String
    ) throws(Refusal) -> Int? {
        guard let minutes else { return nil }
        let (field, range) = ("\(message).taken_offset_minutes", Contracts.Photo.takenOffsetMinutesRange)
        guard time != nil else { throw Refusal(field, "it is set without a taken_time") }
        guard range.contains(minutes) else {
            throw Refusal(field, minutes, allowed: "\(range.lowerBound) to \(range.upperBound) minutes are")
        }
        return Int(minutes)
    }
}

extension TimestampMessage {
    /// Whole milliseconds since 1970-01-01T00:00:00Z; finer parts are left out.
    func moment(field: String) throws(Refusal) -> Int64 {
        if let unixMilliseconds { return unixMilliseconds }
        throw Refusal(
            field, "a time of \(seconds) seconds and \(nanos) nanoseconds", allowed: "one of the years 1 to 9999 is")
    }
}
