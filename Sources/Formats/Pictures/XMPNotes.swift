import Bytes
import CExpat
import PictureCalls

extension PictureNotes {
    /// Takes from XMP in the picture, an XML text, what is not known yet. What is no XMP, or says nothing of use,
    /// changes nothing.
    package mutating func read(xmp: ArraySlice<UInt8>) {
        guard let found = XMPReader().read(xmp) else { return }
        if case .failure = position, let place = XMPPosition.position(found) { position = checked(place) }
        if takenMilliseconds == nil, let time = XMPReader.time(found) { take(time) }
        let texts = XMPTexts(found)
        add(title: texts.title, author: texts.author, licence: texts.licence, tags: texts.tags)
        addCamera(found)
    }

    /// Takes from an XMP file beside a picture all that it says: it was written because a person corrected something.
    package mutating func read(sidecar bytes: [UInt8]) {
        guard let found = XMPReader().read(bytes[...]) else { return }
        if let place = XMPPosition.position(found), case .success = checked(place) { position = .success(place) }
        // One that repeats what the clock showed keeps what the camera knew of its zone.
        if let time = XMPReader.time(found), time.offsetMinutes != nil || time.milliseconds != clockMilliseconds {
            take(time)
        }
        let (texts, old) = (XMPTexts(found), (title, author, licence, tags))
        (title, author, licence, tags) = ([], [], [], [])
        add(title: texts.title, author: texts.author, licence: texts.licence, tags: texts.tags)
        add(title: old.0, author: old.1, licence: old.2, tags: old.3)
        // Programs repeat there what the picture says, sometimes in other words.
        addCamera(found)
    }

    private mutating func addCamera(_ found: [XMPProperty: [String]]) {
        func bytes(_ property: XMPProperty) -> [UInt8] { Array((found[property]?.first ?? "").utf8) }
        let lens = bytes(.lensModel)
        addCamera(make: bytes(.make), model: bytes(.model), lens: lens.isEmpty ? bytes(.lens) : lens)
    }
}

/// The texts that XMP has for a photo; empty where it has none.
private struct XMPTexts {
    let title: [UInt8]
    let author: [UInt8]
    let licence: [UInt8]
    let tags: [UInt8]

    init(_ found: [XMPProperty: [String]]) {
        func bytes(_ text: String?) -> [UInt8] { Array((text ?? "").utf8) }
        title = bytes(XMPProperty.titles.lazy.compactMap { found[$0]?.first }.first)
        author = bytes(found[.creator]?.joined(separator: ", "))
        licence = bytes(found[.rights]?.first)
        tags = bytes(found[.subject]?.joined(separator: "\0"))
    }
}

/// A property of XMP, by its namespace and its name.
enum XMPProperty: String {
    case title = "http://purl.org/dc/elements/1.1/|title"
    case description = "http://purl.org/dc/elements/1.1/|description"
    case headline = "http://ns.adobe.com/photoshop/1.0/|Headline"
    case imageDescription = "http://ns.adobe.com/tiff/1.0/|ImageDescription"
    case creator = "http://purl.org/dc/elements/1.1/|creator"
    case rights = "http://purl.org/dc/elements/1.1/|rights"
    case subject = "http://purl.org/dc/elements/1.1/|subject"
    case latitude = "http://ns.adobe.com/exif/1.0/|GPSLatitude"
    case latitudeRef = "http://ns.adobe.com/exif/1.0/|GPSLatitudeRef"
    case longitude = "http://ns.adobe.com/exif/1.0/|GPSLongitude"
    case longitudeRef = "http://ns.adobe.com/exif/1.0/|GPSLongitudeRef"
    case original = "http://ns.adobe.com/exif/1.0/|DateTimeOriginal"
    case dateCreated = "http://ns.adobe.com/photoshop/1.0/|DateCreated"
    case created = "http://ns.adobe.com/xap/1.0/|CreateDate"
    case make = "http://ns.adobe.com/tiff/1.0/|Make"
    case model = "http://ns.adobe.com/tiff/1.0/|Model"
    case lens = "http://ns.adobe.com/exif/1.0/aux/|Lens"
    case lensModel = "http://cipa.jp/exif/1.0/|LensModel"

