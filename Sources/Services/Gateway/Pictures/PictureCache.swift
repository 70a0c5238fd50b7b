import Caches
import Contracts
import Daemon
import EventLoops
import RPC
import Synchronization

/// Keeps pictures from the photo service in a folder of bounded size, named by their digests.
///
/// A picture in the cache is read from its file. Another one is fetched once, however many readers ask for it, and
/// sent to all of them as it arrives. If it can't be stored, because the disk is full or the folder can't be used, it
/// is sent all the same.
final class PictureCache: Sendable {
    /// A download and the number of its readers.
    private struct Running {
        let download: PictureDownload
        let task: Task<Void, Never>
        var readers: Int
    }

    /// A file that should be in the folder.
    private struct Kept {
        let facts: CachedPictureFacts
        /// Whether its bytes are known to be those of its name.
        let isProven: Bool
        /// Nil when it has to be opened.
        let file: CachedPictureFile?
    }

    /// The source of a picture.
    private enum Source {
        case kept(Kept)
        case coming(PictureDownload)
    }

    private struct State {
        var index: PictureIndex
        var running: [PictureIndex.Key: Running] = [:]
        /// Files that were served lately: they need not be opened again.
        var open = BoundedCache<String, CachedPictureFile>(limit: PictureCache.maximumOpen)

        mutating func kept(_ key: PictureIndex.Key) -> Kept? {
            index.use(key).map { Kept(facts: $0, isProven: index.isProven($0.sha256), file: open.use($0.sha256)) }
        }

        mutating func close(_ names: [String]) {
            for name in names { open.remove(name) }
        }

        /// No reader can join any more.
        mutating func end(_ download: PictureDownload, _ key: PictureIndex.Key) {
            if running[key]?.download === download { running[key] = nil }
        }
    }

    private static let maximumOpen = 256
    /// A file that vanishes between two checks is searched for again.
    private static let tries = 4

    private let photos: RPCClient
    private let fetcher: PictureFetcher
    private let blocking: BlockingPool
    private let state: Mutex<State>

    /// Counts what the folder already holds.
    init(
        folder: String, limitBytes: Int, photos: RPCClient, signer: IdentitySigner, blocking: BlockingPool,
        log: Log? = nil
    ) async {
        let folder = PictureCacheFolder(path: folder)
        var index = PictureIndex(limitBytes: limitBytes)
        do {
            let found = try await blocking.run { try folder.scan() }
            let evicted = found.flatMap { index.add($0.sha256, byteCount: $0.byteCount, isProven: false) }
            try await blocking.run { folder.remove(evicted) }
        } catch {
            log?.warning("pictures are not kept for now", ["folder": folder.path, "reason": "\(error)"])
        }
        state = Mutex(State(index: index))
        self.photos = photos
        fetcher = PictureFetcher(
            folder: folder, photos: photos, signer: signer, blocking: blocking, log: log)
        self.blocking = blocking
    }

    /// The total size of the stored files.
    var usedBytes: Int { state.withLock { $0.index.usedBytes } }

    /// The picture that is wished for. Its ticket was checked: it is the permission to see the picture.
    func open(_ wish: PictureWish, requestID: String = "") async throws -> OpenPicture {
        let key = PictureIndex.Key(wish)
        for _ in 0..<Self.tries {
            switch source(key, wish, requestID) {
            case .kept(let kept):
                if let file = await file(kept) { return OpenPicture(facts: kept.facts, body: .file(file)) }
            case .coming(let download):
                let stream = stream(download, key, wish, requestID)
                if case .bytes(let facts) = try await download.beginning() {
                    return OpenPicture(facts: facts, body: .stream(stream))
                }
            }
        }
        throw RPCError(.unavailable, "the picture vanishes from the cache as fast as it is put there; ask again")
    }

    /// Cancels running downloads.
    func close() async {
        let running = state.withLock { $0.running.values.map(\.task) }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }

