import Geo
import HTTPClient
import LiveNetworks
import Testing

@testable import PlacesService

@Suite("P14 What answers of live networks mean")
struct ProviderAnswerTests {
    /// 2024-07-03T09:46:40Z
    private static let now: Int64 = 1_720_000_000_000

    private func read(
        _ kind: LiveKind, _ body: String, status: Int = 200, _ headers: [String: String] = [:]
    ) -> Result<ProviderPage, AskFailure> {
        let response = HTTPClientResponse(status: status, headers: headers, body: Array(body.utf8))
        return kind.provider("http://x").answer(response, at: Self.now)
    }

    private func failure(
        _ kind: LiveKind, _ body: String, status: Int = 200, _ headers: [String: String] = [:]
    ) -> AskFailure? {
        guard case .failure(let failure) = read(kind, body, status: status, headers) else { return nil }
        return failure
    }

    @Test("OpenStreetMap: nodes and ways with a centre become places; what has no name or position costs itself alone")
    func overpass() throws {
        let body = FixtureCity.overpass([
            #"{"type":"node","id":7,"lat":60.1,"lon":24.9,"tags":{"name":"Kahvila Ö","amenity":"cafe;bar","shop":"tea","website":"https://x","name:sv":"Kaffe"}}"#,
            #"{"type":"way","id":7,"center":{"lat":60.2,"lon":24.8},"nodes":[1,2],"tags":{"name":"Museum","tourism":"museum"}}"#,
            #"{"type":"node","id":8,"lat":60.1,"lon":24.9,"tags":{"amenity":"bench"}}"#,
            #"{"type":"way","id":9,"tags":{"name":"Nowhere","shop":"x"}}"#,
            #"{"type":"node","id":10,"lat":"NaN","lon":24.9,"tags":{"name":"Odd","shop":"x"}}"#,
            #"{"type":"node","id":11,"lat":91,"lon":24.9,"tags":{"name":"Far","shop":"x"}}"#,
            #"{"type":"node","id":12,"lat":60.1,"lon":24.9}"#,
            "7", "null",
        ])
        let page = try read(.openstreetmap, body).get()
        #expect(page.items.map(\.id) == ["node/7", "way/7"])
        #expect(page.items[0].name == "Kahvila Ö")
        #expect(page.items[0].categories == ["amenity/cafe", "amenity/bar", "shop/tea"])
        #expect(page.items[0].attributes.map(\.key) == ["name:sv", "website"])
        #expect(page.items[1].position == Shapes.point(60.2, 24.8))
        #expect(!page.isFull)
    }

    @Test("OpenStreetMap: an answer as long as its limit is full, also when some of it can't be read")
    func overpassFull() throws {
        let provider = OverpassProvider(url: "http://x", limit: 3)
        let node = #"{"type":"node","id":7,"lat":60.1,"lon":24.9,"tags":{"name":"A","shop":"x"}}"#
        let body = FixtureCity.overpass(["1", "2", node])
        let page = try provider.answer(HTTPClientResponse(status: 200, body: Array(body.utf8)), at: 0).get()
        #expect(page.items.map(\.id) == ["node/7"] && page.isFull)
    }

    @Test("OpenStreetMap: a remark of an error makes an answer none, whatever it holds")
    func remark() {
        let element = #"{"type":"node","id":7,"lat":60.1,"lon":24.9,"tags":{"name":"A","shop":"x"}}"#
        let slow = FixtureCity.overpass(
            [element], remark: "runtime error: Query timed out in 'query' after 25 seconds.")
        #expect(failure(.openstreetmap, slow)?.kind == .timeout)
        let memory = FixtureCity.overpass([element], remark: "runtime error: Query run out of memory")
        #expect(failure(.openstreetmap, memory)?.kind == .unavailable)
        #expect(failure(.openstreetmap, FixtureCity.overpass([], remark: "a hint")) == nil)
    }

