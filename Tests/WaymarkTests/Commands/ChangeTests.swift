import Contracts
import RPC
import Synchronization
import Testing

@testable import Waymark

@Suite("P36 every change has a name")
struct ChangeTests {
    private let gateway = TestGateway()

    private var names: [String] {
        gateway.pins.state.withLock { $0.changes } + gateway.photos.state.withLock { $0.changes }
    }

    @Test("each command that changes something makes up a name of 32 digits, never the same one")
    func random() async throws {
        gateway.pins.state.withLock { $0.pins = [Sample.pin()] }
        let id = Sample.pinID
        let commands = [
            ["pin", "add", "1", "2"], ["pin", "add", "1", "2"], ["pin", "move", id, "1", "2"],
            ["pin", "rename", id, "x"], ["pin", "rm", id], ["album", "new", id], ["album", "remove", id, "folder/1"],
            ["album", "restore", id], ["photo", "put", "mine/1", "1", "2"],
        ]
        try await gateway.run { run in
            for words in commands { #expect(await run(words).code == .success, "\(words)") }
        }
        #expect(Set(names).count == commands.count)
        #expect(names.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test("--request-id gives a change its name")
    func given() async throws {
        try await gateway.run { run in _ = await run("pin", "add", "1", "2", "--request-id", "mine") }
        #expect(names == ["mine"])
    }

    @Test("a change that was perhaps made is told by its name", arguments: [RPCCode.deadlineExceeded, .unknown])
    func uncertain(code: RPCCode) async throws {
        gateway.pins.state.withLock { $0.failure = RPCError(code, "who knows") }
        try await gateway.run { run in
            let (exit, screen) = await run("pin", "add", "1", "2", "--request-id", "mine")
            #expect(exit.rawValue == 10 + Int32(code.rawValue))
            #expect(
                screen.messages.hasSuffix(
                    "The change may have been made; --request-id mine retries it without making it twice.\n"))
            let (_, json) = await run("pin", "add", "1", "2", "--request-id", "mine", "--json")
            #expect(json.lines == [#"{"error":{"code":"\#(code)","message":"who knows","requestId":"mine"}}"#])
        }
    }

    @Test("a change that was refused was not made, and is not told by its name")
    func refused() async throws {
        gateway.pins.state.withLock { $0.failure = RPCError(.invalidArgument, "no") }
        try await gateway.run { run in
            let (_, screen) = await run("pin", "add", "1", "2")
            #expect(screen.messages == "waymark: INVALID_ARGUMENT: no\n")
        }
    }
}