    /// Nil when the file is not there, or not the right one: it is forgotten.
    private func file(_ kept: Kept) async -> CachedPictureFile? {
        let facts = kept.facts
        if let file = kept.file, file.isNamed(byteCount: facts.byteCount) { return file }
        let folder = fetcher.folder
        guard let file = try? await blocking.run({ folder.open(facts, isProven: kept.isProven) }) else {
            state.withLock { state in
                state.index.remove(facts.sha256)
                state.close([facts.sha256])
            }
            return nil
        }
        state.withLock { state in
            state.index.prove(facts.sha256)
            state.open.add(file, at: facts.sha256)
        }
        return file
    }
}

extension PictureCache {
    /// The file, or the running download, which the first caller starts: checked without suspending, so that a picture
    /// stored a moment ago is not fetched again.
    private func source(_ key: PictureIndex.Key, _ wish: PictureWish, _ requestID: String) -> Source {
        state.withLock { state in
            if let kept = state.kept(key) { return .kept(kept) }
            var running = state.running[key] ?? begin(key, wish, requestID)
            running.readers += 1
            state.running[key] = running
            return .coming(running.download)
        }
    }

    private func begin(_ key: PictureIndex.Key, _ wish: PictureWish, _ requestID: String) -> Running {
        let download = PictureDownload()
        // On a loop: otherwise the task would change threads with each part that arrives.
        let task = Task(executorPreference: photos.loop) { await self.run(download, key, wish, requestID) }
        return Running(download: download, task: task, readers: 0)
    }

    /// What a reader of a download holds until it has read enough.
    private func stream(
        _ download: PictureDownload, _ key: PictureIndex.Key, _ wish: PictureWish, _ requestID: String
    ) -> PictureStream {
        PictureStream(download, blocking) { [fetcher] in
            try await fetcher.begin(wish, requestID)
        } leave: {
            self.leave(key, download)
        }
    }

    /// The last reader that leaves cancels the download, unless only the file's name is still to be given. A reader
    /// that comes right after starts another one.
    private func leave(_ key: PictureIndex.Key, _ download: PictureDownload) {
        let abandoned: Task<Void, Never>? = state.withLock { state in
            guard state.running[key]?.download === download else { return nil }
            state.running[key]?.readers -= 1
            guard state.running[key]?.readers == 0, !download.isWhole else { return nil }
            return state.running.removeValue(forKey: key)?.task
        }
        abandoned?.cancel()
    }

    /// A caller that comes after its end starts another: a failure is reported only once no reader can join any more.
    private func run(
        _ download: PictureDownload, _ key: PictureIndex.Key, _ wish: PictureWish, _ requestID: String
    ) async {
        do {
            let kept = try await fetcher.fetch(download, wish, requestID) { self.judge($0, key, download) }
            let evicted = end(download, key, kept)
            if !evicted.isEmpty { try? blocking.submit { [folder = fetcher.folder] in folder.remove(evicted) } }
        } catch {
            _ = end(download, key, nil)
            download.fail(error as? RPCError ?? RPCError(.unavailable, "the picture can't be fetched", cause: error))
        }
    }

    private func judge(
        _ facts: CachedPictureFacts, _ key: PictureIndex.Key, _ download: PictureDownload
    ) -> PictureFetcher.Verdict {
        guard facts.mayBeKept else { return .pass }
        return state.withLock { state in
            guard state.index.has(facts) else { return state.index.hasRoom(for: facts.byteCount) ? .keep : .pass }
            state.index.learn(key, facts)
            state.end(download, key)
            return .found
        }
    }

    /// Gives the names of files that have to go.
    private func end(_ download: PictureDownload, _ key: PictureIndex.Key, _ kept: CachedPictureFacts?) -> [String] {
        state.withLock { state in
            state.end(download, key)
            guard let kept else { return [] }
            state.index.learn(key, kept)
            let evicted = state.index.add(kept.sha256, byteCount: kept.byteCount)
            state.close(evicted)
            return evicted
        }
    }
}

extension PictureIndex.Key {
    init(_ wish: PictureWish) {
        let ticket = wish.ticket
        self.init(
            photoID: ticket.photoId, size: ticket.size.rawValue, source: ticket.source, allowsWebP: wish.allowsWebP)
    }
}

/// What a client wants to see.
struct PictureWish: Sendable {
    let ticket: PictureTicket
    /// Whether it can show WebP.
    var allowsWebP = false
}
