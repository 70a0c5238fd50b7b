import PlaceContracts
import FieldRules
import Geo
import Networks
import Refusals
import Requests
import Texts

/// A service's limits on queries, beyond the bounds that all services share.
struct NearbyLimits: Sendable {
    /// The largest radius in metres.
    let maximumRadiusMetres: Double
}

extension NearbyQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: NearbyRequest, _ limits: NearbyLimits, now: Int64 = 0) throws(Refusal) {
        self.init(
            centre: try Geo.Coordinate(request.centre, field: "centre"), radiusMetres: try limits.radius(of: request),
            limit: Int(request.limit ?? NearbyRequest.limitDefault))
        criteria = try PlaceCriteria(request, now: now)
        wantsCount = request.includeCount
        after = try PageToken(of: fingerprint).end(in: request.pageToken) { SearchCursor($0) }
    }

    /// The token of the page after a place.
    func token(after cursor: SearchCursor) -> String { PageToken(of: fingerprint).text(after: cursor.bytes) }
}

extension WithinQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: WithinRequest, _ limits: NearbyLimits, now: Int64 = 0) throws(Refusal) {
        self.init(
            box: try Geo.Box(request.box, field: "box"),
            nearestTo: try request.nearestTo.map { point throws(Refusal) in
                try Geo.Coordinate(point, field: "nearest_to")
            },
            limit: Int(request.limit ?? NearbyRequest.limitDefault))
        criteria = try PlaceCriteria(request, now: now)
        wantsCount = request.includeCount
        after = try PageToken(of: fingerprint).end(in: request.pageToken) { SearchCursor($0) }
    }

    /// The token of the page after a place.
    func token(after cursor: SearchCursor) -> String { PageToken(of: fingerprint).text(after: cursor.bytes) }
}

extension SearchCursor {
    fileprivate init?(_ bytes: [UInt8]) {
        guard let end = DistanceEnd(bytes) else { return nil }
        self.init(metres: end.metres, id: end.id)
    }

    fileprivate var bytes: [UInt8] { DistanceEnd(metres: metres, id: id).bytes }
}

/// A request with conditions for places.
protocol CriteriaRequest {
    var networks: [String] { get }
    var datasets: [String] { get }
    var categories: [String] { get }
    var excludedCategories: [String] { get }
    var nameText: String { get }
    var openAt: OpenAt? { get }
    var area: String { get }
}

extension NearbyRequest: CriteriaRequest {}
extension WithinRequest: CriteriaRequest {}

extension PlaceCriteria {
    init(_ request: some CriteriaRequest, now: Int64) throws(Refusal) {
        networks = request.networks.compactMap { Network.named($0) }
        datasets = request.datasets.compactMap { DatasetName($0) }
        categories = request.categories.map(CategoryPath.bytes)
        excludedCategories = request.excludedCategories.map(CategoryPath.bytes)
        name = try NameWords(nameText: request.nameText)
        open = try request.openAt.map { condition throws(Refusal) in try OpenCondition(condition, now: now) }
        areaID = request.area
    }
}

extension NearbyLimits {
    fileprivate func radius(of request: NearbyRequest) throws(Refusal) -> Double {
        let maximum = max(0, maximumRadiusMetres)
        guard request.anyDistance else {
            try FieldRule.range(request.radiusM, 0...maximum, "radius_m", unit: "metres")
            return request.radiusM ?? min(NearbyRequest.radiusMDefault, maximum)
        }
        guard request.radiusM == nil else { throw Refusal("radius_m", "there must be none with any_distance") }
        return .infinity
    }
}

extension NameWords {
    init(nameText text: String) throws(Refusal) {
        self.init(folded: FoldedText(text).bytes)
        // Folding leaves nothing of some letters.
        if words.isEmpty, !text.isEmpty { throw FieldForm.words.rule.refusal("name_text", text) }
    }
}
