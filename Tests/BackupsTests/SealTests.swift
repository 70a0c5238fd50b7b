import Files
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 Sealed backups", .timeLimit(.minutes(5)))
struct SealTests {
    @Test("show nothing of what they hold, and open with their passphrase alone")
    func sealed() async throws {
        try await DataHouse.with { house in
            try await house.add(1, "a very private note", to: house.pins)
            let backup = try await house.open(sealed: true) { vault in try await house.backUp(vault) }
            for path in try SmallFile.names(under: house.place) where DiskFile.isFile("\(house.place)/\(path)") {
                let text = String(decoding: try WholeFile.bytes("\(house.place)/\(path)"), as: UTF8.self)
                for word in ["private note", "picture", "items", "secret of the deployment", "pins.db"] {
                    #expect(!text.contains(word), "\(path) shows \(word)")
                }
            }
            let wrong = await #expect(throws: BackupError.self) {
                try await house.open(passphrase: Array("correct horse batterx".utf8)) { _ in }
            }
            #expect(wrong?.description.hasPrefix("that is not the passphrase of the backups at ") == true)
            let none = await #expect(throws: BackupError.self) { try await house.open { _ in } }
            #expect(none?.description.contains("--passphrase-file") == true)
            let back = try await house.open(sealed: true) { vault in try await house.restore(backup, vault) }
            #expect(try WholeFile.text("\(back)/key") == "the secret of the deployment")
        }
    }

    @Test("are not mixed with others in one place")
    func mixed() async throws {
        try await DataHouse.with { house in
            _ = try await house.open { vault in try await house.backUp(vault) }
            let error = await #expect(throws: BackupError.self) { try await house.open(sealed: true) { _ in } }
            #expect(error?.description.contains("not sealed") == true)
        }
    }
}