    /// What says what is to be seen, the best first: programs have one field for it, or several.
    static let titles: [XMPProperty] = [.title, .description, .headline, .imageDescription]
    /// What says when it was taken, the best first.
    static let times: [XMPProperty] = [.original, .dateCreated, .created]
}

/// Collects properties from XML that Expat reads; as attributes or as elements, with lists in them or not. Bytes from
/// outside: everything has a limit, and a document type, with which entities could be declared, is refused.
@safe
final class XMPReader {
    /// Bytes of the whole, and of all texts that are kept.
    private static let limit = 1 << 20
    private static let maximumTextBytes = 32 << 10
    private static let depth = 32
    /// Texts of one property, so that many tags leave room for the others.
    private static let maximum = 64

    private var found: [XMPProperty: [String]] = [:]
    /// The property that is open, and in which depth; the depth now; the text since the last element began.
    private var open: (property: XMPProperty, depth: Int)?
    private var depth = 0
    private var text = ""
    private var kept = 0
    private var isRefused = false

    static func time(_ found: [XMPProperty: [String]]) -> ClockTime? {
        XMPProperty.times.lazy.compactMap { found[$0]?.first }.compactMap { ClockTime(xmp: $0) }.first
    }

    /// Nil for what is no XML, or too large.
    func read(_ xml: ArraySlice<UInt8>) -> [XMPProperty: [String]]? {
        // Writers pad the packet; zeros at its end are none of XML's. In UTF-16 every other byte is one.
        let isWide = xml.starts(with: [0xff, 0xfe]) || xml.starts(with: [0xfe, 0xff])
        let xml = isWide ? Array(xml) : Array(xml.prefix { $0 != 0 })
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
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
            kept + text.utf8.count <= Self.maximumTextBytes,
            found[property]?.count ?? 0 < Self.maximum
        else { return }
        kept += text.utf8.count
        found[property, default: []].append(text)
    }
}

/// The position in XMP: degrees and minutes, or seconds too, and a letter: "60,10.194N" or "60,10,12N". Programs also
/// write decimal degrees, with a sign, or with the letter in a property of its own as EXIF has it.
enum XMPPosition {
    static func position(_ found: [XMPProperty: [String]]) -> NotedPosition? {
        let north = degrees(found[.latitude]?.first, found[.latitudeRef]?.first, plus: "N", minus: "S", limit: 90)
        let east = degrees(found[.longitude]?.first, found[.longitudeRef]?.first, plus: "E", minus: "W", limit: 180)
        guard let north, let east else { return nil }
        return NotedPosition(latitude: north, longitude: east)
    }

    private static func degrees(
        _ text: String?, _ reference: String?, plus: Unicode.Scalar, minus: Unicode.Scalar, limit: Double
    ) -> Double? {
        var bytes = Array((text ?? "").utf8).filter { $0 > 0x20 }
        func half(_ byte: UInt8?) -> Double? {
            guard let byte else { return nil }
            let letter = Unicode.Scalar(byte & ~0x20)
            return letter == plus ? 1 : letter == minus ? -1 : nil
        }
        var sign = half((reference ?? "").utf8.first { $0 > 0x20 })
        if let own = half(bytes.last) {
            sign = own
            bytes.removeLast()
        }
        guard bytes.allSatisfy({ "0123456789.,-+".utf8.contains($0) }) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let values = parts.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        guard values.count == parts.count, let first = values.first, values.count <= 3 else { return nil }
        let degrees = values[0] + (values.count > 1 ? values[1] / 60 : 0) + (values.count > 2 ? values[2] / 3_600 : 0)
        guard degrees.magnitude <= limit else { return nil }
        // Only decimals have a sign, and they need no letter.
        if values.count == 1 { return first < 0 ? first : first * (sign ?? 1) }
        guard values.allSatisfy({ $0 >= 0 }), values.dropFirst().allSatisfy({ $0 <= 60 }) else { return nil }
        return sign.map { $0 * degrees }
    }
}
