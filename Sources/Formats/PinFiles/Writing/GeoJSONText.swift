import FeatureFiles
import Geo
import JSONStream

/// Pins as a FeatureCollection (RFC 7946), one feature in a line.
struct GeoJSONText: PinText {
    private var isFirst = true

    let begin = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
    let end = Array("\n]}\n".utf8)

    mutating func add(_ pin: PinRecord, to bytes: inout [UInt8]) {
        if !isFirst { bytes += ",\n".utf8 }
        isFirst = false
        let text = JSONText()
        text.startObject()
        text.member("type", "Feature")
        if !pin.id.isEmpty { text.member("id", pin.id) }
        text.string("geometry")
        text.startObject()
        text.member("type", "Point")
        text.string("coordinates")
        text.startArray()
        text.number(DegreesE7.text(pin.position.longitudeE7))
        text.number(DegreesE7.text(pin.position.latitudeE7))
        text.endArray()
        text.endObject()
        text.string("properties")
        text.startObject()
        text.member("name", pin.name)
        text.string("is_named")
        text.flag(pin.isNamed)
        if !pin.note.isEmpty { text.member("note", pin.note) }
        if !pin.visitedDay.isEmpty { text.member("visited_date", pin.visitedDay) }
        if let metres = pin.radiusMetres {
            text.string("radius_m")
            text.number("\(metres)")
        }
        if let time = pin.createdMilliseconds { text.member("create_time", FileTime.text(time)) }
        // As maps of the web colour a mark (simplestyle).
        if let colour = pin.firstList?.colour { text.member("marker-color", "#\(colour.digits)") }
        if !pin.lists.isEmpty {
            text.string("lists")
            text.startArray()
            for list in pin.lists {
                text.startObject()
                text.member("name", list.name)
                if !list.colour.isEmpty { text.member("colour", list.colour) }
                text.endObject()
            }
            text.endArray()
        }
        text.endObject()
        text.endObject()
        bytes += text.bytes()
    }
}

extension JSONText {
    fileprivate borrowing func member(_ key: String, _ value: String) {
        string(key)
        string(value)
    }
}
