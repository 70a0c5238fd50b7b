import Bytes
import Geo
import HTTPClient
import LiveNetworks

/// Another geocoder that speaks the protocol of Nominatim (https://nominatim.org/release-docs/latest/api/Search/).
struct NominatimServer: Equatable, Sendable {
    /// How many matches are requested, whatever the limit of a query, so that one answer serves all.
    private static let matches = "10"
    private static let timeout: Duration = .seconds(10)
    private static let longestAnswer = 1 << 20

    /// Where "/search" is, without the slash at its end.
    let url: String
    /// How often it may be asked, and how long its answers stay valid.
    let rules: NetworkRules

    /// The request for a question.
    func request(_ question: UpstreamQuestion) -> HTTPClientRequest {
        var fields = [
            ("q", question.text), ("format", "jsonv2"), ("limit", Self.matches), ("addressdetails", "1"),
            ("accept-language", "en"),
        ]
        if !question.countryCodes.isEmpty {
            fields.append(("countrycodes", question.countryCodes.joined(separator: ",").lowercased()))
        }
        var request = HTTPClientRequest(url: "\(url)/search?\(FormText.text(fields))")
        request.timeout = Self.timeout
        request.maximumBytes = Self.longestAnswer
        return request
    }

    /// What it answered, best first; empty when it knows nothing of the name.
    static func matches(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64
    ) -> Result<[ForeignMatch], AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let list = LossyList<NominatimElement>(json: response.body) else {
            return .failure(AskFailure(.malformed, "it answers with something else than a list of matches"))
        }
        let matches = list.elements.compactMap(ForeignMatch.init)
        guard !matches.isEmpty || list.count == 0 else {
            return .failure(AskFailure(.malformed, "none of its \(list.count) matches can be read"))
        }
        return .success(matches)
    }
}

/// A query to another geocoder.
struct UpstreamQuestion: Equatable, Sendable {
    /// As it was typed.
    let text: String
    /// Sorted, in capitals.
    let countryCodes: [String]

    init(text: String, countryCodes: [String] = []) {
        self.text = text
        self.countryCodes = countryCodes
    }

    init(_ text: String, _ question: GeocodeQuestion) {
        self.init(text: text, countryCodes: question.countryCodes.sorted())
    }

    /// The key of the stored answer: the same for texts that differ only in case and blanks. Signs stay, as -33.86 is
    /// another position than 33.86.
    var key: String {
        let words = text.lowercased().split(atScalars: \.isWhitespace)
        return "\(countryCodes.joined(separator: ","))|\(words.joined(separator: " "))"
    }
}

/// A match of another geocoder.
struct ForeignMatch: Equatable, Sendable {
    enum Kind: Equatable, Sendable { case country, region, town, address, other }

    var kind: Kind
    var name: String
    var position: Geo.Coordinate
    var box: Geo.Box
    var region = ""
    var countryCode = ""
    var country = ""
    var town = ""
    var postcode = ""
    /// Its licence and attribution.
    var attribution = ""
}
