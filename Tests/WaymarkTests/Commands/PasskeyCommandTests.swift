import Synchronization
import Testing

@testable import Waymark

@Suite("P30 waymark passkey, and administrators who remove passkeys")
struct PasskeyCommandTests {
    @Test("passkeys are listed, renamed and removed")
    func passkeys() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            #expect(await run("passkey", "list").screen.lines.last == "p1  phone  2023-11-14 22:13:20  never      yes")
            #expect(await run("passkey", "rename", "p1", "the phone").screen.lines == ["It is called the phone."])
            #expect(await run("passkey", "rm", "p1").screen.lines == ["The passkey is removed."])
            #expect(await run("passkey", "rm", "p2").screen.lines == ["You have no such passkey."])
            let (_, cleared) = await run("admin", "clear-passkeys", "ann@example.org")
            #expect(cleared.lines == ["2 passkeys removed; all sessions have ended."])
            #expect(gateway.passkeys.asked.withLock { $0 } == ["p1 is the phone", "clear ann@example.org"])
        }
    }
}
