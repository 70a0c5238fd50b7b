import HTTP
import Synchronization
import TestSupport

@testable import PhotoService

/// A simulator of Immich: one person's library, with the manners of a version of it.
final class ImmichSimulator: Sendable {
    /// A photo of the library.
    struct Asset: Sendable {
        let number: Int
        var latitude = 48.8584
        var longitude = 2.2945
        /// "2025-05-01"
        var month = "2025-05-01"
        var isImage = true

        var id: String { "11111111-aaaa-4aaa-8aaa-\(String(repeating: "0", count: 12 - "\(number)".count))\(number)" }
    }

    struct Behaviour: Sendable {
        var major = 3
        var minor = 3
        var permissions: Set<String> = ["asset.read", "asset.view"]
        /// Refuses the beginning of a day as the name of a month.
        var refusesLongForm = false
        /// Leaves out one of a month's positions.
        var losesPosition = false
        /// What it answers to everything.
        var fault: HTTPResponse?
        /// What it gives for a picture.
        var picture: HTTPResponse?
        /// Closed, it holds back what lies in an area.
        var gate: Gate?

        var hasAreas: Bool { (major, minor) >= (2, 6) }
    }

    private let state: Mutex<(assets: [Asset], key: String, behaviour: Behaviour)>

    init(_ assets: [Asset], key: String, _ behaviour: Behaviour = Behaviour()) {
        state = Mutex((assets, key, behaviour))
    }

    func delete(_ number: Int) { state.withLock { $0.assets.removeAll { $0.number == number } } }

    /// Makes another key, with which the one before opens nothing.
    func change(key: String) { state.withLock { $0.key = key } }

