import Geo
import HTTPClient
import LiveNetworks
import Testing

@testable import PhotoService

@Suite("Answers of Wikimedia Commons")
struct CommonsProviderTests {
    private let provider = CommonsProvider(url: CommonsProvider.defaultURL)

    private func answer(_ text: String, status: Int = 200) -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        var response = HTTPClientResponse(status: status, headers: [:], body: Array(text.utf8))
        response.headers["content-type"] = "application/json"
        return provider.answer(response, at: 0)
    }

    @Test("are read as they are: with the address of the bytes without its query, and the time")
    func read() throws {
        let file = CommonsFixture.File(id: 7, address: "https://thumb.wikimedia.org/a/1280px-Bridge.jpg")
        let page = try answer(CommonsFixture.list([file], at: "")).get()
        let photo = try #require(page.items.first?.photo)
        #expect(photo.originalURL == "https://thumb.wikimedia.org/a/1280px-Bridge.jpg")
        #expect(photo.takenMilliseconds == 1_592_743_207_000)
        #expect(!page.isFull && page.cursor == nil)
    }

    @Test("go on where they say, with all that they want repeated")
    func goesOn() throws {
        let text = CommonsFixture.list([], at: "", continuing: ["iistart": "a b", "continue": "||coordinates"])
        let page = try answer(text).get()
        #expect(page.isFull)
        let cursor = try #require(page.cursor)
        let patch = try #require(GridPatch([GridCell(of: try Coordinate(latitude: 48.8584, longitude: 2.2945))]))
        #expect(provider.request(patch, cursor: cursor).url.hasSuffix("&continue=%7C%7Ccoordinates&iistart=a%20b"))
    }

    @Test("without anything near are empty, and errors within a 200 are failures")
    func empty() throws {
        #expect(try answer("{\"batchcomplete\":true}").get().items.isEmpty)
        let error = answer("{\"error\":{\"code\":\"toobig\",\"info\":\"Radius too big\"}}")
        #expect(throws: AskFailure.self) { try error.get() }
        #expect(throws: AskFailure.self) { try answer("<html>").get() }
        #expect(throws: AskFailure.self) { try answer("", status: 500).get() }
    }

    @Test(
        "name authors in HTML, which become plain lines",
        arguments: [
            ("<a href=\"x\">Ann</a>", "Ann"), ("Ann<span style=\"display: none;\">Ann <b>x</b></span>", "Ann"),
            ("A &amp; B &lt;c&gt;", "A & B <c>"), ("a\n\tb<br>c", "a bc"), ("<unfinished", ""), ("&&amp;&x;", "&&&x;"),
            ("", ""),
        ])
    func html(html: String, text: String) {
        #expect(PlainText.line(PlainText.ofHTML(html), limit: 200) == text)
    }
}
