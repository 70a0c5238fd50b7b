internal import Crypto
internal import EventLoops
internal import Files
internal import Glibc
import Storage
internal import Synchronization

/// Says to a thread that the task which waits for it was cancelled.
private final class CancelFlag: Sendable {
    let isSet = Atomic(false)
}

/// Reads the files of a data folder, and hands what is new in them to a writer of packs.
struct FileReading: Sendable {
    /// Bytes that are read at once, and of the chunks of ordinary files.
    private static let block = 4 << 20
    /// Of a database, whose pages change one by one.
    private static let page = 4_096

    /// No time of a file.
    private static let unknown = Int64.min

    let vault: BackupVault
    let folder: String
    let scratch: ScratchFolder
    private(set) var writer: PackWriter
    /// What was read.
    var files: [Listing.File] { read.values.sorted { $0.path < $1.path } }

    /// Of the backup before this one, and of this one so far.
    private var read: [String: Listing.File] = [:]
    private let earlier: [String: Listing.File]
    /// Pictures whose bytes are not those of their name any more.
    private(set) var damaged: [String] = []
    /// Packs that are not there, or of which less than half is still used: what is, is stored again.
    private let worn: Set<UInt32>
    private var before: [String: DataFiles.Entry] = [:]
    private var databases: [String] = []

    init(
        vault: BackupVault, folder: String, scratch: ScratchFolder, earlier: Listing, missing: Set<UInt32>,
        pace: BackupPace
    ) {
        self.vault = vault
        self.folder = folder
        self.scratch = scratch
        self.earlier = Dictionary(earlier.files.map { ($0.path, $0) }) { first, _ in first }
        writer = PackWriter(vault, earlier: earlier.packs, pace)
        worn = Self.worn(earlier).union(missing)
    }

    private static func worn(_ listing: Listing) -> Set<UInt32> {
        var used = [Int](repeating: 0, count: listing.packs.count)
        for file in listing.files { for chunk in file.chunks { used[Int(chunk.pack)] += 1 } }
        return Set(used.indices.filter { 2 * used[$0] < listing.packs[$0].chunks }.map { UInt32($0) })
    }

    /// Stores what is not stored yet.
    mutating func finish(_ stores: inout PackWriter.Stores) async throws { try await writer.finish(&stores) }

    /// Lists the files, then copies all databases as they are at one instant; gives what is in each.
    mutating func copyDatabases(
        _ report: @escaping @Sendable (BackupRun.Progress) -> Void
    ) async throws -> [String: SQLiteFacts] {
        let (folder, scratch, withSecrets) = (folder, scratch, vault.isSealed)
        let flag = CancelFlag()
        let (found, facts) = try await withTaskCancellationHandler {
            try await vault.blocking.run {
                let found = try DataFiles(in: folder, withSecrets: withSecrets)
                guard !found.databases.isEmpty else { throw BackupError.noData(in: folder) }
                try scratch.clear()
                try scratch.requireRoom(for: found.databases.map { "\(folder)/\($0)" })
                // A database that is just being made has no tables yet.
                try SQLiteCopy.make(found.databases.map { ("\(folder)/\($0)", scratch.copy(of: $0)) }) { done, all in
                    report(.copying(done: done * Self.page, of: all * Self.page))
                    return !flag.isSet.load(ordering: .relaxed)
                }
                var facts: [String: SQLiteFacts] = [:]
                for path in found.databases { facts[path] = try SQLiteFacts(of: scratch.copy(of: path)) }
                return (found, facts)
            }
        } onCancel: {
            flag.isSet.store(true, ordering: .relaxed)
        }
        before = found.others
        databases = found.databases
        return facts
    }

    /// Reads all files: those that were there before the databases were copied, and those that came. False when one of
    /// them went away, since a row of the copies may name it, or when a dataset changed meanwhile: its description may
    /// name a file that was not read.
    mutating func read(
        _ stores: inout PackWriter.Stores, _ report: @escaping @Sendable (BackupRun.Progress) -> Void
    ) async throws -> Bool {
        let (folder, scratch, withSecrets) = (folder, scratch, vault.isSealed)
        let after = try await vault.blocking.run { try DataFiles(in: folder, withSecrets: withSecrets).others }
        let planned = before.merging(after) { _, new in new }
        let copies = try await vault.blocking.run { [databases] in
            try databases.map { path throws in
                (
                    path,
                    DataFiles.Entry(byteCount: try DiskFile.status(scratch.copy(of: path))?.byteCount ?? 0, modified: 0)
                )
            }
        }
        let total = (planned.values + copies.map(\.1)).reduce(0) { $0 + $1.byteCount }
        var done = 0
        read = read.filter { planned[$0.key] != nil }
        for (path, entry) in copies {
            try Task.checkCancellation()
            let file = try await store(path, at: scratch.copy(of: path), entry, chunkBytes: Self.page, &stores)
            guard let file else { throw BackupError("\(scratch.copy(of: path)) went away while it was read") }
            read[path] = file
            done += entry.byteCount
            report(.storing(done: done, of: total))
        }
        for (path, entry) in planned.sorted(by: { $0.key < $1.key }) {
            try Task.checkCancellation()
            if let known = known(path, entry) {
                read[path] = known
            } else {
                let file = try await store(path, at: "\(folder)/\(path)", entry, chunkBytes: Self.block, &stores)
                guard let file else { return false }
                read[path] = file
            }
            done += entry.byteCount
            report(.storing(done: done, of: total))
        }
        let end = try await vault.blocking.run { try DataFiles(in: folder, withSecrets: withSecrets).others }
        return end.filter { DataFiles.isOfDataset($0.key) } == planned.filter { DataFiles.isOfDataset($0.key) }
    }