    func behave(_ change: (inout Behaviour) -> Void) { state.withLock { change(&$0.behaviour) } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let (assets, key, behaviour) = state.withLock { $0 }
        if let fault = behaviour.fault { return fault }
        let version = (behaviour.major, behaviour.minor)
        if request.path == "/api/server/version" {
            return .json(#"{"major":\#(version.0),"minor":\#(version.1),"patch":0}"#)
        }
        guard request.headers["x-api-key"] == key else { return refusal(401, "Invalid API key", behaviour) }
        switch request.path {
        case "/api/timeline/buckets", "/api/timeline/bucket", "/api/map/markers":
            await behaviour.gate?.pass()
            return list(request, assets, behaviour)
        default: return picture(request, assets, behaviour)
        }
    }

    private func list(_ request: HTTPRequest, _ assets: [Asset], _ behaviour: Behaviour) -> HTTPResponse {
        let isMap = request.path == "/api/map/markers"
        if let refusal = missing(isMap ? "map.read" : "asset.read", behaviour) { return refusal }
        let known =
            ["visibility", "withCoordinates", "timeBucket", "isArchived"] + (behaviour.hasAreas ? ["bbox"] : [])
        if behaviour.major >= 3,
            let field = request.query.all.first(where: { !known.contains($0.name) || $0.value.isEmpty })
        {
            return refusal(400, "Unrecognized key: \(field.name)", behaviour)
        }
        let pictures = assets.filter { Self.isInside(request.query["bbox"], $0) }
        if isMap { return .json("[\(pictures.map(Self.marker).joined(separator: ","))]") }
        guard request.path == "/api/timeline/bucket" else { return .json(Self.months(pictures, behaviour)) }
        let month = request.query["timeBucket"] ?? ""
        if behaviour.refusesLongForm, month.count > 10 { return refusal(400, "Invalid time bucket format", behaviour) }
        // The short form gives nothing, and no error.
        let isNamed = month.hasSuffix("T00:00:00.000Z") || behaviour.refusesLongForm
        return .json(Self.month(isNamed ? pictures.filter { month.hasPrefix($0.month) } : [], behaviour))
    }

    private func picture(_ request: HTTPRequest, _ assets: [Asset], _ behaviour: Behaviour) -> HTTPResponse {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[1] == "assets", parts[3] == "thumbnail" else {
            return refusal(404, "Cannot GET \(request.path)", behaviour)
        }
        if let refusal = missing("asset.view", behaviour) { return refusal }
        guard assets.contains(where: { $0.id == parts[2] }) else {
            return refusal(400, "Not found or no asset.view access", behaviour)
        }
        if let picture = behaviour.picture { return picture }
        return HTTPResponse(
            200, body: .bytes(request.query["size"] == "preview" ? Self.preview : Self.thumbnail))
    }

    private func missing(_ permission: String, _ behaviour: Behaviour) -> HTTPResponse? {
        let wantsAll = behaviour.major == 1 && (136...137).contains(behaviour.minor)
        let needed = wantsAll ? "all" : permission
        if behaviour.permissions.contains(needed) || behaviour.permissions.contains("all") { return nil }
        return refusal(403, "Missing required permission: \(needed)", behaviour)
    }

    private func refusal(_ status: Int, _ message: String, _ behaviour: Behaviour) -> HTTPResponse {
        if behaviour.major >= 3, status == 400 {
            return .json(#"{"message":"Validation failed","errors":[{"code":"x","message":"\#(message)"}]}"#, status)
        }
        let text = status == 400 && message.hasPrefix("Invalid") ? "[\"\(message)\"]" : "\"\(message)\""
        return .json(#"{"message":\#(text),"error":"x","statusCode":\#(status),"correlationId":"abc"}"#, status)
    }
}

extension ImmichSimulator {
    /// What begins like a picture of that kind; nothing looks further.
    static let thumbnail = Array("RIFF".utf8) + [20, 0, 0, 0] + Array("WEBPVP8 ".utf8) + Array(repeating: 7, count: 12)
    static let preview = TestJPEG(width: 64, height: 48).bytes { x, y in (UInt8(x), UInt8(y), 5) }

    private static func isInside(_ box: String?, _ asset: Asset) -> Bool {
        guard let box else { return true }
        let edges = box.split(separator: ",").compactMap { Double($0) }
        guard edges.count == 4 else { return false }
        let isBetween =
            edges[0] <= edges[2]
            ? (edges[0]...edges[2]).contains(asset.longitude)
            : asset.longitude >= edges[0] || asset.longitude <= edges[2]
        return isBetween && (edges[1]...edges[3]).contains(asset.latitude)
    }

    private static func marker(_ asset: Asset) -> String {
        #"{"id":"\#(asset.id)","lat":\#(asset.latitude),"lon":\#(asset.longitude),"city":null}"#
    }

    private static func months(_ assets: [Asset], _ behaviour: Behaviour) -> String {
        let end = behaviour.major == 1 ? "T00:00:00.000Z" : ""
        let months = Dictionary(grouping: assets, by: \.month).sorted { $0.key > $1.key }.map { month, assets in
            #"{"timeBucket":"\#(month)\#(end)","count":\#(assets.count)}"#
        }
        return "[\(months.joined(separator: ","))]"
    }

    private static func month(_ assets: [Asset], _ behaviour: Behaviour) -> String {
        func list(_ name: String, _ values: [String]) -> String { "\"\(name)\":[\(values.joined(separator: ","))]" }
        let end = behaviour.major == 1 ? "" : "Z"
        let lost = behaviour.losesPosition ? 1 : 0
        let arrays = [
            list("id", assets.map { "\"\($0.id)\"" }), list("isImage", assets.map { "\($0.isImage)" }),
            list("isTrashed", assets.map { _ in "false" }),
            list("latitude", assets.dropLast(lost).map { "\($0.latitude)" }),
            list("longitude", assets.map { "\($0.longitude)" }),
            list("fileCreatedAt", assets.map { "\"\($0.month)T10:00:00.123\(end)\"" }),
            behaviour.major == 1
                ? list("localDateTime", assets.map { "\"\($0.month)T12:00:00.123Z\"" })
                : list("localOffsetHours", assets.map { _ in "2" }),
            list("city", assets.map { _ in "null" }),
            list("duration", assets.map { _ in "null" }),
        ]
        return "{\(arrays.joined(separator: ","))}"
    }
}

extension HTTPResponse {
    static func json(_ text: String, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status, headers: [("Content-Type", "application/json")], body: .bytes(Array(text.utf8)))
    }
}
