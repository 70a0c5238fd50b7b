package import Geo
package import HTTPClient

/// Something that has items in areas, and can be asked about a patch of the grid. A value.
package protocol AreaSource<Item>: Sendable {
    /// The type of the items in its answers.
    associatedtype Item: Sendable

    /// The network's name.
    var name: String { get }
    /// What it offers, and the attribution it requires.
    var about: ProviderAbout { get }
    /// Whether it is asked about the circle around a patch, and not about its boxes.
    var asksForCircles: Bool { get }
    /// Whether an item with this id is in every complete answer about the patch that contains its position.
    func isListed(_ id: String) -> Bool
    /// Asks for what is in a patch; with a cursor, for what follows the answer that returned it. `renew` is called
    /// while a request waits.
    func items(
        in patch: GridPatch, cursor: String?, by queue: NetworkQueue, for asker: NetworkAsker,
        renew: @escaping @Sendable () async throws -> Void
    ) async throws -> Result<AnswerPage<Item>, AskFailure>
}

/// How one live network is asked about an area with one request, and how its answers are parsed. It sends nothing
/// itself.
package protocol NetworkProvider<Item>: AreaSource {
    /// The request for what is in a patch; with a cursor, for what follows the answer that returned it.
    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest
    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<AnswerPage<Item>, AskFailure>
}

extension AreaSource {
    package var asksForCircles: Bool { true }
    package func isListed(_ id: String) -> Bool { true }
}

extension NetworkProvider {
    package func items(
        in patch: GridPatch, cursor: String?, by queue: NetworkQueue, for asker: NetworkAsker,
        renew: @escaping @Sendable () async throws -> Void
    ) async throws -> Result<AnswerPage<Item>, AskFailure> {
        try await queue.ask(request(patch, cursor: cursor), for: asker, renew: renew, read: { answer($0, at: $1) })
    }
}

/// What is known of a network without asking it.
package struct ProviderAbout: Sendable {
    /// What it has, for messages: "places".
    package let gives: String
    package let attribution: String
    /// The largest circle that it can be asked about, in metres; nil when there is no limit.
    package let maximumRadiusMetres: Double?
    /// What it learns when it is asked, in a sentence.
    package let sends: String

    package init(
        gives: String, attribution: String, maximumRadiusMetres: Double? = nil, sends: String? = nil
    ) {
        self.gives = gives
        self.attribution = attribution
        self.maximumRadiusMetres = maximumRadiusMetres
        let squares = "It learns which squares of the map, some 500 m wide, are looked at"
        self.sends = sends ?? "\(squares), \(Self.besides(gives))."
    }

    /// What one that is asked for areas learns besides.
    private static func besides(_ gives: String) -> String {
        let pictures = gives == "photos" ? "which of its pictures are shown, " : ""
        return "\(pictures)the contact, and this server's address"
    }
}

/// One answer.
package struct AnswerPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// Whether there may be more than it contains: it is as long as the network lets answers be.
    package var isFull: Bool
    /// The cursor for the rest; nil when the network has none.
    package var cursor: String?

    package init(items: [Item], isFull: Bool, cursor: String? = nil) {
        self.items = items
        self.isFull = isFull
        self.cursor = cursor
    }
}

extension AnswerPage: Equatable where Item: Equatable {}

extension AnswerPage {
    /// The page of a list of which `items` could be read.
    package static func read(
        _ items: [Item], of count: Int, isFull: Bool, cursor: String? = nil
    ) -> Result<AnswerPage, AskFailure> {
        if items.isEmpty, count > 0 { return .failure(.unreadable(count)) }
        return .success(AnswerPage(items: items, isFull: isFull, cursor: cursor))
    }
}

extension GridPatch {
    /// The circle as the text of degrees with seven digits, and of whole metres.
    package var circleTexts: (latitude: String, longitude: String, radius: String) {
        let circle = circle
        return (
            DegreeText.text(circle.centre.latitudeE7), DegreeText.text(circle.centre.longitudeE7),
            "\(Int(circle.radiusMetres.rounded(.up)))"
        )
    }
}

/// Degrees as text, exactly as stored.
package enum DegreeText {
    package static func text(_ degreesE7: Int32) -> String {
        let magnitude = Int64(degreesE7).magnitude
        let fraction = String(magnitude % 10_000_000)
        let zeros = String(repeating: "0", count: 7 - fraction.utf8.count)
        return "\(degreesE7 < 0 ? "-" : "")\(magnitude / 10_000_000).\(zeros)\(fraction)"
    }
}
