import Contracts
import HTTP
import TestSupport
import Testing
import Wire

@testable import Waymark

@Suite("P40 waymark bench over HTTP", .timeLimit(.minutes(3)))
struct HTTPLoadTests {
    private let run = CommandLineRunner(target: "127.0.0.1:1")
    private static let short = ["--duration", "200ms", "--warm-up", "20ms", "--json"]

    @Test("posts packed requests as the Connect protocol has it, and counts what is in the answers")
    func nearby() async throws {
        try await HTTPFixture.with { request in
            let place = Place(id: "catalog/x/1", position: Coordinate(latitude: 1, longitude: 2))
            let answer: [UInt8] =
                request.path.hasSuffix("ListDatasets")
                ? ListDatasetsResponse(datasets: [Dataset(name: "x", placeCount: 9)]).packedBytes()
                : NearbyResponse(places: [place, place]).packedBytes()
            return HTTPResponse(200, headers: [("Content-Type", "application/proto")], body: .bytes(answer))
        } _: { fixture, address in
            let (_, screen) = await run(["bench", "nearby", "--http", address + "/", "--rate", "100"] + Self.short)
            #expect(screen.output.contains(#""calls":20,"#) && screen.output.contains(#""errors":{}"#))
            #expect(screen.output.contains(#""mean":2,"#) && screen.output.contains(#""target":"\#(address)""#))
            let last = try #require(fixture.requests.last)
            #expect(last.method == "POST" && last.path == "/waymark.places.v1.PlacesService/Nearby")
            #expect(last.headers["content-type"] == "application/proto")
            #expect(last.headers["connect-protocol-version"] == "1" && last.headers["connect-timeout-ms"] == "10000")
            #expect(try NearbyRequest(packed: last.body).centre == Coordinate(latitude: 1, longitude: 2))
        }
    }

    @Test("an error keeps its code and its sentence, and an answer that is not Connect's gets one by its status")
    func errors() async throws {
        for (status, body, code, text) in [
            (400, #"{"code":"invalid_argument","message":"payload: no"}"#, 13, "payload: no"),
            (499, #"{"code":"canceled"}"#, 11, "CANCELLED"),
            (503, "<html>", 24, "answers with HTTP 503"), (404, "", 22, "answers with HTTP 404"),
        ] as [(Int, String, Int32, String)] {
            try await HTTPFixture.with { _ in
                HTTPResponse(status, body: .bytes(Array(body.utf8)))
            } _: { _, address in
                let (result, screen) = await run("bench", "call", "EchoService/Echo", "--http", address)
                #expect(result.rawValue == code && screen.messages.contains(text))
            }
        }
        #expect(await run("bench", "call", "EchoService/Echo", "--http", "http://127.0.0.1:1").code.rawValue == 24)
    }
}
