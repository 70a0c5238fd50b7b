internal import EventLoops
import Storage
internal import Synchronization

/// Collects chunks into packs, and stores those that are full, a few at a time.
struct PackWriter {
    typealias Stores = ThrowingTaskGroup<Stored, any Error>

    /// A pack that was stored.
    struct Stored: Sendable {
        let number: Int
        let name: BlobName
        let byteCount: Int
    }

    private struct Open {
        let number: Int
        var chunks: [[UInt8]] = []
        var byteCount = 0
    }

    /// Packs that are stored at the same time: each has up to four times its bytes in memory.
    private static let maximumInFlight = 4

    private let vault: BackupVault
    private let pace: BackupPace
    /// Those of earlier backups first; a name is known once it is stored.
    private(set) var packs: [(name: BlobName?, chunks: Int)]
    /// Bytes that were stored.
    private(set) var storedBytes = 0
    private var open: Open?
    private var inFlight = 0

    init(_ vault: BackupVault, earlier: [(name: BlobName, chunks: Int)], _ pace: BackupPace) {
        self.vault = vault
        self.pace = pace
        packs = earlier.map { ($0.name, $0.chunks) }
    }

    /// Puts a chunk into a pack.
    mutating func add(_ chunk: [UInt8], _ hash: ChunkHash, _ stores: inout Stores) async throws -> ChunkPlace {
        if let full = open, full.byteCount >= Pack.full || full.chunks.count >= Pack.maximumChunks {
            try await store(full, &stores)
        }
        var pack = open ?? Open(number: packs.count)
        if open == nil { packs.append((nil, 0)) }
        pack.chunks.append(chunk)
        pack.byteCount += chunk.count
        open = pack
        return ChunkPlace(pack: UInt32(pack.number), slot: UInt16(pack.chunks.count - 1), hash: hash)
    }

    /// Stores what is left, and waits for all.
    mutating func finish(_ stores: inout Stores) async throws {
        if let open { try await store(open, &stores) }
        while let stored = try await stores.next() { take(stored) }
    }

    private mutating func store(_ pack: Open, _ stores: inout Stores) async throws {
        open = nil
        packs[pack.number].chunks = pack.chunks.count
        if inFlight >= Self.maximumInFlight, let stored = try await stores.next() { take(stored) }
        try await pace.wait(for: pack.byteCount)
        inFlight += 1
        stores.addTask { [vault] in
            let bytes = try await vault.blocking.run { Pack.bytes(of: pack.chunks) }
            let name = try await vault.put(bytes, as: .pack)
            return Stored(number: pack.number, name: name, byteCount: bytes.count)
        }
    }

    private mutating func take(_ stored: Stored) {
        inFlight -= 1
        packs[stored.number].name = stored.name
        storedBytes += stored.byteCount
    }
}

/// Keeps a backup from taking more of a network or a disk than it is given.
final class BackupPace: Sendable {
    /// Bytes a second; nil for as many as there are.
    private let rate: Int?
    private let start = ContinuousClock.now
    private let spent = Atomic(0)

    init(rate: Int?) { self.rate = rate }

    /// Returns when so many bytes more may be sent.
    func wait(for bytes: Int) async throws {
        guard let rate else { return }
        let before = spent.add(bytes, ordering: .relaxed).oldValue
        let due = start + .seconds(Double(before) / Double(max(1, rate)))
        if due > .now { try await Task.sleep(until: due) }
    }
}
