import PhotoContracts
import FieldRules
import Geo
import Refusals
import Requests

extension PhotoNotes {
    init(_ request: FinishUploadRequest) throws(Refusal) {
        guard let record = request.record else { return }
        title = String(FieldText.trimmed(record.title))
        credit = Credit(
            author: String(FieldText.trimmed(record.author)), licence: String(FieldText.trimmed(record.licence)),
            sourceURL: record.sourceUrl)
        takenMilliseconds = try record.takenTime?.moment(field: "record.taken_time")
        takenOffsetMinutes = try TakenOffset.checked(record.takenOffsetMinutes, record.takenTime, "record")
        if let point = record.position { position = try Geo.Coordinate(point, field: "record.position") }
        tags = PhotoTags.distinct(record.tags)
        guard !record.copyOf.isEmpty else { return }
        let source = try PhotoID(request: record.copyOf, field: "record.copy_of")
        try credit.check(demandsOf: source.network, in: "record")
    }
}
