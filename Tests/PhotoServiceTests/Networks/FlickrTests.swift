import Geo
import HTTPClient
import LiveNetworks
import Testing

@testable import PhotoService

@Suite("P26 Answers of Flickr")
struct FlickrTests {
    private static let key = "0123456789abcdef0123456789abcdef"
    private static let flickr = FlickrProvider(url: FlickrProvider.defaultURL, key: key)

    private static func answer(_ text: String, status: Int = 200) -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        flickr.answer(HTTPClientResponse(status: status, body: Array(text.utf8)), at: 0)
    }

    private static func photos(_ photos: [FlickrSimulator.Listed]) throws -> [StoredPhoto] {
        try answer(FlickrSimulator.list(photos)).get().items.map(\.photo)
    }

    @Test("a photo has its owner, its licence by its name, its time, and the page that shows it")
    func facts() throws {
        let photo = try #require(try Self.photos([FlickrSimulator.Listed()]).first)
        #expect(photo.id.text == "flickr/53000000001" && photo.title == "Old harbour")
        #expect(photo.credit.author == "A. Person" && photo.credit.licence == "CC BY 2.0")
        #expect(photo.credit.sourceURL == "https://www.flickr.com/photos/12345678@N00/53000000001")
        #expect(photo.originalURL == "https://live.staticflickr.com/65535/1_aa_b.jpg")
        #expect(photo.width == 4_000 && photo.height == 3_000)
        #expect(photo.takenMilliseconds == 1_567_873_604_000)
        #expect(photo.position == (try Coordinate(latitude: 48.8584, longitude: 2.2945)))
    }

    @Test(
        "P28 a photo has its tags, without those of programs; what are none leave it without",
        arguments: [
            (#""tags":"bled lake natur živa","#, ["bled", "lake", "natur", "živa"]),
            (#""tags":"lake geo:lat=46.3 a:b c=d lake","#, ["lake", "a:b", "c=d"]), (#""tags":"","#, []),
            (#""tags":null,"#, []), (#""tags":7,"#, []), (#""tags":["a"],"#, []), (#""tags":{"_content":"a"},"#, []),
            (#""tags":"a\u0000\u001bb \u0007 \ud83d\ude00","#, ["a  b", "😀"]),
        ])
    func tags(text: String, tags: [String]) throws {
        #expect(try Self.photos([FlickrSimulator.Listed(tags: text)]).map(\.tags) == [tags])
    }

    @Test("P28 of a great many tags, and of very long ones, those are kept that may be")
    func manyTags() throws {
        let long = String(repeating: "é", count: 65)
        let words = [long] + (0..<100_000).map { "tag\($0)" }
        let photo = FlickrSimulator.Listed(tags: #""tags":"\#(words.joined(separator: " "))","#)
        #expect(try Self.photos([photo]).first?.tags == (0..<16).map { "tag\($0)" })
    }

    @Test("P28 tags that are no UTF-8 are none, and the photo is there")
    func brokenTags() throws {
        let parts = FlickrSimulator.list([FlickrSimulator.Listed(tags: #""tags":"a%b","#)]).split(separator: "%")
        let body = Array(parts[0].utf8) + [0xc3, 0x28, 0xff] + Array(parts[1].utf8)
        let answer = Self.flickr.answer(HTTPClientResponse(status: 200, body: body), at: 0)
        #expect(try answer.get().items.map(\.photo.tags) == [[]])
    }

    @Test(
        "what may not be shown, is not safe for all, or can't be fetched or named safely is not listed",
        arguments: [
            FlickrSimulator.Listed(licence: #""0""#), FlickrSimulator.Listed(licence: #""99""#),
            FlickrSimulator.Listed(licence: "null"), FlickrSimulator.Listed(visible: #""ispublic":0,"#),
            FlickrSimulator.Listed(visible: #""safety_level":"2","#), FlickrSimulator.Listed(place: ""),
            FlickrSimulator.Listed(place: #""latitude":0,"longitude":0,"#),
            FlickrSimulator.Listed(place: #""latitude":"91","longitude":"2","#),
            FlickrSimulator.Listed(owner: "../../x"),
            FlickrSimulator.Listed(sizes: #""url_l":"http://169.254.169.254/latest","#),
            FlickrSimulator.Listed(sizes: #""url_m":"file:///etc/passwd","#),
            FlickrSimulator.Listed(sizes: "", secret: ""),
            FlickrSimulator.Listed(sizes: "", secret: #""secret":"../a","server":"1","#),
        ])
    func unusable(photo: FlickrSimulator.Listed) throws {
        #expect(try Self.photos([photo, FlickrSimulator.Listed()]).count == 1)
    }

    @Test("numbers are numbers or texts; an owner without a name is named by the account")
    func loose() throws {
        let photos = try Self.photos([
            FlickrSimulator.Listed(licence: "11", place: #""latitude":48.8584,"longitude":2.2945,"#),
            FlickrSimulator.Listed(name: ""),
        ])
        #expect(photos.map(\.credit.licence) == ["CC BY 4.0", "CC BY 2.0"])
        #expect(photos.map(\.credit.author) == ["A. Person", "12345678@N00"])
    }

    @Test("the largest size that is named is fetched, one without any by its secret, an old one where it is today")
    func sizes() throws {
        let photos = try Self.photos([
            FlickrSimulator.Listed(
                sizes:
                    #""url_m":"https://live.staticflickr.com/1/m.jpg","url_z":"https://live.staticflickr.com/1/z.jpg","#
            ),
            FlickrSimulator.Listed(id: 7, sizes: ""),
            FlickrSimulator.Listed(sizes: #""url_l":"http:\/\/farm8.staticflickr.com\/7458\/9_a_b.jpg","#),
        ])
        #expect(
            photos.map(\.originalURL) == [
                "https://live.staticflickr.com/1/z.jpg", "https://live.staticflickr.com/65535/7_aa11.jpg",
                "https://live.staticflickr.com/7458/9_a_b.jpg",
            ])
    }

    @Test("a circle is asked for, of licences that let a photo be shown, without a limit of time; then the next page")
    func asked() throws {
        let patch = try #require(GridPatch([GridCell(of: try Coordinate(latitude: 48.8584, longitude: 2.2945))]))
        let url = Self.flickr.request(patch, cursor: nil).url
        #expect(
            url.hasPrefix(
                "https://api.flickr.com/services/rest/?method=flickr.photos.search&api_key=\(Self.key)&lat=48."))
        for part in [
            "&radius=0.", "&radius_units=km&", "&min_upload_date=1&", "&license=1%2C2%2C3", "&per_page=250&page=1&",
            "&safe_search=1&", "%2Ctags%2C", "&nojsoncallback=1",
        ] { #expect(url.contains(part)) }
        #expect(Self.flickr.request(patch, cursor: "3").url.contains("&per_page=250&page=3&"))
    }

    @Test("pages follow as far as it gives them; of more than 4,000 photos the parts of the area are asked about")
    func pages() throws {
        let listed = [FlickrSimulator.Listed()]
        let first = try Self.answer(FlickrSimulator.list(listed, page: 1, pages: 3, total: "\"600\"")).get()
        #expect(first.isFull && first.cursor == "2")
        let last = try Self.answer(FlickrSimulator.list(listed, page: 3, pages: 3, total: "600")).get()
        #expect(!last.isFull && last.cursor == nil)
        let empty = try Self.answer(FlickrSimulator.list([], page: 2, pages: 3, total: "600")).get()
        #expect(!empty.isFull)
        let many = try Self.answer(FlickrSimulator.list(listed, page: 1, pages: 64, total: "\"15849\"")).get()
        #expect(many.isFull && many.cursor == nil && many.items.count == 1)
    }

    @Test(
        "errors with status 200 are failures of their kind",
        arguments: [
            (100, AskFailure.Kind.auth), (105, .unavailable), (10, .unavailable), (106, .unavailable),
            (20, .malformed), (18, .malformed), (116, .malformed),
        ])
    func failures(code: Int, kind: AskFailure.Kind) {
        let text = #"{"stat":"fail", "code":\#(code), "message":"no, \#(Self.key) is not good"}"#
        let failure = failure(of: Self.answer(text))
        #expect(failure?.kind == kind)
        #expect(failure?.reason == "it refuses: no, … is not good")
    }

    @Test(
        "what is no answer of it is a failure, and no empty area",
        arguments: [
            "<html>", "{}", #"{"stat":"ok"}"#,
            #"{"photos":{"page":1,"pages":1,"perpage":500,"total":"30"},"stat":"ok"}"#,
            #"jsonFlickrApi({"photos":{"page":1,"pages":0,"total":"0","photo":[]},"stat":"ok"})"#,
            #"{"photos":{"page":1,"pages":1,"total":"7","photo":[{"id":"1""#,
        ])
    func malformed(text: String) { #expect(failure(of: Self.answer(text))?.kind == .malformed) }

    @Test("an area without photos is empty; too many requests and an outage are told apart")
    func others() throws {
        #expect(try Self.answer(FlickrSimulator.list([])).get() == AnswerPage(items: [], isFull: false))
        #expect(failure(of: Self.answer("", status: 429))?.kind == .quota)
        #expect(failure(of: Self.answer("", status: 503))?.kind == .unavailable)
    }

    private func failure(of answer: Result<AnswerPage<FoundPhoto>, AskFailure>) -> AskFailure? {
        guard case .failure(let failure) = answer else { return nil }
        return failure
    }
}
