import Bytes

/// What else a text may say: a postcode with its country before it, an airport by its letters and the word for one.
struct OtherReadings {
    private static let longestCountry = 3
    private static let fewestDigits = 4

    let words: QueryWords

    /// "10117 berlin" of "D-10117 Berlin"; nil when there is no such letter before a number.
    var postcode: [UInt8]? {
        guard words.count >= 2 else { return nil }
        let (country, number) = (words.text(0..<1), words.text(1..<2))
        guard country.count <= Self.longestCountry, country.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }),
            number.count >= Self.fewestDigits, number.allSatisfy(AddressKey.isDigit)
        else { return nil }
        return Array(words.text(1..<words.count))
    }

    /// "jfk" of "JFK airport"; nil when no word is one for an airport, or all are.
    var airport: [UInt8]? {
        let left = words.words.map { words.folded[$0] }.filter { !AirportName.isCommon($0) }
        return left.isEmpty || left.count == words.count ? nil : Array(left.joined(separator: [UInt8(ascii: " ")]))
    }
}
