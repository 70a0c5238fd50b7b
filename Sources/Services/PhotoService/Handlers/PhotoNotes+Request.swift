import Contracts
import Geo
import Refusals
import Requests

extension PhotoNotes {
    init(_ request: FinishUploadRequest) throws(Refusal) {
        guard let record = request.record else { return }
        title = try Self.text("title", PhotoRecord.titleLength, allowsLines: true).checked(record.title)
        credit = Credit(
            author: try Self.text("author", PhotoRecord.authorLength).checked(record.author),
            licence: try Self.text("licence", PhotoRecord.licenceLength).checked(record.licence),
            sourceURL: try WebAddress(field: "record.source_url", schemes: WebAddress.page.schemes)
                .checked(record.sourceUrl))
        takenMilliseconds = try record.takenTime?.moment(field: "record.taken_time")
        takenOffsetMinutes = try TakenOffset.checked(record.takenOffsetMinutes, record.takenTime, "record")
        if let point = record.position { position = try Geo.Coordinate(point, field: "record.position") }
        tags = try PhotoTags.checked(record.tags, field: "record.tags")
        guard !record.copyOf.isEmpty else { return }
        let source = try PhotoID(request: record.copyOf, field: "record.copy_of")
        try credit.check(demandsOf: source.network, in: "record")
    }

    private static func text(_ name: String, _ length: ClosedRange<Int>, allowsLines: Bool = false) -> TextLimit {
        TextLimit(field: "record.\(name)", characters: length.upperBound, allowsLines: allowsLines)
    }
}
