import Geo
import HTTPClient
import LiveNetworks

// Files of Commons by their names, by their category, and by the item of Wikidata that has them.

extension CommonsProvider: NamingProvider {
    /// The most files of a category that are listed.
    private static let maximumCategories = 24

    var namesGone: Bool { true }

    func request(ids: [String]) -> HTTPClientRequest {
        request(for: [("pageids", ids.joined(separator: "|"))])
    }

    /// For files: "File:Old bridge.jpg".
    func request(files: [String]) -> HTTPClientRequest {
        request(for: [("titles", files.joined(separator: "|"))])
    }

    /// For the files of a category: "Category:Old bridge".
    ///
    /// https://www.mediawiki.org/wiki/API:Categorymembers
    func request(category: String) -> HTTPClientRequest {
        request(
            for: [
                ("generator", "categorymembers"), ("gcmtitle", category), ("gcmtype", "file"),
                ("gcmlimit", "\(Self.maximumCategories)"),
            ])
    }

    /// For the picture of an item of Wikidata.
    ///
    /// https://www.wikidata.org/wiki/Property:P18
    func request(item: String) -> HTTPClientRequest {
        let fields = [
            ("action", "wbgetclaims"), ("format", "json"), ("formatversion", "2"), ("entity", item),
            ("property", "P18"),
        ]
        return HTTPClientRequest(url: "\(itemsURL)?\(FormText.text(fields))")
    }

    func named(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64, elsewhere: Coordinate
    ) -> Result<AnswerPage<NamedPhoto>, AskFailure> {
        parsed(response, at: unixMilliseconds).map { answer in
            let photos = (answer.query?.pages?.elements ?? []).compactMap { page in
                page.pageid.map { id in
                    NamedPhoto(
                        title: page.title ?? "", id: "\(id)",
                        photo: page.photo(mayFetch: mayFetch, elsewhere: elsewhere)?.photo)
                }
            }
            return AnswerPage(items: photos, isFull: answer.continue != nil)
        }
    }

    /// The file that an item has as its picture, as the title of its page; nil when it has none.
    func file(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<String?, AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let answer = WikidataAnswer(json: response.body) else {
            return .failure(AskFailure(.malformed, "Wikidata's answer is not the JSON that it describes"))
        }
        if let error = answer.error { return .failure(error.failure) }
        return .success(answer.image.flatMap { PictureNames.title("File:\($0)", in: "File") })
    }
}

/// What Wikidata says about a property of an item.
private struct WikidataAnswer: Decodable {
    struct Claim: Decodable {
        let mainsnak: Snak
        let rank: String?
    }

    struct Snak: Decodable {
        struct Value: Decodable { let value: String }
        let datavalue: Value?
    }

    let claims: [String: LossyList<Claim>]?
    let error: CommonsAnswer.Fault?

    /// The preferred one, or the first that is not outdated.
    var image: String? {
        let images = (claims?["P18"]?.elements ?? []).filter { $0.rank != "deprecated" && $0.mainsnak.datavalue != nil }
        return (images.first { $0.rank == "preferred" } ?? images.first)?.mainsnak.datavalue?.value
    }
}
