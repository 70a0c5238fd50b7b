import Synchronization
import TestTools
import Testing

@testable import Waymark

@Suite("P26 P39 waymark network-key")
struct NetworkKeyCommandTests {
    @Test("a key is given from a file, listed without it, and deleted")
    func keys() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("secret-key\nanother line", to: "key")
        let gateway = TestGateway()
        try await gateway.run { run in
            let (_, none) = await run("network-key", "list")
            #expect(none.lines == ["NETWORK  SERVER                  KEY", "immich   https://photos.example  none"])
            let (_, set) = await run("network-key", "set", "immich", "--key-file", file)
            #expect(set.lines == ["The key for immich at https://photos.example is kept."])
            #expect(gateway.keys.given.withLock { $0 } == [FakeNetworkKeys.server: "secret-key"])
            let (_, list) = await run("network-key", "list")
            #expect(list.lines.last == "immich   https://photos.example  works")
            let (_, gone) = await run("network-key", "delete", "immich")
            #expect(gone.lines == ["The key for immich is deleted."])
            let (_, again) = await run("network-key", "delete", "immich")
            #expect(again.lines == ["There is no key for immich."])
        }
    }

    @Test("a key that is refused, and a file that is not there, are told")
    func refused() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("no", to: "key")
        try await TestGateway().run { run in
            let (code, screen) = await run("network-key", "set", "immich", "--key-file", file)
            #expect(code.rawValue == 13 && screen.messages.contains("the server does not accept the key"))
            let (_, missing) = await run("network-key", "set", "immich", "--key-file", "\(folder.path)/none")
            #expect(missing.messages.contains("can't be read"))
        }
    }
}
