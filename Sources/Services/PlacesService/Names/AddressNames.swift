import Bytes
import Geo
import Texts

/// What of an address is found by itself: its street, and its postcode with its town. Each leads to the first address
/// that is read with it.
struct AddressNames {
    /// As many as of a place that is hardly known.
    static let points = 1.0
    /// Streets of one name whose addresses are in the same town are one; without a town, those in one square of so many
    /// degrees.
    private static let squareDegrees = 0.1

    /// A name, and what it has in common with all addresses that have it.
    struct Name {
        let text: String
        let subject: NameSubject
        let key: UInt64
    }

    let all: [Name]

    /// The same for addresses that have the same names, letter by letter: cheaper than the names.
    static func key(of address: Address) -> UInt64 {
        var hash = StableHash()
        for text in [address.street, address.postcode, address.city] {
            hash.add(text.utf8)
            hash.add(UInt64(text.utf8.count))
        }
        if address.city.isEmpty { add(square: address.position, to: &hash) }
        return hash.value
    }

    private static func add(square position: Coordinate, to hash: inout StableHash) {
        hash.add((position.latitude / squareDegrees).rounded().bitPattern)
        hash.add((position.longitude / squareDegrees).rounded().bitPattern)
    }

    init(_ address: Address) {
        var all: [Name] = []
        func add(_ text: String, _ subject: NameSubject) {
            var hash = StableHash()
            hash.add(subject.rawValue)
            hash.add(FoldedText(text).bytes)
            hash.add(FoldedText(address.city).bytes)
            if address.city.isEmpty { Self.add(square: address.position, to: &hash) }
            all.append(Name(text: text, subject: subject, key: hash.value))
        }
        if !address.street.isEmpty { add(address.street, .street) }
        if !address.postcode.isEmpty { add(address.postcodeAndCity, .postcode) }
        self.all = all
    }
}

extension Address {
    /// "00100 Helsinki", as far as both are known.
    var postcodeAndCity: String { [postcode, city].filter { !$0.isEmpty }.joined(separator: " ") }
}
