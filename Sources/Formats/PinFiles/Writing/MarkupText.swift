import Bytes
import FeatureFiles
import Geo
import Markup

/// Pins as waypoints of GPX 1.1 (https://www.topografix.com/GPX/1/1/).
struct GPXText: PinText {
    let begin = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Waymark" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:\(PinMarkup.prefix)="\(PinMarkup.namespace)">

        """.utf8)
    let end = Array("</gpx>\n".utf8)

    func add(_ pin: PinRecord, to bytes: inout [UInt8]) {
        let (latitude, longitude) = (DegreesE7.text(pin.position.latitudeE7), DegreesE7.text(pin.position.longitudeE7))
        bytes += "<wpt lat=\"\(latitude)\" lon=\"\(longitude)\">".utf8
        if let time = pin.createdMilliseconds { bytes += "<time>\(FileTime.text(time))</time>".utf8 }
        bytes.add(element: "name", pin.name)
        if !pin.note.isEmpty { bytes.add(element: "desc", pin.note) }
        bytes += "<extensions>".utf8
        bytes.add(ownElement: pin)
        bytes += "</extensions></wpt>\n".utf8
    }
}

/// Pins as placemarks of KML 2.2 (OGC 12-007r2).
struct KMLText: PinText {
    let begin = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:\(PinMarkup.prefix)="\(PinMarkup.namespace)">
        <Document><name>Pins</name>

        """.utf8)
    let end = Array("</Document>\n</kml>\n".utf8)

    func add(_ pin: PinRecord, to bytes: inout [UInt8]) {
        bytes += "<Placemark>".utf8
        bytes.add(element: "name", pin.name)
        if !pin.note.isEmpty { bytes.add(element: "description", html(pin.note)) }
        if let time = pin.createdMilliseconds {
            bytes += "<TimeStamp><when>\(FileTime.text(time))</when></TimeStamp>".utf8
        }
        bytes += "<ExtendedData>".utf8
        bytes.add(ownElement: pin)
        if !pin.note.isEmpty { bytes.add(element: PinMarkup.note, pin.note) }
        let (latitude, longitude) = (DegreesE7.text(pin.position.latitudeE7), DegreesE7.text(pin.position.longitudeE7))
        bytes += "</ExtendedData><Point><coordinates>\(longitude),\(latitude)</coordinates></Point></Placemark>\n".utf8
    }

    /// Descriptions are HTML.
    private func html(_ note: String) -> String {
        Markup.escaped(note.replacing(each: "\r", with: "")).replacing(each: "\n", with: "<br>")
    }
}

extension [UInt8] {
    fileprivate mutating func add(element name: String, _ text: String) {
        self += "<\(name)>".utf8
        self += Markup.escaped(text).utf8
        self += "</\(name)>".utf8
    }

    fileprivate mutating func add(ownElement pin: PinRecord) {
        self += "<\(PinMarkup.prefix):pin".utf8
        let values: KeyValuePairs<String, String> = [
            "id": pin.id, "named": "\(pin.isNamed)", "radius-m": pin.radiusMetres.map { "\($0)" } ?? "",
            "visited": pin.visitedDay,
        ]
        for (name, value) in values where !value.isEmpty { add(attribute: name, value) }
        self += "/>".utf8
        for list in pin.lists {
            self += "<\(PinMarkup.prefix):list".utf8
            add(attribute: "name", list.name)
            if !list.colour.isEmpty { add(attribute: "colour", list.colour) }
            self += "/>".utf8
        }
    }

    private mutating func add(attribute name: String, _ value: String) {
        self += " \(name)=\"".utf8
        self += Markup.escaped(value).utf8
        self.append(UInt8(ascii: "\""))
    }
}
