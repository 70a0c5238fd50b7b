import Bytes
import FeatureFiles

/// The parts of an address as a file gives them, and the row that they make.
struct AddressFields {
    /// Bytes of a word behind a house number that still belongs to it.
    private static let longestPart = 4

    var street = ""
    var number = ""
    var city = ""
    var postcode = ""

    init() {}

    /// Takes a street and a number from one text: "1 Canal St, New Orleans" or "Hauptstr. 5 a".
    init(line: String) {
        let parts = line.split(at: ",", maxSplits: 1).map { String($0).withoutBlanks }
        let words = (parts.first ?? "").split(at: " ").map(String.init)
        if let first = words.first, words.count > 1, Self.isNumber(first) {
            number = first
            street = words.dropFirst().joined(separator: " ")
        } else if let start = words.indices.dropFirst().first(where: { index in
            Self.isNumber(words[index]) && words[index...].dropFirst().allSatisfy { $0.utf8.count <= Self.longestPart }
        }) {
            street = words[..<start].joined(separator: " ")
            number = words[start...].joined(separator: " ")
        } else {
            street = words.joined(separator: " ")
        }
        let rest = parts.dropFirst().first ?? ""
        if !rest.utf8.contains(where: Self.isDigit), !rest.holds(",") { city = rest }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Digits, at most with a letter behind them, or a range of them: but not "5th".
    private static func isNumber(_ word: String) -> Bool {
        guard word.utf8.first.map(isDigit) == true else { return false }
        let letters = word.unicodeScalars.filter(\.properties.isAlphabetic).count
        return letters <= 1
    }

    /// Makes the row of a house that has nothing but an address; `row.id` is nil when the file has none. One without a
    /// number is the street's.
    /// - Parameter others: what else the file says.
    func fill(_ row: inout PlaceRow, others: [(key: String, value: String)] = []) throws(RowProblem) {
        guard !street.isEmpty else { throw RowProblem("it has no street") }
        row.name = number.isEmpty ? street : "\(street) \(number)"
        row.categories = AddressCategory.path
        let parts = [("street", street), ("housenumber", number), ("postcode", postcode), ("city", city)]
        row.attributes = parts.filter { !$0.1.isEmpty }.map { (key: $0.0, value: $0.1) } + others
        if row.id ?? "" == "" { row.id = Self.id(of: row) }
    }

    /// An id made of all that a row says: two houses are never taken for one because they are called the same.
    private static func id(of row: PlaceRow) -> String {
        var hash = StableHash()
        hash.add(row.latitude.bitPattern)
        hash.add(row.longitude.bitPattern)
        for (key, value) in row.attributes {
            hash.add(list: [Array(key.utf8), Array(value.utf8)])
        }
        return "a" + String(hash.value, radix: 16)
    }
}
