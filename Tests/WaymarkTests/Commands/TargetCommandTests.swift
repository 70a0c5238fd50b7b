import TestTools
import Testing

@testable import Waymark

@Suite("D1 waymark target")
struct TargetCommandTests {
    @Test("what it saves is called where nothing else is said, until it is forgotten")
    func saved() async throws {
        let folder = TemporaryFolder()
        try await TestGateway().run { run in
            func runs(_ words: String...) async -> (code: ExitCode, screen: Screen) {
                let screen = Screen()
                let program = Program(
                    console: screen.console(isTerminal: false, width: nil),
                    environment: ["XDG_CONFIG_HOME": folder.path])
                return (await program.run(words[...]), screen)
            }
            #expect(await runs("target").screen.lines == [ClientOptions.defaultTarget])
            #expect(await runs("target", run.target).screen.lines == ["Commands call \(run.target) from now on."])
            #expect(await runs("target").screen.lines == [run.target])
            #expect(await runs("dataset", "show", "mine").code == .success)
            #expect(await runs("target", "--target", "other:1").screen.lines == ["other:1"])
            let refused = await runs("target", "host:port")
            #expect(refused.code == .usage && refused.screen.messages.contains("host:port is not allowed"))
            #expect(await runs("target").screen.lines == [run.target])
            #expect(await runs("target", "--forget").code == .success)
            #expect(await runs("target").screen.lines == [ClientOptions.defaultTarget])
        }
    }
}
