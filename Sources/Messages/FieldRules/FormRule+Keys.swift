import Bytes
import Refusals

// What programs call things, and what is written in a fixed way.
extension FormRule {
    static let uuid = FormRule(
        "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", allowed: "a UUID is",
        takes: { text in
            var place = 0
            return text.utf8.count == 36
                && text.utf8.allSatisfy { byte in
                    defer { place += 1 }
                    return [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : ASCII.isHexDigit(byte)
                }
        })

    static let requestID = FormRule(
        "[!-~]{1,64}", allowed: "at most 64 printable ASCII characters are",
        takes: { (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(ASCII.isVisible) })

    static let sha256 = FormRule(
        "[0-9A-Fa-f]{64}", allowed: "64 hexadecimal digits are",
        takes: { $0.utf8.count == 64 && $0.utf8.allSatisfy(ASCII.isHexDigit) })

    /// The value is not repeated: it may be nearly right. White space and slashes around it are of pasting.
    static let key = FormRule(
        "[\(Classes.space)]*[!-~]{0,499}[!-.0-~][\(Classes.space)/]*",
        problem: { _ in "1 to 500 visible characters of ASCII are allowed" },
        takes: { text in
            let key = trimmedKey(text)
            return (1...500).contains(key.utf8.count) && key.utf8.allSatisfy(ASCII.isVisible)
        })

    static let datasetName = FormRule(
        "[a-z0-9_-]{1,63}", allowed: "1 to 63 of a-z, 0-9, '-' and '_' are",
        takes: { (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(ASCII.isWord) })

    static let network = FormRule(
        "[a-z][a-z0-9_-]{0,31}",
        allowed: "the name of a network is: lower-case letters, digits, - and _, at most 32 of them",
        takes: { isNetwork($0[...]) })

    static let photoID = FormRule(
        idThere,
        allowed: "<network>/<id there> is: the network of lower-case letters, digits, - and _, at most 32 of them, "
            + "the id of at most 1,024 bytes without control characters",
        takes: isIDThere)

    static let placeID = FormRule(
        idThere, allowed: "\"<network>/<id at that network>\" is", takes: isIDThere)

    static let albumSubject = FormRule(
        "(?:pin/[0-9A-Za-z-]{1,64}|place/[^\(Classes.control)]{1,1100})",
        allowed: "\"pin/<id of the pin>\" or \"place/<id of the place>\" is",
        takes: { text in
            if let pin = text.after("pin/") {
                return (1...64).contains(pin.utf8.count)
                    && pin.utf8.allSatisfy { ASCII.isAnyLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
            }
            guard let place = text.after("place/") else { return false }
            return (1...1_100).contains(place.utf8.count) && FieldText.isPlain(place)
        })

    static let countryCode = FormRule(
        "[A-Za-z]{2}", allowed: "two letters as in FI are",
        takes: { $0.utf8.count == 2 && $0.utf8.allSatisfy(ASCII.isAnyLetter) })

    static let language = FormRule(
        "(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)?",
        allowed: "a tag of BCP 47 is, as pt-BR; empty for the reader's",
        takes: { text in
            if text.isEmpty { return true }
            let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            return parts[0].count > 1 && parts[0].allSatisfy(ASCII.isAnyLetter)
                && parts.allSatisfy { part in
                    (1...8).contains(part.count) && part.allSatisfy { ASCII.isAnyLetter($0) || ASCII.isDigit($0) }
                }
        })

    static let day = FormRule(
        "(?:\(realDay))?", allowed: "a day is, as 2026-05-04, or nothing", takes: { $0.isEmpty || isDay($0) })

    private static let idThere = "[a-z][a-z0-9_-]{0,31}/[^\(Classes.control)]{1,1024}"

    private static func isIDThere(_ text: String) -> Bool {
        guard let (network, id) = text.halves(at: "/") else { return false }
        return isNetwork(network) && (1...1_024).contains(id.utf8.count) && FieldText.isPlain(id)
    }

    private static func isNetwork(_ name: Substring) -> Bool {
        (1...32).contains(name.utf8.count) && name.utf8.first.map(ASCII.isSmallLetter) == true
            && name.utf8.allSatisfy(ASCII.isWord)
    }

    /// Without what may stand around a key.
    package static func trimmedKey(_ text: String) -> Substring {
        var scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        while let last = scalars.last, last.properties.isWhitespace || last == "/" { scalars.removeLast() }
        return Substring(scalars)
    }

    /// A day that there is, of the years 0000 to 9999.
    private static let realDay =
        "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
        + "|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])"
        + "|(?:[02468][048]|[13579][26])00)-02-29"

    private static func isDay(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(ASCII.isDigit) }),
            let year = Int(Substring(parts[0])), let month = Int(Substring(parts[1])),
            let day = Int(Substring(parts[2]))
        else { return false }
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...days[month - 1]).contains(day)
    }
}
