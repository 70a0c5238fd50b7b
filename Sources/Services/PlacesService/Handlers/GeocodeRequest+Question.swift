import Contracts
import Geo
import Refusals
import Requests

extension GeocodeQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: GeocodeRequest) throws(Refusal) {
        let limit = try Bounds.matches.checkedCount(request.limit)
        self.init(
            words: QueryWords(try Self.checked(text: request.text)), limit: limit,
            bias: try request.bias.map { point throws(Refusal) in try Geo.Coordinate(point, field: "bias") },
            countryCodes: try Self.checked(countryCodes: request.countryCodes))
    }

    private static func checked(text: String) throws(Refusal) -> String {
        let (count, most) = (text.unicodeScalars.count, GeocodeRequest.textLength.upperBound)
        guard count <= most else {
            throw Refusal("text", count, "characters", allowed: "at most \(most) are")
        }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw Refusal(missing: "text", needed: "the name of a place or an address is")
        }
        return text
    }

    private static func checked(countryCodes: [String]) throws(Refusal) -> Set<String> {
        let most = GeocodeRequest.countryCodesLength.upperBound
        guard countryCodes.count <= most else {
            throw Refusal("country_codes", countryCodes.count, "entries", allowed: "at most \(most) are")
        }
        for (index, code) in countryCodes.enumerated()
        where code.utf8.count != 2 || !code.utf8.allSatisfy({ (65...90).contains($0 & ~0x20) }) {
            throw Refusal("country_codes[\(index)]", text: code, allowed: "two letters as in FI are")
        }
        return Set(countryCodes.map { $0.uppercased() })
    }
}
