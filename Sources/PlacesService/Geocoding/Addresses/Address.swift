import Bytes
import Contracts
import Geo

/// A house by street and number.
struct Address: Sendable {
    var street = ""
    var number = ""
    var postcode = ""
    /// From the source; empty when it has none.
    var city = ""
    var position: Geo.Coordinate
    /// The attribution and the licence of its source.
    var attribution = ""
    var licence = ""

    /// The full name: "Mannerheimintie 22".
    var name: String { "\(street) \(number)" }

    /// The same in the order of its country: "1 Canal St".
    func name(in countryCode: String) -> String {
        Self.numberFirst.contains(countryCode) ? "\(number) \(street)" : name
    }

    /// Countries where the number stands before the street.
    private static let numberFirst: Set<String> = [
        "AU", "BB", "BH", "BS", "BW", "BZ", "CA", "FJ", "FR", "GB", "GG", "GH", "GY", "HK", "IE", "IL", "IM", "IN",
        "JE",
        "JM", "KE", "LK", "LU", "MC", "MT", "MU", "MY", "NC", "NG", "NZ", "PF", "PH", "PK", "RE", "SG", "TH", "TT",
        "TW",
        "TZ", "UG", "US", "VN", "ZA", "ZM", "ZW",
    ]

    /// The key for an exact look-up.
    var key: UInt64 { AddressKey.hash(street: FoldedText(street).bytes, number: FoldedText(number).bytes) }

    /// All keys for looking it up: the exact one, and one for each number in it: "22-24" is found as "22" and as "24",
    /// "12 B" as "12", "8, Floor 6" as "8".
    var keys: Set<UInt64> {
        let street = FoldedText(street).bytes
        let words = FoldedText(number).bytes.split(separator: AddressKey.blank)
        let numbers = words.prefix { $0.first.map(AddressKey.isDigit) == true }
        return Set(numbers.map { AddressKey.hash(street: street, number: $0) } + [key])
    }
}

extension Address {
    /// The address of a place; nil when it has no street or no number.
    init?(_ place: Place, facts: DatasetFacts) {
        self.init(near: place, facts)
        if street.isEmpty || number.isEmpty { return nil }
    }

    /// As much of an address as a place has. Places of live networks have no facts.
    init?(near place: Place, _ facts: DatasetFacts?) {
        guard let point = place.position,
            let position = try? Geo.Coordinate(latitude: point.latitude, longitude: point.longitude)
        else { return nil }
        self.init(position: position, attribution: facts?.attribution ?? "", licence: facts?.licence ?? "")
        for attribute in place.attributes { take(attribute.key, attribute.value) }
    }

    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "street", "addr:street": street = value
        case "housenumber", "addr:housenumber": number = value
        case "postcode", "addr:postcode": postcode = value
        case "city", "addr:city": city = value
        default: break
        }
    }
}

/// The form for looking up addresses: the street in its shortest form without its blanks, and the number in one form.
enum AddressKey {
    static let blank = UInt8(ascii: " ")
    private static let between = UInt8(ascii: "|")

    /// The hash of a folded street and a folded number.
    static func hash(street: some Collection<UInt8>, number: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        hash.add(StreetWords.shortest(street))
        hash.add(between)
        hash.add(joined(number))
        return hash.value
    }

    /// "22 b" is "22b", but "3 5", which was "3-5", is not "35".
    private static func joined(_ number: some Sequence<UInt8>) -> [UInt8] {
        var joined: [UInt8] = []
        var isBehindBlank = false
        for byte in number {
            if byte == blank {
                isBehindBlank = true
                continue
            }
            if isBehindBlank, isDigit(byte), joined.last.map(isDigit) == true { joined.append(blank) }
            isBehindBlank = false
            joined.append(byte)
        }
        return joined
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
