import Contracts
import Geo

/// What a service allows in questions.
struct NearbyLimits: Sendable {
    static let places = 1...200
    static let filterEntries = 100
    static let categoryBytes = 1...255
    static let nameTextBytes = 200
    static let usualPlaces: UInt32 = 20
    static let usualRadiusMetres = 1000.0

    /// The largest radius in metres.
    let maximumRadiusMetres: Double
}

extension NearbyQuestion {
    /// Takes a request apart and refuses what is out of range.
    init(_ request: NearbyRequest, _ limits: NearbyLimits) throws(PlacesError) {
        self.init(
            centre: try request.centre.checked("centre"), radiusMetres: try limits.radius(of: request),
            limit: try limits.limit(request.limit))
        criteria = try PlaceCriteria(request)
        wantsCount = request.includeCount
        after = try PageToken.cursor(request.pageToken, fingerprint)
    }
}

extension WithinQuestion {
    /// Takes a request apart and refuses what is out of range.
    init(_ request: WithinRequest, _ limits: NearbyLimits) throws(PlacesError) {
        self.init(
            box: try request.box.checked("box"),
            nearestTo: try request.nearestTo.map { point throws(PlacesError) in
                try Optional(point).checked("nearest_to")
            },
            limit: try limits.limit(request.limit))
        criteria = try PlaceCriteria(request)
        wantsCount = request.includeCount
        after = try PageToken.cursor(request.pageToken, fingerprint)
    }
}

/// A request that says what places must be like.
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
    init(_ request: some CriteriaRequest) throws(PlacesError) {
        networks = try NearbyLimits.list(request.networks, "networks") { name in
            guard let network = Network(rawValue: name) else {
                return .failure(RowProblem("\(name.quoted) is not known; \(Network.list) are"))
            }
            return .success(network)
        }
        datasets = try NearbyLimits.list(request.datasets, "datasets") { name in
            guard let dataset = DatasetName(name) else {
                return .failure(RowProblem("\(name.quoted) is no name; \(DatasetName.allowed)"))
            }
            return .success(dataset)
        }
        categories = try NearbyLimits.list(request.categories, "categories", NearbyLimits.category)
        excludedCategories = try NearbyLimits.list(
            request.excludedCategories, "excluded_categories", NearbyLimits.category)
        name = try NameWords(nameText: request.nameText)
    }
}

extension PageToken {
    /// The cursor in a request's page_token; nil for the first page.
    fileprivate static func cursor(_ token: String, _ fingerprint: UInt64) throws(PlacesError) -> SearchCursor? {
        if token.isEmpty { return nil }
        if let cursor = cursor(in: token, fingerprint: fingerprint) { return cursor }
        throw .invalid(
            field: "page_token",
            problem:
                "\(token.quoted) is not of this search; next_page_token of an answer to the same question is needed")
    }
}

extension NearbyLimits {
    fileprivate func radius(of request: NearbyRequest) throws(PlacesError) -> Double {
        if request.anyDistance {
            guard request.radiusM == nil else {
                throw .invalid(field: "radius_m", problem: "there must be none with any_distance")
            }
            return .infinity
        }
        guard let metres = request.radiusM else { return min(Self.usualRadiusMetres, maximumRadiusMetres) }
        guard metres >= 0, metres <= maximumRadiusMetres else {
            throw .invalid(
                field: "radius_m", problem: "\(metres) is out of range, 0 to \(maximumRadiusMetres) metres are allowed")
        }
        return metres
    }

    func limit(_ limit: UInt32?) throws(PlacesError) -> Int {
        let limit = Int(limit ?? Self.usualPlaces)
        guard Self.places.contains(limit) else {
            throw .invalid(
                field: "limit", problem: "\(limit) is out of range, 1 to \(Self.places.upperBound) are allowed")
        }
        return limit
    }

    fileprivate static func list<Element>(
        _ texts: [String], _ field: String, _ element: (String) -> Result<Element, RowProblem>
    ) throws(PlacesError) -> [Element] {
        guard texts.count <= filterEntries else {
            throw .invalid(field: field, problem: "\(texts.count) entries, at most \(filterEntries) are allowed")
        }
        var elements: [Element] = []
        for (index, text) in texts.enumerated() {
            switch element(text) {
            case .success(let value): elements.append(value)
            case .failure(let problem): throw .invalid(field: "\(field)[\(index)]", problem: problem.description)
            }
        }
        return elements
    }

    static func category(_ text: String) -> Result<[UInt8], RowProblem> {
        // "amenity/" is meant as "amenity".
        let name = text.utf8.last == UInt8(ascii: "/") ? text.utf8.dropLast() : text.utf8[...]
        guard categoryBytes.contains(name.count) else {
            return .failure(
                RowProblem("\(text.quoted) has \(name.count) bytes, 1 to \(categoryBytes.upperBound) are allowed"))
        }
        return .success(Array(name))
    }
}

extension NameWords {
    init(nameText text: String) throws(PlacesError) {
        guard text.utf8.count <= NearbyLimits.nameTextBytes else {
            let limit = NearbyLimits.nameTextBytes
            throw .invalid(field: "name_text", problem: "\(text.utf8.count) bytes, at most \(limit) are allowed")
        }
        self.init(folded: FoldedText(text).bytes)
        if words.isEmpty, !text.isEmpty {
            throw .invalid(
                field: "name_text", problem: "\(text.quoted) holds no letter and no digit, one at least is needed")
        }
    }
}

extension Contracts.Coordinate? {
    /// The point on the Earth; refuses a missing one and one outside of the ranges.
    func checked(_ field: String) throws(PlacesError) -> Geo.Coordinate {
        guard let self else { throw .invalid(field: field, problem: "a point is needed") }
        do {
            return try Geo.Coordinate(latitude: self.latitude, longitude: self.longitude)
        } catch {
            guard case .outOfRange(let part, let value, let allowed) = error else {
                throw .invalid(field: field, problem: error.description)
            }
            throw .invalid(field: "\(field).\(part)", problem: "\(value) is out of range, \(allowed) are allowed")
        }
    }
}

extension Contracts.Box? {
    /// The box on the Earth; refuses a missing one, and corners outside of the ranges or upside down.
    fileprivate func checked(_ field: String) throws(PlacesError) -> Geo.Box {
        guard let self else { throw .invalid(field: field, problem: "a box is needed") }
        let southWest = try self.southWest.checked("\(field).south_west")
        let northEast = try self.northEast.checked("\(field).north_east")
        do {
            return try Geo.Box(
                south: southWest.latitude, west: southWest.longitude, north: northEast.latitude,
                east: northEast.longitude)
        } catch {
            throw .invalid(field: field, problem: error.description)
        }
    }
}
