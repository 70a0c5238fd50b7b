import PhotoContracts
import FieldRules
import Geo
import Refusals
import Requests
import Wire

extension Photo {
    init(_ request: PutPhotoRequest) throws(Refusal) {
        let message = request.photo ?? PhotoContracts.Photo()
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
        let credit = Credit(
            author: String(FieldText.trimmed(message.author)), licence: String(FieldText.trimmed(message.licence)),
            sourceURL: message.sourceUrl)
        try credit.check(demandsOf: id.network)
        self.init(
            id: id, title: String(FieldText.trimmed(message.title)),
            position: try Geo.Coordinate(message.position, field: "photo.position"), credit: credit,
            originalURL: message.originalUrl, width: message.width, height: message.height,
            takenMilliseconds: try message.takenTime?.moment(field: "photo.taken_time"),
            takenOffsetMinutes: try TakenOffset.checked(message.takenOffsetMinutes, message.takenTime, "photo"),
            tags: PhotoTags.distinct(message.tags))
    }
}

extension PhotoFilter {
    init(_ request: PhotosNearRequest) throws(Refusal) {
        let longest = PhotoContracts.Photo.licenceLength.upperBound
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
            networks: Set(request.networks).sorted(),
            licences: Set(request.licences.map { $0.lowercased() }).sorted(), takenFrom: from, takenBefore: before)
    }
}

extension PhotoID {
    init(request text: String, field: String) throws(Refusal) {
        guard let id = PhotoID(text) else { throw FieldForm.photoID.rule.refusal(field, text) }
        self = id
    }
}

/// How far the clocks were ahead where a photo was taken.
enum TakenOffset {
    /// Refuses one without a time.
    static func checked(
        _ minutes: Int32?, _ time: TimestampMessage?, _ message: String
    ) throws(Refusal) -> Int? {
        guard let minutes else { return nil }
        guard time != nil else {
            throw Refusal("\(message).taken_offset_minutes", "it is set without a taken_time")
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
