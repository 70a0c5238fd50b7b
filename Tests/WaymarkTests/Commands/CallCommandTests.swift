import TestTools
import Testing

@testable import Waymark

@Suite("P39 waymark call")
struct CallCommandTests {
    @Test(
        "calls a unary method with JSON there and back",
        arguments: ["EchoService/Echo", "waymark.rpc.v1.EchoService/Echo"])
    func unary(method: String) async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("call", method, #"{"payload":"aGVsbG8="}"#)
            #expect(code == .success)
            #expect(screen.output == #"{"payload":"aGVsbG8="}"# + "\n")
        }
    }

    @Test("sends the empty message when no JSON is given")
    func empty() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("call", "EchoService/Echo")
            #expect(screen.output == "{}\n")
        }
    }

    @Test("writes a stream's answers a line each")
    func stream() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("call", "EchoService/EchoStream", #"{"payload":"YQ==","count":3}"#)
            #expect(code == .success)
            #expect(
                screen.lines == [
                    #"{"payload":"YQ=="}"#, #"{"index":1,"payload":"YQ=="}"#, #"{"index":2,"payload":"YQ=="}"#,
                ])
        }
    }

    @Test("sends a stream's requests from a line each, and refuses a line that is none before anything is sent")
    func requests() async throws {
        try await TestGateway().run { run in
            let lines = "{\"payload\":\"YQ==\"}\n\n{\"payload\":\"Yg==\"}\n"
            let (_, joined) = await run("call", "EchoService/EchoJoined", lines)
            #expect(joined.output == #"{"count":2,"payload":"YWI="}"# + "\n")
            let (_, each) = await run("call", "EchoService/EchoEach", lines)
            #expect(each.lines == [#"{"payload":"YQ=="}"#, #"{"payload":"Yg=="}"#])
            let (code, _) = await run("call", "EchoService/EchoEach", lines + "{")
            #expect(code == .usage)
        }
    }

    @Test("reads the request from a file")
    func file() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write(#"{"payload":"YQ=="}"#, to: "request.json")
        try await TestGateway().run { run in
            let (_, screen) = await run("call", "EchoService/Echo", "@\(path)")
            #expect(screen.output == #"{"payload":"YQ=="}"# + "\n")
        }
    }

    @Test("shows it on many lines to a person")
    func pretty() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("call", "EchoService/Echo", #"{"payload":"YQ=="}"#, isTerminal: true)
            #expect(screen.lines.count == 3)
        }
    }

    @Test("refuses a field that the request does not have, before anything is sent")
    func unknownField() async throws {
        let (code, screen) = await CommandLineRunner(target: "127.0.0.1:1")("call", "EchoService/Echo", #"{"pay":1}"#)
        #expect(code == .usage)
        #expect(screen.messages.contains("pay"))
    }

    @Test("an error of the method keeps its code")
    func failure() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("call", "PinService/GetPin", #"{"id":"\#(Sample.pinID)"}"#)
            #expect(code.rawValue == 15)
            #expect(screen.messages == "waymark: NOT_FOUND: no pin \(Sample.pinID)\n")
        }
    }

}
