import Geo
import ServiceRuntime

/// Where the bases of discovered places lie: `<network>-<version>.snapshot`, with all rows up to that version.
struct DiscoveredFolder: Sendable {
    private static let ending = ".snapshot"

    let path: String

    /// The newest base of each network. One that can't be opened is removed: its rows are still there. Blocks.
    func open(_ log: Log?) -> [(network: Network, version: Int64, base: Snapshot)] {
        LiveNetwork.names.compactMap { network in
            guard let version = versions(of: network).max() else { return nil }
            do {
                return (network, version, try Snapshot(path: file(network, version)))
            } catch {
                log?.error("discovered places are read anew", ["network": network.rawValue, "reason": "\(error)"])
                removeAll(of: network, but: nil)
                return nil
            }
        }
    }

    /// Writes a base and opens it; the folder is there. Blocks.
    func write(_ places: consuming SnapshotBuilder, _ network: Network, _ version: Int64) throws -> Snapshot {
        let file = file(network, version)
        _ = try places.write(to: file)
        return try Snapshot(path: file)
    }

    /// Removes what is older; what can't be removed now is removed with the next base. Blocks.
    func removeAll(of network: Network, but version: Int64?) {
        for old in versions(of: network) where old != version { try? DiskFile.remove(file(network, old)) }
    }

    private func versions(of network: Network) -> [Int64] {
        let prefix = network.rawValue + "-"
        return DiskFile.names(in: path).compactMap { name in
            guard name.hasPrefix(prefix), name.hasSuffix(Self.ending) else { return nil }
            return Int64(name.dropFirst(prefix.count).dropLast(Self.ending.count))
        }
    }

    private func file(_ network: Network, _ version: Int64) -> String {
        "\(path)/\(network.rawValue)-\(version)\(Self.ending)"
    }
}
