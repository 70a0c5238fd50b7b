import Glibc

/// Finds code that judges text by `Character`. A Character is whatever Unicode draws as one, so a "<" behind U+0D4E or
/// before U+0301 is none that equals "<", though browsers, terminals and other programs see it: text from outside got
/// past decisions that way. Bytes and scalars are judged instead: `utf8`, `unicodeScalars`, `Bytes/ScalarText.swift`.
///
/// It knows no types, and goes by what calls look like.
enum CharacterRule {
    /// Files that may, by the beginning of their paths, and why.
    static let allowed: KeyValuePairs<String, String> = [
        "Sources/Messages/ProtoGen/": "it reads our own .proto files, when code is generated",
        "Sources/Messages/ProtoSchema/": "names in our own .proto files",
        "Sources/Programs/Terminal/DisplayWidth.swift":
            "columns of a terminal: what is drawn as one is what counts there",
        "Benchmarks/": "they read what they wrote themselves, and the kernel",
    ]

    /// How far up a name may stand that says that scalars or bytes are meant.
    private static let reach = 3
    /// A line without any of these compares nothing: regular expressions take long.
    private static let signs = [
        "hasPrefix", "hasSuffix", "haracter", ".is", "split", "contains(", "replacing(", "Range", "ranges", "trimming",
        "starts(", "Index(of:", ".first ", ".last ", "$0 ", "case \"", "Value",
    ]

    /// The lines, counted from 1, that compare Characters.
    static func lines(in file: TextFile) -> [Int] {
        guard !allowed.contains(where: { file.path.hasPrefix($0.key) }) else { return [] }
        return file.code.indices.filter { index in
            let line = String(file.lines[index])
            guard signs.contains(where: { strstr(line, $0) != nil }), !isBlank(file.code[index]) else { return false }
            return isOfCharacters(file.code[index]) || isComparison(line[...]) || isLooseClosure(index, in: file)
                || isCase(index, in: file)
        }.map { $0 + 1 }
    }

    private static func isBlank(_ code: Substring) -> Bool { code.utf8.allSatisfy { $0 <= 0x20 } }

    /// What only Characters have, and texts only by them.
    private static func isOfCharacters(_ code: Substring) -> Bool {
        // No "\b" before "has": between the letters of "a.hasPrefix" Swift sees no boundary.
        if code.contains(/has(Prefix|Suffix)|\bCharacter\b|\bcharacter in\b|\.split\(whereSeparator/) { return true }
        let names = /\.(isLetter|isNumber|isNewline|isPunctuation|isSymbol|isCased|isUppercase|isLowercase)\b([^(]|$)/
        let others = /\.(isWholeNumber|wholeNumberValue|hexDigitValue|asciiValue)\b/
        let plain = code.replacing("properties.", with: "properties_")
        return plain.contains(names) || plain.contains(others)
    }

    /// A search for, or a comparison with, a text in quotes that is not one of bytes or scalars.
    private static func isComparison(_ line: Substring) -> Bool {
        let calls =
            /\.(contains|replacing|firstRange|ranges|trimmingPrefix|starts|split)\((of: |with: |separator: )?"[^"]*"(?!\.)/
        let signs = /\.(firstIndex\(of: |lastIndex\(of: |(first|last) (==|!=) )"([^"\\]|\\[^u(]|\\u\{\w+\})"/
        let plain = line.replacing(/(utf8|[sS]calars)\.(\w)/) { "\($0.1)_\($0.2)" }
        return plain.contains(calls) || plain.contains(signs) || plain.contains(/"\.contains\(/)
    }

    /// `{ $0 == "x" }` where nothing says what `$0` is.
    private static func isLooseClosure(_ index: Int, in file: TextFile) -> Bool {
        let sign = /\$0 (==|!=) "([^"\\]|\\[^u(]|\\u\{\w+\})"|(\$0|\\)\.(isWhitespace|isHexDigit)\b/
        guard file.lines[index].contains(sign) else { return false }
        let above = file.lines[max(0, index - reach)...index]
        return !above.contains { $0.contains(/[sS]calar|utf8/) }
    }

    /// `case "x":` in a switch over something else than a scalar.
    private static func isCase(_ index: Int, in file: TextFile) -> Bool {
        guard file.lines[index].contains(/^\s*case "([^"\\]|\\[^u(]|\\u\{\w+\})"/) else { return false }
        let subject = file.code[...index].last { $0.contains("switch ") }
        return !(subject?.contains(/[sS]calar|hemisphere/) ?? false)
    }
}
