import EventLoops
import Files
import FoundationEssentials
import Geo
import Terminal

/// All places of a places-service's catalog, read from its data folder without asking it and without its index.
package struct StoredPlaces: Sendable {
    /// One of them, as a search gives it.
    struct Found: Equatable, Sendable {
        let id: String
        let metres: Double
    }

    private struct Manifest: Decodable {
        let generation: Int
    }

    private let snapshots: [Snapshot]

    /// Opens what lies in a data folder; only these datasets, or all when there are none. Blocks.
    package init(folder: String, only names: [String]) throws {
        let root = "\(folder)/datasets"
        let all: [String]
        do {
            all = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
        } catch {
            throw CommandFailure("\(folder) is no data folder of a places-service: \(root) can't be read")
        }
        snapshots = try all.filter { names.isEmpty || names.contains($0) }.map { name in
            let manifest = try Self.manifest("\(root)/\(name)/dataset.json")
            return try Snapshot(path: "\(root)/\(name)/\(manifest.generation).snapshot")
        }
        guard !snapshots.isEmpty else { throw CommandFailure("\(root) contains no dataset to compare with") }
    }

    private static func manifest(_ path: String) throws -> Manifest {
        let bytes = try OpenFile(reading: path).read(at: 0, limit: 1 << 20)
        do {
            return try JSONDecoder().decode(Manifest.self, from: Data(bytes))
        } catch {
            throw CommandFailure("\(path) does not name the current snapshot: \(error)")
        }
    }

    /// All within the radius, nearest first, equally near ones by id: every single place is looked at.
    func around(_ centre: Geo.Coordinate, radius: Double) throws -> [Found] {
        var found: [Found] = []
        for snapshot in snapshots {
            for ordinal in 0..<UInt32(snapshot.count) {
                let metres = centre.metres(to: try snapshot.coordinate(of: ordinal))
                guard metres <= radius else { continue }
                let id = try unsafe snapshot.withPlace(ordinal) { id, _ in
                    unsafe String(decoding: id, as: UTF8.self)
                }
                found.append(Found(id: id, metres: metres))
            }
        }
        return found.sorted { left, right in
            left.metres == right.metres
                ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8) : left.metres < right.metres
        }
    }
}
