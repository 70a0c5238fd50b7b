import CExpat
import PictureCalls

extension PictureNotes {
    /// Takes from XMP, an XML text, what is not known yet. What is no XMP, or says nothing of use, changes nothing.
    package mutating func read(xmp: ArraySlice<UInt8>) {
        guard let notes = XMPReader().read(xmp) else { return }
        if case .failure = position, let place = XMPPosition.position(notes) { position = checked(place) }
        if takenMilliseconds == nil {
            takenMilliseconds = XMPReader.times.lazy.compactMap { notes[$0]?.first }.first.flatMap(XMPTime.milliseconds)
        }
        func bytes(_ text: String?) -> [UInt8] { Array((text ?? "").utf8) }
        add(
            title: bytes(notes[.title]?.first), author: bytes(notes[.creator]?.joined(separator: ", ")),
            licence: bytes(notes[.rights]?.first), tags: bytes(notes[.subject]?.joined(separator: "\0")))
    }

    /// Takes from an XMP file beside a picture what is not known yet.
    package mutating func read(sidecar bytes: [UInt8]) { read(xmp: bytes[...]) }
}

/// A property of XMP, by its namespace and its name.
enum XMPProperty: String {
    case title = "http://purl.org/dc/elements/1.1/|title"
    case creator = "http://purl.org/dc/elements/1.1/|creator"
    case rights = "http://purl.org/dc/elements/1.1/|rights"
    case subject = "http://purl.org/dc/elements/1.1/|subject"
    case latitude = "http://ns.adobe.com/exif/1.0/|GPSLatitude"
    case longitude = "http://ns.adobe.com/exif/1.0/|GPSLongitude"
    case original = "http://ns.adobe.com/exif/1.0/|DateTimeOriginal"
    case dateCreated = "http://ns.adobe.com/photoshop/1.0/|DateCreated"
}

/// Collects properties from XML that Expat reads; as attributes or as elements, with lists in them or not. Bytes from
/// outside: everything has a limit, and a document type, with which entities could be declared, is refused.
@safe
final class XMPReader {
    static let times: [XMPProperty] = [.original, .dateCreated]
    /// Bytes of the whole, and of all texts that are kept.
    private static let limit = 1 << 20
    private static let textLimit = 32 << 10
    private static let depth = 32
    /// Texts of one property, so that many tags leave room for the others.
    private static let most = 64

    private var found: [XMPProperty: [String]] = [:]
    /// The property that is open, and in which depth; the depth now; the text since the last element began.
    private var open: (property: XMPProperty, depth: Int)?
    private var depth = 0
    private var text = ""
    private var kept = 0
    private var isRefused = false

    /// Nil for what is no XML, or too large.
    func read(_ xml: ArraySlice<UInt8>) -> [XMPProperty: [String]]? {
        // Writers pad the packet; zeros at its end are none of XML's.
        let xml = Array(xml.prefix { $0 != 0 })
        guard xml.count <= Self.limit, let parser = unsafe XML_ParserCreateNS(nil, 0x7c) else { return nil }
        defer { unsafe XML_ParserFree(parser) }
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(parser, Self.start, Self.end)
        unsafe XML_SetCharacterDataHandler(parser, Self.characters)
        unsafe XML_SetStartDoctypeDeclHandler(parser, Self.documentType)
        let status = unsafe xml.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 1)
        }
        return status == XML_STATUS_OK && !isRefused ? found : nil
    }

    private static func reader(_ owner: UnsafeMutableRawPointer?) -> XMPReader? {
        unsafe owner.map { unsafe Unmanaged<XMPReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let start: XML_StartElementHandler = { owner, name, attributes in
        guard let reader = unsafe reader(owner), let name = unsafe name else { return }
        reader.begin(unsafe String(cString: name))
        guard var pair = unsafe attributes else { return }
        while let name = unsafe pair[0], let value = unsafe pair[1] {
            if let property = XMPProperty(rawValue: unsafe String(cString: name)) {
                reader.keep(unsafe String(cString: value), as: property)
            }
            unsafe pair += 2
        }
    }

    private static let end: XML_EndElementHandler = { owner, _ in unsafe reader(owner)?.finish() }

    private static let characters: XML_CharacterDataHandler = { owner, text, count in
        guard let reader = unsafe reader(owner), let text = unsafe text else { return }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: max(0, Int(count)))
        if reader.open != nil { reader.text += unsafe String(decoding: bytes, as: UTF8.self) }
    }

    private static let documentType: XML_StartDoctypeDeclHandler = { owner, _, _, _, _ in
        unsafe reader(owner)?.isRefused = true
    }

    private func begin(_ name: String) {
        depth += 1
        if depth > Self.depth { isRefused = true }
        text = ""
        if open == nil, let property = XMPProperty(rawValue: name) { open = (property, depth) }
    }

    private func finish() {
        if let open {
            keep(text, as: open.property)
            if depth == open.depth { self.open = nil }
        }
        text = ""
        depth -= 1
    }

    /// Blanks are those between elements.
    private func keep(_ text: String, as property: XMPProperty) {
        guard text.contains(where: { !$0.isWhitespace }), kept + text.utf8.count <= Self.textLimit,
            found[property]?.count ?? 0 < Self.most
        else { return }
        kept += text.utf8.count
        found[property, default: []].append(text)
    }
}

/// The position in XMP: degrees and minutes, or seconds too, and a letter: "60,10.194N" or "60,10,12N".
enum XMPPosition {
    static func position(_ notes: [XMPProperty: [String]]) -> NotedPosition? {
        guard let latitude = degrees(notes[.latitude]?.first, plus: "N", minus: "S"),
            let longitude = degrees(notes[.longitude]?.first, plus: "E", minus: "W")
        else { return nil }
        return NotedPosition(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ text: String?, plus: Character, minus: Character) -> Double? {
        let text = (text ?? "").filter { !$0.isWhitespace }
        guard let letter = text.last, letter == plus || letter == minus else { return nil }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let values = parts.compactMap { $0 }
        guard values.count == parts.count, (2...3).contains(values.count),
            values.allSatisfy({ $0 >= 0 && $0 <= 180 }), values.dropFirst().allSatisfy({ $0 <= 60 })
        else { return nil }
        let degrees = values[0] + values[1] / 60 + (values.count > 2 ? values[2] / 3_600 : 0)
        return letter == plus ? degrees : -degrees
    }
}

/// A time in XMP: "2024-06-21T14:05:33", a fraction and a zone after it or not.
enum XMPTime {
    /// Milliseconds since 1970, as `ExifTime` gives them; nil when it is not such a time.
    static func milliseconds(_ text: String) -> Int64? {
        var bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == 0x2d, bytes[7] == 0x2d, bytes[10] == 0x54 else { return nil }
        bytes[4] = 0x3a
        bytes[7] = 0x3a
        bytes[10] = 0x20
        let zone = bytes[19...].drop { $0 == 0x2e || (0x30...0x39).contains($0) }
        return ExifTime.milliseconds(Array(bytes[..<19]), offset: zone.elementsEqual([0x5a]) ? nil : Array(zone))
    }
}
