import Contracts
import Geo
import Refusals
import Requests
import Texts

/// A service's limits on queries, beyond the bounds that all services share.
struct NearbyLimits: Sendable {
    /// The largest radius in metres.
    let maximumRadiusMetres: Double

    /// How far around a point this service searches.
    fileprivate var radius: Bound<Double> {
        let most = max(0, maximumRadiusMetres)
        return Bounds.metres(0...most, default: min(Bounds.radius.standard, most))
    }
}

extension NearbyQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: NearbyRequest, _ limits: NearbyLimits) throws(Refusal) {
        self.init(
            centre: try Geo.Coordinate(request.centre, field: "centre"), radiusMetres: try limits.radius(of: request),
            limit: try Bounds.limit.checkedCount(request.limit))
        criteria = try PlaceCriteria(request)
        wantsCount = request.includeCount
        after = try PageToken(of: fingerprint).end(in: request.pageToken) { SearchCursor($0) }
    }

    /// The token of the page after a place.
    func token(after cursor: SearchCursor) -> String { PageToken(of: fingerprint).text(after: cursor.bytes) }
}

extension WithinQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: WithinRequest, _ limits: NearbyLimits) throws(Refusal) {
        self.init(
            box: try Geo.Box(request.box, field: "box"),
            nearestTo: try request.nearestTo.map { point throws(Refusal) in
                try Geo.Coordinate(point, field: "nearest_to")
            },
            limit: try Bounds.limit.checkedCount(request.limit))
        criteria = try PlaceCriteria(request)
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
}

extension NearbyRequest: CriteriaRequest {}
extension WithinRequest: CriteriaRequest {}

extension PlaceCriteria {
    init(_ request: some CriteriaRequest) throws(Refusal) {
        networks = try NearbyLimits.list(request.networks, "networks") { name, field throws(Refusal) in
            guard let network = Network(rawValue: name) else {
                throw Refusal(field, text: name, allowed: "\(Network.list) are")
            }
            return network
        }
        datasets = try NearbyLimits.list(request.datasets, "datasets") { name, field throws(Refusal) in
            try DatasetName(name, field)
        }
        categories = try CategoryPath.checked(request.categories, field: "categories")
        excludedCategories = try CategoryPath.checked(request.excludedCategories, field: "excluded_categories")
        name = try NameWords(nameText: request.nameText)
    }
}

extension NearbyLimits {
    fileprivate func radius(of request: NearbyRequest) throws(Refusal) -> Double {
        guard request.anyDistance else { return try radius.checked(request.radiusM) }
        guard request.radiusM == nil else { throw Refusal("radius_m", "there must be none with any_distance") }
        return .infinity
    }

    /// Parses each entry, which has its own path.
    fileprivate static func list<Element>(
        _ texts: [String], _ field: String, _ element: (String, _ field: String) throws(Refusal) -> Element
    ) throws(Refusal) -> [Element] {
        let most = NearbyRequest.networksLength.upperBound
        guard texts.count <= most else {
            throw Refusal(field, texts.count, "entries", allowed: "at most \(most) are")
        }
        var elements: [Element] = []
        for (index, text) in texts.enumerated() { elements.append(try element(text, "\(field)[\(index)]")) }
        return elements
    }
}

extension NameWords {
    init(nameText text: String) throws(Refusal) {
        let (count, limit) = (text.unicodeScalars.count, NearbyRequest.nameTextLength.upperBound)
        guard count <= limit else {
            throw Refusal("name_text", count, "characters", allowed: "at most \(limit) are")
        }
        self.init(folded: FoldedText(text).bytes)
        if words.isEmpty, !text.isEmpty {
            throw Refusal("name_text", "\(text.quoted) contains no letter and no digit; one at least is needed")
        }
    }
}
