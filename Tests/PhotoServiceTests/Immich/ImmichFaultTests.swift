import PhotoContracts
import HTTP
import RPC
import TestSupport
import Testing

@testable import PhotoService

@Suite("P18 P26 Faults of an Immich server", .timeLimit(.minutes(2)))
struct ImmichFaultTests {
    private typealias Asset = ImmichSimulator.Asset
    private typealias Behaviour = ImmichSimulator.Behaviour

    /// What a server does wrong, and what is said of it.
    struct Fault: CustomTestStringConvertible {
        let testDescription: String
        let response: HTTPResponse
        let words: String

        init(_ name: String, _ response: HTTPResponse, _ words: String) {
            (testDescription, self.response, self.words) = (name, response, words)
        }
    }

    /// Nobody is to be asked there.
    private static let elsewhere = HTTPResponse(302, headers: [("Location", "http://127.0.0.1:1/")])

    /// A hundred megabytes of the same byte, of which the length is not told.
    private static func endless(_ byte: UInt8) -> HTTPResponse {
        let part = [UInt8](repeating: byte, count: 1_000_000)
        return HTTPResponse(
            200, body: .stream(count: nil) { writer in for _ in 0..<100 { try await writer.write(part) } })
    }

    private static let ofLists = [
        Fault(
            "HTML", HTTPResponse(200, text: "<html>hello</html>"),
            "immich: its answer to /server/version is not the JSON that it describes"),
        Fault(
            "no Immich", HTTPResponse(404, text: "nothing"),
            "immich: it has no /server/version: it is no Immich, or an old one"),
        Fault("down", HTTPResponse(502, text: ""), "immich: it fails (502)"),
        Fault("elsewhere", elsewhere, "immich: it answers with 302"),
        Fault("too long", endless(0x5b), "immich: the answer has more than 33554432 bytes"),
    ]

    @Test("cost its part of an album, which says why; nothing is concluded from them", arguments: ofLists)
    func faults(fault: Fault) async throws {
        let simulator = ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            try await world.addPin()
            simulator.behave { $0.fault = fault.response }
            try await world.forgetAreas()
            try await world.addPin("p2")
            try await world.service.watch("pin/p2") { $0.album?.warning == fault.words }
            #expect(try await world.numbers("pin/p2") == [1])
            #expect(try await world.list().keys.map(\.problem) == [""], "nothing is wrong with the key")
        }
    }

    @Test("too many requests close it for as long as it says, for all its accounts")
    func busy() async throws {
        let simulator = ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            simulator.behave { $0.fault = HTTPResponse(429, headers: [("Retry-After", "3600")]) }
            try await world.addPin()
            let asked = world.fixture.requests.count
            simulator.behave { $0.fault = nil }
            let error = try await errorOf { try await world.setKey(of: "bo") }
            #expect(error?.code == .unavailable && error?.message.contains("left alone") == true)
            #expect(world.fixture.requests.count == asked)
        }
    }

    @Test("arrays of different lengths are no answer: no photo gets the position of another")
    func lengths() async throws {
        let simulator = ImmichSimulator(
            [Asset(number: 1), Asset(number: 2, latitude: 48.8590)], key: ImmichWorld.key)
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            simulator.behave { $0.losesPosition = true }
            try await world.addPin()
            let album = try await world.service.album("pin/p1")
            #expect(album.photos.isEmpty)
            #expect(album.album?.warning == "immich: its answer to /timeline/bucket is not the JSON that it describes")
        }
    }

    @Test("a slow one holds up nothing: what else there is is shown, and its photos come when it answers")
    func slow() async throws {
        let gate = Gate()
        let simulator = ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)
        try await ImmichWorld.with(simulator, patience: SearchPatience()) { world in
            try await world.setKey()
            simulator.behave { $0.gate = gate }
            try await world.search()
            try await world.service.watch("pin/p1") {
                $0.album?.warning == "immich: it has not answered yet; the query still runs"
            }
            gate.open()
            try await world.service.watch("pin/p1") { $0.album?.summary?.photoCount == 1 }
            #expect(try await world.service.album("pin/p1").album?.warning == "")
        }
    }

    private static let ofPictures = [
        Fault(
            "HTML", HTTPResponse(200, headers: [("Content-Type", "image/jpeg")], body: .bytes(Array("<html>".utf8))),
            "neither a JPEG nor WebP"),
        Fault("nothing", HTTPResponse(200), "neither a JPEG nor WebP"),
        Fault("too long", endless(0xff), "can't be read now"), Fault("elsewhere", elsewhere, "can't be read now"),
        Fault("down", HTTPResponse(500, text: ""), "can't be read now"),
    ]

    @Test("what it gives for a picture is looked at, whatever it says of it", arguments: ofPictures)
    func pictures(fault: Fault) async throws {
        let simulator = ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            try await world.addPin()
            let id = try #require(try await world.service.album("pin/p1").photos.first?.id)
            simulator.behave { $0.picture = fault.response }
            let error = try await errorOf { try await world.service.picture(id, .thumbnail) }
            #expect(error?.message.contains(fault.words) == true, "\(error?.message ?? "")")
            simulator.behave { $0.picture = nil }
            #expect(try await world.service.picture(id, .thumbnail).bytes == ImmichSimulator.thumbnail)
        }
    }
}
