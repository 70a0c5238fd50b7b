import CExpat

/// An answer of S3, which is a small XML document: elements with text or with other elements in them. Bytes from
/// outside: everything has a limit, and a document type, with which entities could be declared, is refused.
struct S3Document: Equatable, Sendable {
    /// Bytes of a whole answer: a list of 1,000 keys with 1,024 bytes each, three times escaped.
    static let limit = 4 << 20
    private static let elements = 20_000
    private static let depth = 16

    let name: String
    /// Without what surrounds it; empty when there are elements in it.
    fileprivate(set) var text = ""
    fileprivate(set) var children: [S3Document] = []

    fileprivate init(name: String) { self.name = name }

    /// Nil for what is no XML, or too large.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.limit, let root = Reader().read(bytes) else { return nil }
        self = root
    }

    /// The text of the first element of that name in it; nil without one.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    func all(_ name: String) -> [S3Document] { children.filter { $0.name == name } }

    /// Collects what Expat reports, from within one call of `read`.
    @safe
    private final class Reader {
        /// The elements that are open, the outermost first.
        private var open: [S3Document] = []
        private var root: S3Document?
        private var count = 0
        private var isRefused = false

        func read(_ bytes: [UInt8]) -> S3Document? {
            guard let parser = unsafe XML_ParserCreate("UTF-8") else { return nil }
            defer { unsafe XML_ParserFree(parser) }
            unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
            unsafe XML_SetElementHandler(parser, Self.start, Self.end)
            unsafe XML_SetCharacterDataHandler(parser, Self.characters)
            unsafe XML_SetStartDoctypeDeclHandler(parser, Self.documentType)
            let status = unsafe bytes.withUnsafeBytes { bytes in
                unsafe XML_Parse(
                    parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 1)
            }
            return status == XML_STATUS_OK && !isRefused ? root : nil
        }

        private static func reader(_ owner: UnsafeMutableRawPointer?) -> Reader? {
            unsafe owner.map { unsafe Unmanaged<Reader>.fromOpaque($0).takeUnretainedValue() }
        }

        private static let start: XML_StartElementHandler = { owner, name, _ in
            guard let reader = unsafe reader(owner), let name = unsafe name else { return }
            reader.begin(unsafe String(cString: name))
        }

        private static let end: XML_EndElementHandler = { owner, _ in unsafe reader(owner)?.finish() }

        private static let characters: XML_CharacterDataHandler = { owner, text, count in
            guard let reader = unsafe reader(owner), let text = unsafe text else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: max(0, Int(count)))
            reader.add(unsafe String(decoding: bytes, as: UTF8.self))
        }

        private static let documentType: XML_StartDoctypeDeclHandler = { owner, _, _, _, _ in
            unsafe reader(owner)?.isRefused = true
        }

        private func begin(_ name: String) {
            count += 1
            if count > S3Document.elements || open.count >= S3Document.depth { isRefused = true }
            if !isRefused { open.append(S3Document(name: name)) }
        }

        private func add(_ text: String) {
            if !isRefused, let last = open.indices.last { open[last].text += text }
        }

        private func finish() {
            guard !isRefused, var element = open.popLast() else { return }
            if !element.children.isEmpty { element.text = "" }
            guard let above = open.indices.last else { return root = element }
            open[above].children.append(element)
        }
    }
}
