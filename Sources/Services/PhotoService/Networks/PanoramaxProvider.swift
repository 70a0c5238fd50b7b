import Arguments
import Bytes
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Panoramax, pictures of streets by people: those in a box, by its dialect of STAC. There are no further pages; the
/// nearest to the middle of the box come first, and these are enough for albums.
///
/// https://docs.panoramax.fr
struct PanoramaxProvider: ConfigurablePhotoProvider {
    static let defaultURL = Network.panoramax.asked?.address ?? ""
    /// The most pictures that one search lists.
    static let limit = 200

    let url: String
    /// What addresses of bytes begin with, if the operator names it. By itself they are those of any instance, of which
    /// there are many.
    var files: String?

    var name: String { Network.panoramax.name }
    var asksForCircles: Bool { false }
    var isNamedByOperator: Bool { files != nil }
    /// To the store of an instance, and once more within it.
    var redirects: Int { 2 }
    var about: ProviderAbout {
        ProviderAbout(gives: "photos", attribution: "Panoramax, under the licence of each photo")
    }

    func mayFetch(_ url: String) -> Bool { url.begins(with: files ?? "https://") }

    /// Not all are in an answer, so that one which is in none may be there all the same.
    func isListed(_ id: String) -> Bool { false }

    static func configured(_ options: Options) throws(OptionError) -> ConfiguredPhotoProvider? {
        let url = try NetworkOptions.url("--panoramax-url", options)
        var panoramax = PanoramaxProvider(url: url ?? defaultURL)
        panoramax.files = try NetworkOptions.url("--panoramax-files", options).map { $0 + "/" }
        return ConfiguredPhotoProvider(provider: panoramax, isOn: url != nil)
    }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let fields = [Self.area(patch.hullBoxes), ("limit", "\(Self.limit)")]
        return HTTPClientRequest(url: "\(url)/search?\(FormText.text(fields))")
    }

    /// A box, or two beside the antimeridian, over which there is none.
    private static func area(_ boxes: [Box]) -> (String, String) {
        if let box = boxes.first, boxes.count == 1 {
            return ("bbox", [box.west, box.south, box.east, box.north].map(degrees).joined(separator: ","))
        }
        let rings = boxes.map { box in
            let corners = [
                (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
                (box.west, box.south),
            ]
            return "[[" + corners.map { "[\(degrees($0)),\(degrees($1))]" }.joined(separator: ",") + "]]"
        }
        return ("intersects", #"{"type":"MultiPolygon","coordinates":[\#(rings.joined(separator: ","))]}"#)
    }

    private static func degrees(_ value: Double) -> String {
        DegreeText.text(Int32(clamping: Int64((value * 1e7).rounded())))
    }

    func answer(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64
    ) -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        photos(in: response, at: unixMilliseconds).map { AnswerPage(items: $0, isFull: false) }
    }

    private func photos(
        in response: HTTPClientResponse, at unixMilliseconds: Int64
    ) -> Result<[FoundPhoto], AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let answer = PanoramaxAnswer(json: response.body) else {
            return .failure(AskFailure(.malformed, "its answer is not the JSON that it describes"))
        }
        if let failure = answer.features.failure { return .failure(failure) }
        return .success(answer.features.elements.compactMap { $0.photo(page: page, mayFetch: mayFetch) })
    }

    /// The address of the page that shows a picture.
    private func page(_ id: String) -> String {
        let site = String(url.before("/api") ?? url[...])
        return "\(site)/#focus=pic&pic=\(id)"
    }
}

// Pictures by their ids.
extension PanoramaxProvider: NamingProvider {
    var namesGone: Bool { false }

    func request(ids: [String]) -> HTTPClientRequest {
        let fields = [("ids", ids.joined(separator: ",")), ("limit", "\(ids.count)")]
        return HTTPClientRequest(url: "\(url)/search?\(FormText.text(fields))")
    }

    /// Each has a position.
    func named(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64, elsewhere: Coordinate
    ) -> Result<AnswerPage<NamedPhoto>, AskFailure> {
        photos(in: response, at: unixMilliseconds).map { photos in
            AnswerPage(
                items: photos.map { found in
                    let id = found.photo.id.providerID
                    return NamedPhoto(title: id, id: id, photo: found.photo)
                }, isFull: false)
        }
    }
}
