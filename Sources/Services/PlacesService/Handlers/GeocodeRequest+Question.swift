import PlaceContracts
import Geo
import Refusals
import Requests

extension GeocodeQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: GeocodeRequest) throws(Refusal) {
        self.init(
            words: QueryWords(request.text), limit: Int(request.limit ?? GeocodeRequest.limitDefault),
            bias: try request.bias.map { point throws(Refusal) in try Geo.Coordinate(point, field: "bias") },
            countryCodes: Set(request.countryCodes.map { $0.uppercased() }))
    }
}
