internal import Bytes
internal import CExpat

/// Takes the elements of an XML text in their order.
protocol MarkupVisitor: AnyObject {
    /// An element begins in a line; `attribute` gives the value of one of its attributes.
    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?)
    /// It ends, and had this text beside the elements in it.
    func end(_ name: String, _ text: String)
}

/// Reads XML piece by piece with Expat. Names are those without a namespace. Bytes from outside: depth and texts have
/// limits, and a document type, with which entities could be declared, is refused.
@safe
final class MarkupParser {
    private static let deepest = 64
    private static let ownNamespace = PinMarkup.namespace + "|"
    private static let ownPrefix = PinMarkup.prefix + ":"
    private static let longestText = 4 << 20

    private let parser: XML_Parser
    private let visitor: any MarkupVisitor
    /// Events so far, to notice a text that never ends a tag.
    private(set) var events: UInt64 = 0
    private var names: [String] = []
    private var text: [UInt8] = []
    private var refusal: String?

    /// Nil when there is no memory.
    init?(_ visitor: any MarkupVisitor) {
        guard let parser = unsafe XML_ParserCreateNS(nil, 0x7c) else { return nil }
        unsafe self.parser = parser
        self.visitor = visitor
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(parser, Self.start, Self.finish)
        unsafe XML_SetCharacterDataHandler(parser, Self.characters)
        unsafe XML_SetStartDoctypeDeclHandler(parser, Self.documentType)
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads on; false when the text is no XML, or refused.
    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        let status = unsafe XML_Parse(parser, start, Int32(clamping: bytes.count), isLast ? 1 : 0)
        return status == XML_STATUS_OK && refusal == nil
    }

    /// What is wrong with the text.
    var problem: String {
        let line = unsafe XML_GetCurrentLineNumber(parser)
        if let refusal { return "line \(line): \(refusal)" }
        let words = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? "unreadable"
        return "it is no XML, line \(line): \(words)"
    }

    private static func parser(_ owner: UnsafeMutableRawPointer?) -> MarkupParser? {
        unsafe owner.map { unsafe Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
    }

    /// "http://www.opengis.net/kml/2.2|Placemark" is Placemark; what is in our own namespace keeps a prefix.
    private static func local(_ name: UnsafePointer<CChar>) -> String {
        let name = unsafe String(cString: name).streamSafe
        if let own = name.after(ownNamespace) { return ownPrefix + own }
        return name.utf8.lastIndex(of: 0x7c).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }

    private static let start: XML_StartElementHandler = { owner, name, attributes in
        guard let parser = unsafe parser(owner), let name = unsafe name else { return }
        var values: [String: String] = [:]
        if var pair = unsafe attributes {
            while let key = unsafe pair[0], let value = unsafe pair[1] {
                values[unsafe local(key)] = unsafe String(cString: value).streamSafe
                unsafe pair += 2
            }
        }
        parser.begin(unsafe local(name), values)
    }

    private static let finish: XML_EndElementHandler = { owner, _ in unsafe parser(owner)?.end() }

    private static let characters: XML_CharacterDataHandler = { owner, text, count in
        guard let parser = unsafe parser(owner), let text = unsafe text else { return }
        unsafe parser.add(UnsafeRawBufferPointer(start: text, count: max(0, Int(count))))
    }

    private static let documentType: XML_StartDoctypeDeclHandler = { owner, _, _, _, _ in
        unsafe parser(owner)?.refuse("it declares a document type, which is not read")
    }

    private func refuse(_ reason: String) {
        refusal = refusal ?? reason
        _ = unsafe XML_StopParser(parser, 0)
    }

    private func begin(_ name: String, _ attributes: [String: String]) {
        events += 1
        guard names.count < Self.deepest else { return refuse("it has more than \(Self.deepest) levels") }
        names.append(name)
        text.removeAll(keepingCapacity: true)
        let line = unsafe UInt64(XML_GetCurrentLineNumber(parser))
        visitor.begin(name, line: line) { attributes[$0] }
    }

    private func end() {
        events += 1
        guard let name = names.popLast() else { return }
        visitor.end(name, String(decoding: text, as: UTF8.self).streamSafe)
        text.removeAll(keepingCapacity: true)
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        events += 1
        guard text.count + bytes.count <= Self.longestText else {
            return refuse("a text in it has more than \(Self.longestText) bytes")
        }
        unsafe text.append(contentsOf: bytes)
    }
}