    @Test("OpenStreetMap: busy pages in HTML are told from nonsense, also with status 200")
    func html() {
        let busy = "<html><p>Error: runtime error: open64: 0 Success Dispatcher_Client::rate_limited</p></html>"
        #expect(failure(.openstreetmap, busy)?.kind == .unavailable)
        #expect(failure(.openstreetmap, "<html>hello</html>")?.kind == .malformed)
        #expect(failure(.openstreetmap, busy, status: 504)?.kind == .timeout)
        #expect(failure(.openstreetmap, busy, status: 429, ["retry-after": "30"]) != nil)
        #expect(failure(.openstreetmap, "bad query", status: 400)?.kind == .malformed)
    }

    @Test("Foursquare 2025: venues, categories and the cursor of the next page; a missing address is no matter")
    func foursquare() throws {
        let body = #"""
            {"results":[{"fsq_place_id":"a1","name":"Corner","latitude":60.1,"longitude":24.9,
            "categories":[{"fsq_category_id":"4b","name":"Coffee Shop"}],"location":{"locality":"Town"},"tel":"1"},
            {"fsq_place_id":"a2","name":"Bare","latitude":60.1,"longitude":24.9},
            {"fsq_place_id":"a3","name":"Nowhere"},{"name":"no id"}],"context":{}}
            """#
        let link = #"<https://x/places/search?limit=50&cursor=c%3A1>; rel="next", <https://x/>; rel="first""#
        let page = try read(.foursquare, body, ["link": link]).get()
        #expect(page.items.map(\.id) == ["a1", "a2"])
        #expect(page.items[0].categories == ["foursquare/coffee_shop"])
        #expect(page.items[0].attributes.map(\.key) == ["city", "phone"])
        #expect(page.cursor == "c:1")
        #expect(page.isFull)
    }

    @Test(
        "Foursquare 2025: any header that names a next page is understood; without a cursor in it the page is full",
        arguments: [
            (#"<https://x/s?cursor=a>; rel="next""#, "a", true), ("<https://x/s?cursor=a>;rel=next", "a", true),
            (#"<https://x/s?ll=60.1,24.9&cursor=a%2Cb>; rel="next""#, "a,b", true),
            (#"<https://x/?a,b>; rel=prev; title="a, b", <https://x/?cursor=c>; REL="last NEXT""#, "c", true),
            (#"<https://x/next>; rel="next""#, nil, true), ("<https://x/?cursor=>; rel=next", nil, true),
            ("<https://x/?cursor=a>; rel=nextdoor", nil, false), ("<https://x/?cursor=a; rel=next", nil, false),
            ("<https://x/?cursor=a>", nil, false), (#"<a>; rel="first", <b>; rel="#, nil, false), ("", nil, false),
        ] as [(String, String?, Bool)])
    func links(link: String, cursor: String?, isFull: Bool) throws {
        let page = try read(.foursquare, #"{"results":[]}"#, ["link": link]).get()
        #expect(page == ProviderPage(items: [], isFull: isFull, cursor: cursor))
    }

    @Test("Foursquare v2: both of its forms, and its envelope before its status")
    func foursquareV2() throws {
        let venue = #"{"id":"a1","name":"Corner","location":{"lat":60.1,"lng":24.9},"categories":[]}"#
        let new = #"{"meta":{"code":200},"notifications":[],"response":{"venues":[\#(venue),{"id":"a2"}]}}"#
        let old = #"{"meta":{"code":200},"response":{"groups":[{"type":"places","items":[\#(venue)]}]}}"#
        #expect(try read(.foursquareV2, new).get().items.map(\.id) == ["a1"])
        #expect(try read(.foursquareV2, old).get().items.map(\.id) == ["a1"])
        func envelope(_ code: Int, _ type: String) -> String {
            #"{"meta":{"code":\#(code),"errorType":"\#(type)","errorDetail":"so it is"},"response":{}}"#
        }
        let reset = ["x-ratelimit-reset": "\(Self.now / 1_000 + 90)"]
        let limited = failure(.foursquareV2, envelope(403, "rate_limit_exceeded"), status: 403, reset)
        #expect(limited?.kind == .quota)
        #expect(limited?.retryAfterMilliseconds == 90_000)
        #expect(failure(.foursquareV2, "", status: 403, reset)?.kind == .quota)
        #expect(failure(.foursquareV2, envelope(401, "invalid_auth"), status: 401)?.kind == .auth)
        #expect(failure(.foursquareV2, envelope(400, "param_error"))?.kind == .malformed)
        #expect(failure(.foursquareV2, envelope(500, "server_error"), status: 500)?.kind == .unavailable)
        #expect(failure(.foursquareV2, #"{"meta":{"code":500}}"#)?.kind == .unavailable)
        #expect(failure(.foursquareV2, envelope(401, "invalid_auth"), status: 200)?.reason.contains("so it is") == true)
    }

    @Test("Instagram: ids as numbers and as texts, and its error beside any status")
    func instagram() throws {
        let body = #"""
            {"meta":{"code":200},"data":[{"id":514,"name":"Park","latitude":60.1,"longitude":24.9,"street_address":""},
            {"id":"515","name":"O'Hara","latitude":60.1,"longitude":24.9},{"id":"516","name":"","latitude":1,"longitude":2}]}
            """#
        #expect(try read(.instagram, body).get().items.map(\.id) == ["514", "515"])
        func error(_ type: String, _ code: Int) -> String {
            #"{"meta":{"error_type":"\#(type)","code":\#(code),"error_message":"so it is"}}"#
        }
        #expect(failure(.instagram, error("OAuthAccessTokenException", 400), status: 400)?.kind == .auth)
        #expect(failure(.instagram, error("OAuthRateLimitException", 429), status: 429)?.kind == .quota)
        #expect(failure(.instagram, error("no authenticated user", 400))?.kind == .auth)
        #expect(failure(.instagram, #"{"meta":{"code":200}}"#)?.kind == .malformed)
    }

    @Test(
        "any network: a status that is no answer has its meaning", arguments: LiveKind.allCases,
        [
            (401, AskFailure.Kind.auth), (402, .quota), (429, .quota), (500, .unavailable), (503, .unavailable),
            (504, .timeout), (404, .malformed), (301, .malformed),
        ])
    func statuses(kind: LiveKind, status: (code: Int, kind: AskFailure.Kind)) {
        let failure = failure(kind, "", status: status.code, ["retry-after": "7"])
        #expect(failure?.kind == status.kind)
        if status.kind == .quota { #expect(failure?.retryAfterMilliseconds == 7_000) }
    }

    @Test("A3 any network: a list of which no element can be read is MALFORMED, not empty and not truncated")
    func unreadable() {
        let odd = #"{"ref":"7","title":"A","place":{"y":60.1,"x":24.9}}"#
        let list = Array(repeating: odd, count: 50).joined(separator: ",")
        for (kind, body) in [
            (LiveKind.openstreetmap, #"{"elements":[\#(list)]}"#), (.foursquare, #"{"results":[\#(list)]}"#),
            (.foursquareV2, #"{"meta":{"code":200},"response":{"venues":[\#(list)]}}"#),
            (.instagram, #"{"meta":{"code":200},"data":[\#(list)]}"#),
        ] {
            #expect(failure(kind, body)?.kind == .malformed, "\(kind)")
            #expect(failure(kind, body)?.reason == "none of its 50 elements can be read")
        }
    }

    @Test(
        "any network: what is no answer of its shape is MALFORMED", arguments: LiveKind.allCases,
        ["", "{", "[]", "null", "{}", "\u{0}", String(repeating: "[", count: 100_000)])
    func nonsense(kind: LiveKind, body: String) {
        #expect(failure(kind, body)?.kind == .malformed)
    }
}
