import PlaceContracts
import TestTools
import Wire

@testable import PlacesService

/// A file of changes, as it is written for tests.
struct ChangeFile {
    private var parts: [String] = []

    mutating func create(_ element: OSMElement, at time: String = "2026-05-01T10:00:00Z") {
        parts.append("<create>\(Self.text(element, time))</create>")
    }

    mutating func modify(_ element: OSMElement, at time: String = "2026-05-01T10:00:00Z") {
        parts.append("<modify>\(Self.text(element, time))</modify>")
    }

    /// Says of an element that it is gone, as Osmosis does: without what it was.
    mutating func delete(_ kind: OSMElement.Kind, _ id: Int64, at time: String = "2026-05-01T10:00:00Z") {
        parts.append("<delete><\(kind) id=\"\(id)\" version=\"9\" timestamp=\"\(time)\"/></delete>")
    }

    /// Adds a piece of XML.
    mutating func add(_ text: String) { parts.append(text) }

    var text: String {
        "<?xml version='1.0' encoding='UTF-8'?>\n<osmChange version=\"0.6\" generator=\"test\">\n"
            + parts.joined(separator: "\n") + "\n</osmChange>\n"
    }

    private static func text(_ element: OSMElement, _ time: String) -> String {
        let start = "<\(element.kind) id=\"\(element.id)\" version=\"2\" timestamp=\"\(time)\""
        var inside = ""
        var place = ""
        switch element.shape {
        case .point(let latitude, let longitude):
            place = " lat=\"\(Double(latitude) / 1e9)\" lon=\"\(Double(longitude) / 1e9)\""
        case .line(let nodes): inside = nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
        case .members(let members):
            inside = members.map {
                "<member type=\"\($0.kind)\" ref=\"\($0.id)\" role=\"\(String(decoding: $0.role, as: UTF8.self))\"/>"
            }.joined()
        }
        for tag in element.tags {
            let (key, value) = (String(decoding: tag.key, as: UTF8.self), String(decoding: tag.value, as: UTF8.self))
            inside += "<tag k=\"\(key)\" v=\"\(value.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))\"/>"
        }
        return "\(start)\(place)>\(inside)</\(element.kind)>"
    }
}

extension OSMElement {
    static func node(_ id: Int64, _ latitude: Double, _ longitude: Double, _ tags: [(String, String)] = []) -> Self {
        OSMElement(
            id: id, tags: tags.map { Tag(key: Array($0.0.utf8), value: Array($0.1.utf8)) },
            shape: .point(
                latitude: Int64((latitude * 1e7).rounded()) * 100, longitude: Int64((longitude * 1e7).rounded()) * 100))
    }

    static func way(_ id: Int64, _ nodes: [Int64], _ tags: [(String, String)] = []) -> Self {
        OSMElement(id: id, tags: tags.map { Tag(key: Array($0.0.utf8), value: Array($0.1.utf8)) }, shape: .line(nodes))
    }

    static func relation(_ id: Int64, _ members: [Member], _ tags: [(String, String)] = []) -> Self {
        OSMElement(
            id: id, tags: tags.map { Tag(key: Array($0.0.utf8), value: Array($0.1.utf8)) }, shape: .members(members))
    }
}

extension PBFFile {
    /// A file of elements, some in each blob.
    init(_ elements: [OSMElement], perBlob: Int = 3, header: PbfHeader = PbfHeader()) {
        var own = header
        own.requiredFeatures = ["OsmSchema-V0.6", "DenseNodes"]
        self.init(header: own)
        for kind in OSMElement.Kind.allCases {
            let ofKind = elements.filter { $0.kind == kind }
            for start in stride(from: 0, to: ofKind.count, by: perBlob) {
                add(PbfBlock(Array(ofKind[start..<min(start + perBlob, ofKind.count)])))
            }
        }
    }
}
