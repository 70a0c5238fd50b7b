import Arguments
import Bytes
import Files

/// The gateway that `waymark target` has saved: a file in the user's configuration folder with its address.
struct SavedTarget: Sendable {
    private static let longestFile = 4 << 10

    private let folder: String
    private var path: String { "\(folder)/target" }

    /// Where this program keeps what is the user's; nil when the environment names no home.
    static func folder(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_CONFIG_HOME"], base.begins(with: "/") { return "\(base)/waymark" }
        if let home = environment["HOME"], home.begins(with: "/") { return "\(home)/.config/waymark" }
        return nil
    }

    init?(_ environment: [String: String]) {
        guard let folder = Self.folder(environment) else { return nil }
        self.folder = folder
    }

    /// Nil when none is saved. Blocks.
    func address() throws(UsageError) -> String? {
        do {
            guard try DiskFile.exists(path) else { return nil }
            let text = String(decoding: try SmallFile.read(path, limit: Self.longestFile), as: UTF8.self)
            return text.split(at: "\n").first.map(String.init)
        } catch {
            throw UsageError(
                "the gateway that `waymark target` has saved can't be read: \(error); --target does without it")
        }
    }

    /// Saves an address in place of the one before, or none. Blocks.
    func keep(_ address: String?) throws {
        guard let address else {
            if try DiskFile.exists(path) { try DiskFile.remove(path) }
            return
        }
        try DiskFile.makeFolder(folder)
        try DiskFile.replace(path, with: Array("\(address)\n".utf8))
    }
}
