import Contracts
import FoundationEssentials
import RPC
import Synchronization
import Testing
import Wire

@testable import Terminal
@testable import Waymark

@Suite("P39 waymark nearby, explore, reverse")
struct SearchCommandTests {
    private struct Answer: Decodable {
        struct Place: Decodable {
            let id: String
            let distanceM: Double
        }
        let places: [Place]?
        let count: String?
        let nextPageToken: String?
        let emptyReason: String?
    }

    private func answer(_ screen: Screen) throws -> Answer {
        #expect(screen.lines.count == 1)
        return try JSONDecoder().decode(Answer.self, from: Data(screen.output.utf8))
    }

    @Test("nearby shows a table, nearest first, and says that there are more")
    func table() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("nearby", "60.1", "-24.9", "--limit", "3")
            #expect(code == .success)
            #expect(
                screen.lines == [
                    "DISTANCE  NAME     CATEGORY      DETAILS  ID",
                    "   0.0 m  Place 0  amenity/cafe  Way 0    catalog/mine/0",
                    "   100 m  Place 1  amenity/cafe  Way 1    catalog/mine/1",
                    "   200 m  Place 2  amenity/cafe  Way 2    catalog/mine/2",
                    "", "the nearest 3 of more within 1.00 km; --all or --limit shows more",
                ])
        }
    }

    @Test("nearby asks for what is open or closed at a moment, and refuses what says nothing")
    func open() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            _ = await run("nearby", "1", "2", "--open", "--or-unknown")
            _ = await run("nearby", "1", "2", "--closed", "--at", "2026-11-26T12:30:00Z", "--hours")
            #expect(await run("nearby", "1", "2", "--at", "2026-11-26").0 == .usage)
            #expect(await run("nearby", "1", "2", "--open", "--closed").0 == .usage)
        }
        let requests = gateway.places.state.withLock { $0.requests }
        #expect(
            requests.map(\.openAt) == [
                OpenAt(state: .open, orUnknown: true),
                OpenAt(time: TimestampMessage(unixSeconds: 1_795_696_200), state: .closed),
            ])
        #expect(requests.map { $0.fields.contains("hours") } == [false, true])
    }

    @Test("nearby passes every flag on")
    func flags() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            _ = await run(
                "nearby", "-33.86", "151.21", "--radius", "20.5", "--limit", "7", "--category", "a", "--category", "b",
                "--exclude", "c", "--name", "tea house", "--dataset", "d", "--network", "catalog", "--count")
        }
        #expect(
            gateway.places.state.withLock { $0.requests } == [
                NearbyRequest(
                    centre: Coordinate(latitude: -33.86, longitude: 151.21), radiusM: 20.5, limit: 7,
                    networks: ["catalog"], datasets: ["d"], categories: ["a", "b"], excludedCategories: ["c"],
                    nameText: "tea house",
                    includeCount: true)
            ])
    }

    @Test("nearby --anywhere asks for the nearest however far, and says so")
    func anywhere() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let (_, screen) = await run("nearby", "60", "25", "--anywhere", "--limit", "3", "--explain")
            #expect(screen.output.contains("the nearest 3 places"))
        }
        let request = try #require(gateway.places.state.withLock { $0.requests.first })
        #expect(request.anyDistance && request.explain && request.radiusM == nil)
    }

    @Test("within shows the places of a box, all pages when asked, and what the search did")
    func within() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("within", "60", "24", "61", "-25", "--limit", "3", "--count", "--explain")
            #expect(code == .success)
            #expect(screen.output.contains("3 places of 30 within the box; --all or --limit shows more"))
            #expect(screen.output.contains("searched 2 indexes in no time, 0 nodes visited, 30 places tested"))
            let (_, all) = await run("within", "60", "24", "61", "25", "--all", "--limit", "7", "--json")
            let everything = try answer(all)
            #expect(everything.places?.count == 30)
        }
    }

    @Test("nearby --json is the answer's canonical JSON on one line")
    func json() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("nearby", "60", "25", "--limit", "2", "--count", "--json")
            #expect(code == .success)
            let answer = try answer(screen)
            #expect(answer.places?.map(\.id) == ["catalog/mine/0", "catalog/mine/1"])
            #expect(answer.count == "11")
            #expect(answer.nextPageToken == "2")
        }
    }

    @Test("nearby --all puts all pages together")
    func allPages() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let (_, screen) = await run("nearby", "60", "25", "--radius", "2500", "--all", "--limit", "10", "--json")
            let answer = try answer(screen)
            #expect(answer.places?.map(\.distanceM) == (0...25).map { Double($0) * 100 })
            #expect(answer.nextPageToken == nil)
        }
        #expect(gateway.places.state.withLock { $0.requests.map(\.pageToken) } == ["", "10", "20"])
    }

    @Test(
        "an empty answer says why, and where the nearest is",
        arguments: [
            (["0", "0"], "There is no place within 1.00 km. The nearest is Place 7, 700 m away (catalog/mine/7)."),
            (["60", "25", "--category", "x"], "There are places within 1.00 km, but none passes the filter."),
            (
                ["60", "25", "--dataset", "void"],
                "Nothing is stored for these networks and datasets; waymark import FILE --dataset NAME adds places."
            ),
        ])
    func empty(words: [String], sentence: String) async throws {
        try await TestGateway().run { run in
            let (code, screen) =
                words.count == 2
                ? await run("nearby", words[0], words[1]) : await run("nearby", words[0], words[1], words[2], words[3])
            #expect(code == .success)
            #expect(screen.lines == [sentence])
        }
    }

    @Test("explore shows each branch with its status, and a failed one costs nothing else")
    func explore() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("explore", "60", "25", "--limit", "1")
            #expect(code == .success)
            #expect(
                screen.lines == [
                    "Places  1, nearest of more",
                    "  DISTANCE  NAME     CATEGORY      DETAILS  ID",
                    "     0.0 m  Place 0  amenity/cafe  Way 0    catalog/mine/0",
                    "", "Pins  none", "", "Photos  not known: the service can't be reached", "",
                    "BRANCH  STATUS       FOUND    TIME  MESSAGE",
                    "places  ok              1+  3.0 ms",
                    "pins    ok               0  1.0 ms",
                    "photos  UNAVAILABLE      0   12 ms  photos are down",
                    "", "answered in 13 ms",
                ])
        }
    }

    @Test("P35 explore --stream shows what is there, then each late branch, then how all went; in JSON a line for each")
    func exploreStream() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("explore", "60", "25", "--limit", "1", "--stream", "--explain")
            #expect(code == .success)
            #expect(
                screen.lines.prefix(12) == [
                    "Places  1, nearest of more",
                    "  DISTANCE  NAME     CATEGORY      DETAILS  ID",
                    "     0.0 m  Place 0  amenity/cafe  Way 0    catalog/mine/0",
                    "", "Pins  none", "", "Photos  not known: the service can't be reached", "",
                    "BRANCH  STATUS       FOUND    TIME  MESSAGE",
                    "places  ok              1+  3.0 ms",
                    "pins    ok               0  1.0 ms",
                    "photos  UNAVAILABLE      0   12 ms  photos are down",
                ])
            #expect(screen.lines.contains { $0.hasPrefix("explore       0 µs   13 ms") }, "the plan is at the end")
            let (_, terminal) = await run("explore", "60", "25", "--stream", isTerminal: true, width: 80)
            #expect(terminal.messages.contains("waiting for photos"))
            let (_, json) = await run("explore", "60", "25", "--limit", "1", "--stream", "--json")
            #expect(json.lines.count == 3 && json.lines.allSatisfy { $0.hasPrefix(#"{"additions":{"#) })
            #expect(json.lines[0].hasSuffix(#""waiting":["photos"]}"#) && json.lines[2].contains(#""done":true"#))
        }
    }

    @Test("P35 a stream that ends before its last answer is an error, after what it has brought")
    func brokenStream() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("explore", "60", "25", "--stream", "--radius", "7")
            #expect(code.rawValue == 24 && screen.lines.contains("Pins  none"))
            #expect(screen.messages.contains("before its last answer"))
        }
    }

    @Test("P54 explore --explain draws what was done as bars, within the terminal, and has it in its JSON")
    func explain() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("explore", "60", "25", "--limit", "1", "--explain", width: 78)
            #expect(code == .success)
            #expect(
                screen.lines.suffix(6) == [
                    "STEP         START    TIME                           DETAILS",
                    "explore       0 µs   13 ms  ███████████████████████",
                    "  wait        0 µs  1.0 ms  ██",
                    "  places    1.0 ms  3.0 ms   ██████                  replica 1 of 2",
                    "    search  2.0 ms  1.0 ms     ██",
                    "  photos    1.0 ms   12 ms   ██████████████████████  status UNAVAILABLE",
                ])
            let (_, json) = await run("explore", "60", "25", "--explain", "--json")
            #expect(json.output.contains(#""plan":{"steps":[{"duration":"0.013s","name":"explore""#))
            let (_, narrow) = await run("explore", "60", "25", "--explain", width: 40)
            #expect(narrow.lines.suffix(6).allSatisfy { $0.count <= 40 })
        }
    }

    @Test(
        "D4 explore never says none of a branch that has not answered",
        arguments: [
            (RPCCode.ok, "none"), (.deadlineExceeded, "not known: no answer in time"),
            (.resourceExhausted, "not known: RESOURCE_EXHAUSTED"),
        ])
    func unanswered(code: RPCCode, word: String) {
        let response = ExploreResponse(branches: [Branch(name: "photos", code: code.rawValue)])
        let sink = TextSink(isTerminal: false, hasColours: false, width: 80) { _ in }
        let lines = ExploreView(response: response, sink: sink).lines
        #expect(lines.contains("Photos  \(word)"))
        #expect(!lines.contains { $0.hasPrefix("Places") }, "it was not asked")
    }

    @Test("explore is green where it is well and red where it is not")
    func exploreColours() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("explore", "60", "25", isTerminal: true, width: 100)
            #expect(screen.output.contains("places  \u{1B}[32mok\u{1B}[0m"))
            #expect(screen.output.contains("photos  \u{1B}[31mUNAVAILABLE\u{1B}[0m"))
        }
    }

    @Test("reverse names the town, its region and country; far from every town what the point is called")
    func reverse() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("reverse", "60.2", "24.9")
            #expect(screen.lines == ["Helsinki, Uusimaa, Finland (FI); 1.23 km away"])
            let (_, sea) = await run("reverse", "-30", "-130")
            #expect(sea.lines == ["Pacific Ocean; the nearest town is Adamstown, 560 km away"])
        }
    }

    @Test("area names an area and its box, and as JSON gives its border for the zoom that is asked for")
    func area() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("area", "region/FI/Uusimaa", "--language", "sv")
            let line = "Nyland, region, 59.75, 22.75 to 60.75, 26.5; its border is 1 line of 4 points"
            #expect(screen.lines == [line, "", "© OpenStreetMap contributors"])
            let (_, json) = await run("area", "region/FI/Uusimaa", "--zoom", "9", "--json")
            #expect(json.output.contains("500000"))
            #expect(await run("area", "region/FI/Uusimaa", "--zoom", "x").0 == .usage)
        }
    }

    @Test("geocode shows what a text names and who must be named beside it; nothing is a failure of its own")
    func geocode() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let (_, screen) = await run("geocode", "Seattle, WA", "--near", "-47.5, 122", "--country", "US")
            #expect(
                screen.lines == [
                    "NAME     KIND      IN                          PEOPLE  POSITION",
                    "Seattle  town      Washington, United States  737,015  47.60621, -122.33207",
                    "Way 7    address?  00100 Helsinki, Finland             47.60621, -122.33207",
                    "", "GeoNames, CC BY 4.0; © OpenStreetMap contributors",
                ])
            let asked = gateway.places.state.withLock { $0.geocoded }
            #expect(asked.first?.bias == Coordinate(latitude: -47.5, longitude: 122))
            #expect(asked.first?.countryCodes == ["US"])
            #expect(await run("geocode", "nowhere").0 == ExitCode(rawValue: 15))
            #expect(await run("geocode", "x", "--near", "1").0 == .usage)
        }
    }

    @Test("P15 find shows what each result is and where, with distances only from a point that is given")
    func find() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let (_, screen) = await run("find", "amos", "--limit", "2")
            #expect(
                screen.lines == [
                    "NAME      KIND        IN                                     POSITION            ID",
                    "Amos Rex  art museum  Mannerheimintie 22, Helsinki, Finland  60.16989, 24.93645  "
                        + "catalog/helsinki/node/1",
                    "Amos      town?       Quebec, Canada                         60.16989, 24.93645  catalog/towns/2",
                    "", "© OpenStreetMap contributors; GeoNames, CC BY 4.0",
                ])
            let (_, near) = await run("find", "amos", "--near", "60.17,24.94")
            #expect(near.lines.first?.hasPrefix("DISTANCE  NAME") == true && near.lines[1].hasPrefix("   120 m"))
            let asked = gateway.places.state.withLock { $0.found }
            #expect(asked.first == FindRequest(text: "amos", limit: 2))
            #expect(asked.last?.near == Coordinate(latitude: 60.17, longitude: 24.94))
            #expect(await run("find", "nowhere").1.lines.first?.hasPrefix("Nothing of this name") == true)
        }
    }
}