    /// The file as it was read before, if it has not changed since.
    private func known(_ path: String, _ entry: DataFiles.Entry) -> Listing.File? {
        guard let known = read[path] ?? earlier[path], known.byteCount == entry.byteCount else { return nil }
        let isSame = known.modified == entry.modified || DataFiles.isNamedByContent(path)
        guard isSame, known.modified != Self.unknown else { return nil }
        return known.chunks.contains { worn.contains($0.pack) } ? nil : known
    }

    /// Reads a file to its end; nil when it is not there any more.
    private mutating func store(
        _ path: String, at place: String, _ entry: DataFiles.Entry, chunkBytes: Int, _ stores: inout PackWriter.Stores
    ) async throws -> Listing.File? {
        let old = (read[path] ?? earlier[path]).flatMap { $0.chunkBytes == chunkBytes ? $0.chunks : nil } ?? []
        let worn = worn
        var chunks: [ChunkPlace] = []
        var byteCount = 0
        var digest = RunningSHA256()
        repeat {
            let offset = byteCount
            let first = chunks.count
            // No more room than a small file needs: it is cleared first.
            let limit = min(Self.block, max(0, entry.byteCount - offset))
            let block = try await vault.blocking.run { [before = digest] () throws -> ([ReadChunk], RunningSHA256)? in
                do throws(SystemError) {
                    let bytes = try OpenFile(reading: place).read(at: UInt64(offset), limit: limit)
                    var digest = before
                    if DataFiles.isNamedByContent(path) { digest.update(bytes[...]) }
                    return (Self.chunks(of: bytes, chunkBytes, from: first, known: old, worn), digest)
                } catch {
                    if error.code == ENOENT { return nil }
                    throw error
                }
            }
            guard let block else { return nil }
            digest = block.1
            for chunk in block.0 {
                switch chunk {
                case .known(let place, let count):
                    chunks.append(place)
                    byteCount += count
                case .new(let bytes, let hash):
                    chunks.append(try await writer.add(bytes, hash, &stores))
                    byteCount += bytes.count
                }
            }
            // It became shorter.
            if byteCount < offset + limit { break }
        } while byteCount < entry.byteCount
        // What is not what its name says is read again the next time: it may have been mended.
        let isGood = DataFiles.contentName(path).map { $0.bytes == digest.digest } ?? true
        if !isGood { damaged.append(path) }
        return Listing.File(
            path: path, byteCount: byteCount, modified: isGood ? entry.modified : Self.unknown, chunkBytes: chunkBytes,
            chunks: chunks)
    }

    private enum ReadChunk: Sendable {
        case known(ChunkPlace, Int)
        case new([UInt8], ChunkHash)
    }

    private static func chunks(
        of bytes: [UInt8], _ size: Int, from first: Int, known: [ChunkPlace], _ worn: Set<UInt32>
    ) -> [ReadChunk] {
        stride(from: 0, to: bytes.count, by: size).map { start in
            let chunk = bytes[start..<min(bytes.count, start + size)]
            let hash = ChunkHash(of: chunk)
            let index = first + start / size
            if index < known.count, known[index].hash == hash, !worn.contains(known[index].pack) {
                return .known(known[index], chunk.count)
            }
            return .new(Array(chunk), hash)
        }
    }
}

extension ChunkHash {
    /// Of a chunk's bytes.
    init(of bytes: ArraySlice<UInt8>) {
        self.init(BLAKE2b.digest128(bytes)[...])
    }
}

extension Listing {
    /// Of files whose chunks are in these packs; those that hold none of them are left out.
    init(of read: [File], packs all: [(name: BlobName?, chunks: Int)]) throws(BackupError) {
        var numbers: [UInt32: UInt32] = [:]
        for file in read {
            var listed = file
            listed.chunks = []
            for chunk in file.chunks {
                let number = numbers[chunk.pack] ?? UInt32(packs.count)
                if numbers.updateValue(number, forKey: chunk.pack) == nil {
                    guard let name = all[Int(chunk.pack)].name else {
                        throw BackupError("a pack with a part of \(file.path) was not stored")
                    }
                    packs.append((name, all[Int(chunk.pack)].chunks))
                }
                listed.chunks.append(ChunkPlace(pack: number, slot: chunk.slot, hash: chunk.hash))
            }
            files.append(listed)
        }
    }
}
