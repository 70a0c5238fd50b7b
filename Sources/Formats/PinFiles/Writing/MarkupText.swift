import Bytes
import FeatureFiles
import Geo
import Markup

/// Pins as waypoints of GPX 1.1 (https://www.topografix.com/GPX/1/1/), as several programs read them: OsmAnd has a
/// group, which is a waypoint's type, with its colour, and the day of a visit; Garmin's have a symbol and categories.
struct GPXText: PinText {
    /// Groups beyond so many have no colour of their own: those of their pins are said all the same.
    private static let maximumGroups = 1_000
    private static let garmin = "http://www.garmin.com/xmlschemas/GpxExtensions/v3"
    private static let osmAnd = "https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx"

    /// The first lists of the pins so far.
    private var groups: [(name: String, colour: MarkColour?)] = []
    private var groupNames: Set<String> = []

    let begin = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Waymark" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:osmand="\(osmAnd)" xmlns:gpxx="\(garmin)" xmlns:\(PinMarkup.prefix)="\(PinMarkup.namespace)">

        """.utf8)

    var end: [UInt8] {
        var bytes: [UInt8] = []
        if !groups.isEmpty {
            bytes += "<extensions><osmand:points_groups>".utf8
            for group in groups {
                bytes += "<group".utf8
                bytes.add(attribute: "name", group.name)
                if let colour = group.colour { bytes.add(attribute: "color", "#\(colour.digits)") }
                bytes += " icon=\"special_star\" background=\"circle\"/>".utf8
            }
            bytes += "</osmand:points_groups></extensions>".utf8
        }
        return bytes + "</gpx>\n".utf8
    }

    mutating func add(_ pin: PinRecord, to bytes: inout [UInt8]) {
        let (latitude, longitude) = (DegreesE7.text(pin.position.latitudeE7), DegreesE7.text(pin.position.longitudeE7))
        bytes += "<wpt lat=\"\(latitude)\" lon=\"\(longitude)\">".utf8
        if let time = pin.createdMilliseconds { bytes += "<time>\(FileTime.text(time))</time>".utf8 }
        bytes.add(element: "name", pin.name)
        if !pin.note.isEmpty { bytes.add(element: "desc", pin.note) }
        if let link = pin.link {
            bytes += "<link".utf8
            bytes.add(attribute: "href", link)
            bytes += "/>".utf8
        }
        let list = pin.firstList
        if let colour = list?.colour { bytes.add(element: "sym", colour.symbol) }
        if let list {
            bytes.add(element: "type", list.name)
            if groups.count < Self.maximumGroups, groupNames.insert(list.name).inserted { groups.append(list) }
        }
        bytes += "<extensions>".utf8
        bytes.add(ownElement: pin)
        if let colour = list?.colour { bytes.add(element: "osmand:color", "#\(colour.digits)") }
        if !pin.visitedDay.isEmpty { bytes.add(element: "osmand:visited_date", "\(pin.visitedDay)T00:00:00Z") }
        if !pin.lists.isEmpty {
            bytes += "<gpxx:WaypointExtension><gpxx:Categories>".utf8
            for list in pin.lists { bytes.add(element: "gpxx:Category", list.name) }
            bytes += "</gpxx:Categories></gpxx:WaypointExtension>".utf8
        }
        bytes += "</extensions></wpt>\n".utf8
    }

    func add(_ track: TrackRecord, to bytes: inout [UInt8]) {
        bytes += "<trk>".utf8
        bytes.add(element: "name", track.name)
        bytes += "<extensions>".utf8
        bytes.add(ownLists: track.lists)
        if track.kind == .area { bytes += "<\(PinMarkup.area)/>".utf8 }
        if let colour = track.markColour { bytes.add(element: "osmand:color", "#\(colour.digits)") }
        bytes += "</extensions>".utf8
        for part in track.parts {
            bytes += "<trkseg>".utf8
            for point in part.points { add(point, to: &bytes) }
            if part.isHole { bytes += "<extensions><\(PinMarkup.hole)/></extensions>".utf8 }
            bytes += "</trkseg>".utf8
        }
        bytes += "</trk>\n".utf8
    }

    private func add(_ point: ShapePoint, to bytes: inout [UInt8]) {
        let latitude = DegreesE7.text(point.position.latitudeE7)
        bytes += "<trkpt lat=\"\(latitude)\" lon=\"\(DegreesE7.text(point.position.longitudeE7))\"".utf8
        guard point.heightCentimetres != nil || point.milliseconds != nil else {
            bytes += "/>".utf8
            return
        }
        bytes += ">".utf8
        if let height = point.heightCentimetres { bytes += "<ele>\(Metres.text(centimetres: height))</ele>".utf8 }
        if let time = point.milliseconds { bytes += "<time>\(FileTime.text(time))</time>".utf8 }
        bytes += "</trkpt>".utf8
    }
}

/// Pins as placemarks of KML 2.2 (OGC 12-007r2), those of a list in its folder if they come one after the other. Styles
/// are called as those of Organic Maps, which knows their colours by that. Google's My Maps keeps texts with names
/// (`Data`) and no elements of others: so all is said in both.
struct KMLText: PinText {
    private static let icon = "https://www.gstatic.com/mapspro/images/stock/503-wht-blank_maps.png"

    /// The name of the folder that is open.
    private var folder: String?

    let begin = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" \
        xmlns:\(PinMarkup.prefix)="\(PinMarkup.namespace)">
        <Document><name>Pins</name>
        \(MarkColour.allCases.map(style).joined(separator: "\n"))

        """.utf8)

    var end: [UInt8] { Array("\(folder == nil ? "" : "</Folder>")</Document>\n</kml>\n".utf8) }

    private static func style(_ colour: MarkColour) -> String {
        "<Style id=\"\(colour.style)\"><IconStyle><color>\(colour.reversedDigits)</color>"
            + "<Icon><href>\(icon)</href></Icon></IconStyle></Style>"
    }

    mutating func add(_ pin: PinRecord, to bytes: inout [UInt8]) {
        let list = pin.firstList
        go(to: list?.name, &bytes)
        bytes += "<Placemark>".utf8
        bytes.add(element: "name", pin.name)
        if !pin.note.isEmpty { bytes.add(element: "description", html(pin.note)) }
        let time = pin.createdMilliseconds.map { FileTime.text($0) }
        if let time { bytes += "<TimeStamp><when>\(time)</when></TimeStamp>".utf8 }
        if let colour = list?.colour { bytes.add(element: "styleUrl", "#\(colour.style)") }
        bytes += "<ExtendedData>".utf8
        let data: KeyValuePairs<String, String> = [
            "note": pin.note, "visited_date": pin.visitedDay, "create_time": time ?? "",
            "lists": pin.lists.map(\.name).joined(separator: "\n"),
        ]
        for (name, value) in data where !value.isEmpty {
            bytes += "<Data name=\"\(name)\">".utf8
            bytes.add(element: "value", value)
            bytes += "</Data>".utf8
        }
        bytes.add(ownElement: pin)
        if !pin.note.isEmpty { bytes.add(element: PinMarkup.note, pin.note) }
        let (latitude, longitude) = (DegreesE7.text(pin.position.latitudeE7), DegreesE7.text(pin.position.longitudeE7))
        bytes += "</ExtendedData><Point><coordinates>\(longitude),\(latitude)</coordinates></Point></Placemark>\n".utf8
    }

    mutating func add(_ track: TrackRecord, to bytes: inout [UInt8]) {
        go(to: track.lists.first?.name, &bytes)
        bytes += "<Placemark>".utf8
        bytes.add(element: "name", track.name)
        if let colour = track.markColour {
            let line = "<LineStyle><color>\(colour.reversedDigits)</color><width>4</width></LineStyle>"
            let area = "<PolyStyle><color>\(colour.reversedDigits(opacity: "40"))</color></PolyStyle>"
            bytes += "<Style>\(line)\(track.kind == .area ? area : "")</Style>".utf8
        }
        bytes += "<ExtendedData><\(PinMarkup.track)/>".utf8
        bytes.add(ownLists: track.lists)
        bytes += "</ExtendedData>".utf8
        let areas = track.areas
        let isMany = (track.kind == .area ? areas.count : track.parts.count) > 1
        if isMany { bytes += "<MultiGeometry>".utf8 }
        switch track.kind {
        case .line: for part in track.parts { add(part.hasTimes ? .track : .line, part, to: &bytes) }
        case .area:
            for area in areas {
                bytes += "<Polygon>".utf8
                for ring in area { add(ring.isHole ? .hole : .outline, ring, to: &bytes) }
                bytes += "</Polygon>".utf8
            }
        }
        if isMany { bytes += "</MultiGeometry>".utf8 }
        bytes += "</Placemark>\n".utf8
    }

    private enum Piece {
        case line, track, outline, hole

        var begin: String {
            switch self {
            case .line: "<LineString><tessellate>1</tessellate><coordinates>"
            case .track: "<gx:Track>"
            case .outline: "<outerBoundaryIs><LinearRing><coordinates>"
            case .hole: "<innerBoundaryIs><LinearRing><coordinates>"
            }
        }

        var end: String {
            switch self {
            case .line: "</coordinates></LineString>"
            case .track: "</gx:Track>"
            case .outline: "</coordinates></LinearRing></outerBoundaryIs>"
            case .hole: "</coordinates></LinearRing></innerBoundaryIs>"
            }
        }
    }

    private func add(_ piece: Piece, _ part: TrackRecord.Part, to bytes: inout [UInt8]) {
        bytes += piece.begin.utf8
        if piece == .track {
            for point in part.points {
                bytes += "<when>\(point.milliseconds.map { FileTime.text($0) } ?? "")</when>".utf8
            }
        }
        for point in part.points {
            var numbers = [
                DegreesE7.text(point.position.longitudeE7), DegreesE7.text(point.position.latitudeE7),
            ]
            if let height = point.heightCentimetres { numbers.append(Metres.text(centimetres: height)) }
            if piece == .track {
                bytes += "<gx:coord>\(numbers.joined(separator: " "))</gx:coord>".utf8
            } else {
                bytes += "\(numbers.joined(separator: ",")) ".utf8
            }
        }
        bytes += piece.end.utf8
    }

    private mutating func go(to name: String?, _ bytes: inout [UInt8]) {
        guard name != folder else { return }
        if folder != nil { bytes += "</Folder>\n".utf8 }
        folder = name
        guard let name else { return }
        bytes += "<Folder>".utf8
        bytes.add(element: "name", name)
        bytes.append(UInt8(ascii: "\n"))
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
        add(ownLists: pin.lists)
    }

    fileprivate mutating func add(ownLists lists: [FeatureList]) {
        for list in lists {
            self += "<\(PinMarkup.prefix):list".utf8
            add(attribute: "name", list.name)
            if !list.colour.isEmpty { add(attribute: "colour", list.colour) }
            self += "/>".utf8
        }
    }

    fileprivate mutating func add(attribute name: String, _ value: String) {
        self += " \(name)=\"".utf8
        self += Markup.escaped(value).utf8
        self.append(UInt8(ascii: "\""))
    }
}
