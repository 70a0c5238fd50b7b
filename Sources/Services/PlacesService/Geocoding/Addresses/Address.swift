import Bytes
import PlaceContracts
import Geo
import Texts

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

    /// Numbers that are farther apart are no range.
    private static let maximumBetween = 60

    /// The key for an exact look-up.
    func key(_ words: StreetWords) -> AddressKey {
        AddressKey(street: FoldedText(street).bytes, number: FoldedText(number).bytes, words)
    }

    /// All keys for looking it up: the exact one, and one for each number in it: "22-26" is found as "22", "24" and
    /// "26", "12 B" as "12", "8, Floor 6" as "8".
    func keys(_ words: StreetWords) -> Set<AddressKey> {
        keys(street: AddressKey.hash(street: FoldedText(street).bytes, words))
    }

    /// The same with the hash of its street, which many addresses share.
    func keys(street: UInt64) -> Set<AddressKey> {
        let folded = FoldedText(number).bytes
        let parts = folded.split(separator: AddressKey.blank)
        let whole = AddressKey(street: street, number: folded)
        if parts.count == 1 { return [whole] }
        let numbers = parts.prefix { $0.first.map(AddressKey.isDigit) == true }
        let all = numbers.map { Array($0) } + Self.between(numbers)
        return Set(all.map { AddressKey(street: street, number: $0) } + [whole])
    }

    /// The numbers between two: all, or those on their side of the street.
    private static func between(_ ends: ArraySlice<ArraySlice<UInt8>>) -> [[UInt8]] {
        let numbers = ends.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2, ends.count == 2, let first = numbers.first, let last = numbers.last,
            first < last, last - first <= maximumBetween
        else { return [] }
        let step = (last - first) % 2 == 0 ? 2 : 1
        return stride(from: first + step, to: last, by: step).map { Array("\($0)".utf8) }
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

/// What addresses are looked up by: hashes of the street in its shortest form without its blanks, and of the number in
/// one form.
struct AddressKey: Hashable {
    static let blank = UInt8(ascii: " ")

    let street: UInt64
    let number: UInt64

    /// Takes a folded street and a folded number.
    init(street: some Collection<UInt8>, number: some Sequence<UInt8>, _ words: StreetWords) {
        self.init(street: Self.hash(street: street, words), number: number)
    }

    /// Takes the hash of a street and a folded number.
    init(street: UInt64, number: some Sequence<UInt8>) {
        self.street = street
        var hash = StableHash()
        hash.add(Self.joined(number))
        self.number = hash.value
    }

    /// Half of both, the street's in the upper bits: in an index the addresses of a street stand side by side.
    var packed: UInt64 { Self.lowest(ofStreet: street) | number >> 32 }

    /// Below the packed keys of all addresses in a street.
    static func lowest(ofStreet street: UInt64) -> UInt64 { street & ~0xFFFF_FFFF }

    /// The hash of a folded street.
    static func hash(street: some Collection<UInt8>, _ words: StreetWords) -> UInt64 {
        var hash = StableHash()
        hash.add(words.shortest(street))
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
