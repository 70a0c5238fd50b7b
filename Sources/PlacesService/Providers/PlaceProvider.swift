import Geo
import HTTPClient

/// How one live network is asked, and what its answers mean. A value: it sends nothing itself.
protocol PlaceProvider: Sendable {
    var network: Network { get }
    /// What it gives, who must be named beside it.
    var about: ProviderAbout { get }
    /// Whether it is asked about the circle around a patch, and not about its boxes.
    var asksForCircles: Bool { get }
    /// The request for what lies in a patch; behind a cursor, for what comes after the answer that gave it.
    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest
    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<ProviderPage, AskFailure>
    /// Whether a place with this id is in every whole answer about the patch that its position lies in.
    func isListed(_ id: String) -> Bool
}

extension PlaceProvider {
    var asksForCircles: Bool { true }
    func isListed(_ id: String) -> Bool { true }
}

/// What is known of a network without asking it.
struct ProviderAbout: Sendable {
    let attribution: String
    /// The largest circle that it can be asked about, in metres; nil when any size will do.
    var maximumRadiusMetres: Double?
}

/// One answer.
struct ProviderPage: Equatable, Sendable {
    var places: [FoundPlace]
    /// Whether there may be more than it holds: it is as long as the network lets answers be.
    var isFull: Bool
    /// How to ask for the rest; nil when the network has no way.
    var cursor: String?
    /// How long the network gives no more, in milliseconds; nil when it does not say so.
    var pauseMilliseconds: Int64?
}

extension GridPatch {
    /// The circle as the text of degrees with seven digits, and of whole metres.
    var circleTexts: (latitude: String, longitude: String, radius: String) {
        let circle = circle
        return (
            DegreeText.text(circle.centre.latitudeE7), DegreeText.text(circle.centre.longitudeE7),
            "\(Int(circle.radiusMetres.rounded(.up)))"
        )
    }
}

/// Degrees as text, exactly as they are kept.
enum DegreeText {
    static func text(_ degreesE7: Int32) -> String {
        let magnitude = Int64(degreesE7).magnitude
        let fraction = String(magnitude % 10_000_000)
        let zeros = String(repeating: "0", count: 7 - fraction.utf8.count)
        return "\(degreesE7 < 0 ? "-" : "")\(magnitude / 10_000_000).\(zeros)\(fraction)"
    }
}
