import Contracts
import Geo

extension GeocodeQuestion {
    private static let longestText = 1000
    private static let limits = 1...50
    private static let usualLimit: UInt32 = 10
    private static let mostCountries = 300

    /// Takes a request apart and refuses what is out of range.
    init(_ request: GeocodeRequest) throws(PlacesError) {
        let limit = Int(request.limit ?? Self.usualLimit)
        guard Self.limits.contains(limit) else {
            throw .invalid(
                field: "limit", problem: "\(limit) is out of range, 1 to \(Self.limits.upperBound) are allowed")
        }
        self.init(
            words: QueryWords(try Self.checked(text: request.text)), limit: limit,
            bias: request.bias == nil ? nil : try request.bias.checked("bias"),
            countryCodes: try Self.checked(countryCodes: request.countryCodes))
    }

    private static func checked(text: String) throws(PlacesError) -> String {
        guard text.utf8.count <= longestText else {
            throw .invalid(field: "text", problem: "\(text.utf8.count) bytes, at most \(longestText) are allowed")
        }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw .invalid(field: "text", problem: "it is empty; the name of a place or an address is needed")
        }
        return text
    }

    private static func checked(countryCodes: [String]) throws(PlacesError) -> Set<String> {
        guard countryCodes.count <= mostCountries else {
            throw .invalid(
                field: "country_codes",
                problem: "\(countryCodes.count) entries, at most \(mostCountries) are allowed")
        }
        for (index, code) in countryCodes.enumerated()
        where code.utf8.count != 2 || !code.utf8.allSatisfy({ (65...90).contains($0 & ~0x20) }) {
            throw .invalid(
                field: "country_codes[\(index)]", problem: "\(code.quoted) is no code; two letters as in FI are needed")
        }
        return Set(countryCodes.map { $0.uppercased() })
    }
}
