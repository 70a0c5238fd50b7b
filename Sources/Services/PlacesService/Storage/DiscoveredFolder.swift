import Bytes
import Daemon
import Files
import Geo
import Networks

/// Where the bases of discovered places lie: `<network>-<store>-<version>.snapshot`, with all rows of a store up to a
/// version.
struct DiscoveredFolder: Sendable {
    private static let ending = ".snapshot"

    let path: String
    /// The number of the store that the rows are in.
    let store: Int64

    /// The newest base of each network that a store with this last version can have made. Others are removed, as is one
    /// that can't be opened: the store was removed or restored to an earlier state, and the rows are complete. Blocks.
    func open(upTo last: Int64, _ log: Log?) -> [(network: Network, version: Int64, base: Snapshot)] {
        Network.livePlaces.compactMap { network in
            let version = names(of: network).compactMap { self.version($0, network) }.filter { $0 <= last }.max()
            removeAll(of: network, but: version)
            guard let version else { return nil }
            do {
                return (network, version, try Snapshot(path: file(network, version)))
            } catch {
                log?.error("discovered places are read again", ["network": network.name, "reason": "\(error)"])
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

    /// Removes the other bases; what can't be removed now is removed with the next base. Blocks.
    func removeAll(of network: Network, but version: Int64?) {
        for name in names(of: network) where version == nil || self.version(name, network) != version {
            // What was made of it too.
            for file in (try? DiskFile.names(in: path)) ?? [] where file.begins(with: name) {
                try? DiskFile.remove("\(path)/\(file)")
            }
        }
    }

    /// The files of all bases, those of other stores among them, as far as the folder can be read.
    private func names(of network: Network) -> [String] {
        ((try? DiskFile.names(in: path)) ?? []).filter {
            $0.begins(with: "\(network.name)-") && $0.ends(with: Self.ending)
        }
    }

    /// The version of a base; nil when it is another store's.
    private func version(_ name: String, _ network: Network) -> Int64? {
        let prefix = prefix(network)
        return name.after(prefix)?.before(Self.ending).flatMap { Int64($0) }
    }

    private func file(_ network: Network, _ version: Int64) -> String {
        "\(path)/\(prefix(network))\(version)\(Self.ending)"
    }

    private func prefix(_ network: Network) -> String { "\(network.name)-\(store)-" }
}
