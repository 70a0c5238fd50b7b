internal import Bytes
internal import CExpat

/// Takes the elements of an XML text in their order.
package protocol MarkupVisitor: AnyObject {
    /// An element begins in a line; `attribute` gives the value of one of its attributes.
    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?)
    /// It ends, and had this text beside the elements in it.
    func end(_ name: String, _ text: String)
}

/// Reads XML piece by piece with Expat. Names are those without their prefix, whether it is declared or not, but for
/// what is our own. Bytes from outside: depth and texts have limits, and a document type, with which entities could be
/// declared, is refused.
@safe
package final class MarkupParser {
    private static let deepest = 64
    private static let longestText = 4 << 20

    private let parser: XML_Parser
    private let visitor: any MarkupVisitor
    /// Lines of the text before it.
    private let linesBefore: UInt64
    /// While the elements are given to it that were open where it begins: they are not shown again.
    private var isResuming = false
    private var bytesBefore = 0
    /// Events so far, to notice a text that never ends a tag.
    package private(set) var events: UInt64 = 0
    /// Elements that are open, as they are written.
    private(set) var open: [String] = []
    /// Prefixes that stand for our own namespace.
    private var ownPrefixes: [String]
    private var text: [UInt8] = []
    /// Why the text as a whole is not read, though it may be XML.
    private(set) var refusal: String?

    /// Nil when there is no memory.
    package convenience init?(_ visitor: any MarkupVisitor) { self.init(visitor, inside: [], [], linesBefore: 0) }

    /// Reads on behind what `other` could not read, where these elements are still open. Nil when there is no memory.
    convenience init?(after other: MarkupParser, inside open: [String], linesBefore: UInt64) {
        self.init(other.visitor, inside: open, other.ownPrefixes, linesBefore: linesBefore)
    }

    private init?(
        _ visitor: any MarkupVisitor, inside open: [String], _ ownPrefixes: [String], linesBefore: UInt64
    ) {
        // In UTF-8 whatever it declares: it was made so.
        guard let parser = unsafe XML_ParserCreate("UTF-8") else { return nil }
        unsafe self.parser = parser
        self.visitor = visitor
        self.linesBefore = linesBefore
        self.ownPrefixes = ownPrefixes
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(parser, Self.start, Self.finish)
        unsafe XML_SetCharacterDataHandler(parser, Self.characters)
        unsafe XML_SetStartDoctypeDeclHandler(parser, Self.documentType)
        let beginning = Array(open.map { "<\($0)>" }.joined().utf8)
        guard !beginning.isEmpty else { return }
        isResuming = true
        guard feed(beginning[...], isLast: false) else { return nil }
        isResuming = false
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads on; false when the text is no XML, or refused.
    package func feed(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Bool {
        let status = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe XML_Parse(parser, start, Int32(clamping: bytes.count), isLast ? 1 : 0)
        }
        guard status == XML_STATUS_OK, refusal == nil else { return false }
        bytesBefore += bytes.count
        return true
    }

    /// How far of the bytes that it was last given it could read.
    var readBytes: Int { unsafe max(0, Int(XML_GetCurrentByteIndex(parser)) - bytesBefore) }

    /// The line at which it is.
    package var line: UInt64 { unsafe linesBefore + UInt64(XML_GetCurrentLineNumber(parser)) }

    /// Whether nothing is wrong but that there is no more of it.
    var isCutShort: Bool {
        switch unsafe XML_GetErrorCode(parser) {
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION: true
        default: false
        }
    }

    /// Where in the line it is, from 1.
    var column: UInt64 { unsafe UInt64(XML_GetCurrentColumnNumber(parser)) + 1 }

    /// What is wrong with the text there.
    package var problem: String {
        if let refusal { return refusal }
        return unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? "unreadable"
    }

    private static func parser(_ owner: UnsafeMutableRawPointer?) -> MarkupParser? {
        unsafe owner.map { unsafe Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let start: XML_StartElementHandler = { owner, name, attributes in
        guard let parser = unsafe parser(owner), let name = unsafe name else { return }
        var values: [(String, String)] = []
        if var pair = unsafe attributes {
            while let key = unsafe pair[0], let value = unsafe pair[1] {
                values.append((unsafe String(cString: key).streamSafe, unsafe String(cString: value).streamSafe))
                unsafe pair += 2
            }
        }
        parser.begin(unsafe String(cString: name).streamSafe, values)
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
}

// MARK: elements

extension MarkupParser {
    private static let maximumOwnPrefixes = 16

    /// "kml:Placemark" is Placemark; what is in our own namespace has a prefix of ours.
    private func local(_ name: String) -> String {
        // Mostly there is no prefix, and bytes are looked at faster.
        guard name.utf8.contains(UInt8(ascii: ":")), let (prefix, local) = name.halves(atLast: ":") else { return name }
        return ownPrefixes.contains(String(prefix)) ? "\(PinMarkup.prefix):\(local)" : String(local)
    }

    private func begin(_ name: String, _ attributes: [(key: String, value: String)]) {
        events += 1
        guard open.count < Self.deepest else { return refuse("it has more than \(Self.deepest) levels") }
        for (key, value) in attributes {
            guard let prefix = key.after("xmlns:"), value == PinMarkup.namespace else { continue }
            if ownPrefixes.count < Self.maximumOwnPrefixes { ownPrefixes.append(String(prefix)) }
        }
        open.append(name)
        text.removeAll(keepingCapacity: true)
        if isResuming { return }
        visitor.begin(local(name), line: line) { wanted in
            // Names of ours are short: they are compared as wholes.
            let own = attributes.first { $0.key == wanted }
            return (own ?? attributes.first { self.local($0.key) == wanted })?.value
        }
    }

    private func end() {
        events += 1
        guard let name = open.popLast() else { return }
        visitor.end(local(name), String(decoding: text, as: UTF8.self).streamSafe)
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
