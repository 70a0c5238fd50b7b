/// A point in one word, in the forms that maps copy.
package enum PointText {
    /// "60.1699,24.9384", possibly with a blank or a bracket, and "geo:60.1699,24.9384;u=35" (RFC 5870). Nil when it is
    /// something else.
    package static func numbers(_ word: String) -> (latitude: String, longitude: String)? {
        let lowered = word.lowercased()
        let isURI = lowered.hasPrefix("geo:")
        let bare = isURI ? String(word.dropFirst(4).prefix { $0 != ";" && $0 != "?" }) : word
        let parts = bare.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }.split(
            separator: ",", omittingEmptySubsequences: false)
        // A third number of a URI is the altitude.
        guard parts.count == 2 || isURI && parts.count == 3 else { return nil }
        guard parts.allSatisfy({ Double($0)?.isFinite == true }) else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// The words of a command, with a point in one word replaced by two, where the command takes LAT and LON.
    static func splitting(_ words: [String], _ positionals: [Positional]) -> [String] {
        guard let index = positionals.firstIndex(where: { $0.name == "LAT" }), words.indices.contains(index) else {
            return words
        }
        var words = words
        if let point = numbers(words[index]) {
            words.replaceSubrange(index...index, with: [point.latitude, point.longitude])
        } else if words.count > index + 1, let point = numbers(words[index] + words[index + 1]),
            words[index].last == ","
        {
            // "60.1699, 24.9384" without quotes.
            words.replaceSubrange(index...index + 1, with: [point.latitude, point.longitude])
        }
        return words
    }
}
