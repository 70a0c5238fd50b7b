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
        text.lists(pin.lists)
        text.endObject()
        text.endObject()
        bytes += text.bytes()
    }

    mutating func add(_ track: TrackRecord, to bytes: inout [UInt8]) {
        if !isFirst { bytes += ",\n".utf8 }
        isFirst = false
        let text = JSONText()
        text.startObject()
        text.member("type", "Feature")
        text.string("geometry")
        text.startObject()
        switch track.kind {
        case .line: text.lines(track.parts)
        case .area: text.areas(track.areas)
        }
        text.endObject()
        text.string("properties")
        text.startObject()
        text.member("name", track.name)
        if let colour = track.markColour {
            text.member("stroke", "#\(colour.digits)")
            if track.kind == .area { text.member("fill", "#\(colour.digits)") }
        }
        text.lists(track.lists)
        text.times(track)
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

    fileprivate borrowing func lines(_ parts: [TrackRecord.Part]) {
        member("type", parts.count == 1 ? "LineString" : "MultiLineString")
        string("coordinates")
        if parts.count != 1 { startArray() }
        for part in parts { positions(part) }
        if parts.count != 1 { endArray() }
    }

    fileprivate borrowing func areas(_ areas: [[TrackRecord.Part]]) {
        member("type", areas.count == 1 ? "Polygon" : "MultiPolygon")
        string("coordinates")
        if areas.count != 1 { startArray() }
        for area in areas {
            startArray()
            for ring in area { positions(ring) }
            endArray()
        }
        if areas.count != 1 { endArray() }
    }

    private borrowing func positions(_ part: TrackRecord.Part) {
        startArray()
        for point in part.points {
            startArray()
            number(DegreesE7.text(point.position.longitudeE7))
            number(DegreesE7.text(point.position.latitudeE7))
            if let height = point.heightCentimetres { number(Metres.text(centimetres: height)) }
            endArray()
        }
        endArray()
    }

    /// GeoJSON has none: as the readers of GPX for the web's maps write them (togeojson).
    fileprivate borrowing func times(_ track: TrackRecord) {
        guard track.kind == .line, track.parts.contains(where: \.hasTimes) else { return }
        string("coordTimes")
        if track.parts.count != 1 { startArray() }
        for part in track.parts {
            startArray()
            for point in part.points {
                string(point.milliseconds.map { FileTime.text($0) } ?? "")
            }
            endArray()
        }
        if track.parts.count != 1 { endArray() }
    }

    fileprivate borrowing func lists(_ lists: [FeatureList]) {
        guard !lists.isEmpty else { return }
        string("lists")
        startArray()
        for list in lists {
            startObject()
            member("name", list.name)
            if !list.colour.isEmpty { member("colour", list.colour) }
            endObject()
        }
        endArray()
    }
}
