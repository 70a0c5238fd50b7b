/// A text from elsewhere as UTF-8, whatever it is encoded in: as a byte order mark says it, as XML declares it, or
/// UTF-8, in which single bytes of Windows-1252 may stand.
package final class TextSource: ByteSource {
    private static let pieceBytes = 64 << 10

    private enum Decoder {
        case utf8(LenientUTF8)
        case named(Transcoder, String)
    }

    private let source: any ByteSource
    private var piece = [UInt8](repeating: 0, count: TextSource.pieceBytes)
    /// Bytes as they are stored, until the encoding is known.
    private var head: [UInt8] = []
    private var decoder: Decoder?
    private var text: ArraySlice<UInt8> = []
    private var isAtEnd = false

    package init(_ source: any ByteSource) { self.source = source }

    package var takenBytes: UInt64 { source.takenBytes }
    package var totalBytes: UInt64 { source.totalBytes }

    /// What of the text had to be guessed or replaced so far; nil when nothing had.
    package var doubt: FileNotice? {
        switch decoder {
        case .utf8(let decoder) where decoder.wrongBytes > 0:
            FileNotice("\(Self.bytes(decoder.wrongBytes)) not in UTF-8 and read as Windows-1252")
        case .named(let transcoder, let name) where transcoder.wrongBytes > 0:
            FileNotice("\(Self.bytes(transcoder.wrongBytes)) not in \(name), which it says it is in, and replaced")
        default: nil
        }
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "a byte of it is" : "\(count) bytes of it are" }

    /// The first bytes of the text, at most `count`; they are read again.
    package func peek(_ count: Int) throws(SourceError) -> ArraySlice<UInt8> {
        while text.count < count, try readOn() {}
        return text.prefix(count)
    }

    package func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        while text.isEmpty, try readOn() {}
        let part = text.prefix(room.count)
        unsafe room.copyBytes(from: part)
        text = text.dropFirst(part.count)
        return part.count
    }

    /// Takes the next piece; false when there is none. One that the source pauses has taken nothing.
    private func readOn() throws(SourceError) -> Bool {
        if isAtEnd { return false }
        let count = try source.fill(&piece)
        isAtEnd = count == 0
        guard decoder == nil else {
            add(piece[..<count])
            return true
        }
        head += piece[..<count]
        guard isAtEnd || TextEncoding.isKnown(by: head) else { return true }
        let (encoding, markBytes) = TextEncoding.of(Array(head.prefix(TextEncoding.headBytes)))
        decoder = .utf8(LenientUTF8())
        if case .named(let name) = encoding, let known = Transcoder(name) { decoder = .named(known, name) }
        add(head[markBytes...])
        head = []
        return true
    }

    private func add(_ bytes: ArraySlice<UInt8>) {
        var decoded: [UInt8] = []
        switch decoder {
        case .utf8(var utf8):
            decoder = nil
            decoded = utf8.text(bytes, isLast: isAtEnd)
            decoder = .utf8(utf8)
        case .named(let transcoder, _): decoded = transcoder.text(bytes, isLast: isAtEnd)
        case nil: break
        }
        text = text.isEmpty ? decoded[...] : text + decoded
    }
}
