/// Addresses of services in sentences that people read: where a service listens inside of a deployment is nobody's
/// business, and says less than its name.
enum InsideAddress {
    private static let punctuation: Set<Character> = [",", ".", ";", ":", ")", "("]

    /// The sentence with `name` in place of each HOST:PORT.
    static func replaced(in sentence: String, by name: String) -> String {
        sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let start = word.prefix { punctuation.contains($0) }
            let rest = word.dropFirst(start.count)
            let end = rest.reversed().prefix { punctuation.contains($0) }.count
            let core = rest.dropLast(end)
            return isAddress(core) ? "\(start)\(name)\(rest.suffix(end))" : String(word)
        }.joined(separator: " ")
    }

    private static func isAddress(_ word: Substring) -> Bool {
        guard let colon = word.lastIndex(of: ":"), colon > word.startIndex else { return false }
        let (host, port) = (word[..<colon], word[word.index(after: colon)...])
        return UInt16(port) != nil && host.utf8.allSatisfy(isOfHost)
    }

    /// Digits and the colon, letters, and what joins them.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || ".-[]".utf8.contains(byte)
    }
}
