import EventLoops
import Storage
import Synchronization

/// Stores pictures in the place of a log, beside it: a large one, or all of the past, keeps no page waiting for long.
final class ShippingPictures: Sendable {
    /// Of one picture.
    static let longest = 1 << 30
    /// Pictures that are stored at the same time.
    private static let maximumInFlight = 4

    private struct State {
        /// Whether all are there that were here when this began.
        var isCaughtUp = false
        var trouble: String?
        var sweep: (before: Int64, last: Int64)?
    }

    private let blobs: ShippedBlobs
    private let vault: BackupVault
    private let state = Mutex(State())

    init(blobs: ShippedBlobs, vault: BackupVault) { (self.blobs, self.vault) = (blobs, vault) }

    /// Pictures that were put here and are not there; what is of before this process is not among them.
    var waitingCount: Int { blobs.waitingCount }

    /// Why they can't be stored.
    var trouble: String? { state.withLock { $0.trouble } }

    /// How many were put here until now: rows that are committed name no others.
    var putCount: Int { blobs.putCount }

    /// Whether all are there that were put until there were so many, and all of before.
    func isWhole(_ count: Int) -> Bool { state.withLock { $0.isCaughtUp } && blobs.isStored(count) }

    /// Waits until all are there that were put until there were so many, for no longer than `patience`.
    func wait(for count: Int, patience: Duration) async -> Bool {
        let end = ContinuousClock.now + patience
        while !Task.isCancelled {
            let rung = blobs.bell.count
            if blobs.isStored(count) { return true }
            guard .now < end else { return false }
            await blobs.bell.wait(after: rung, timeout: end - .now)
        }
        return false
    }

    /// Runs until the task is cancelled.
    func run() async {
        var past = Past()
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            let rung = blobs.bell.count
            do {
                let isBusy = try await step(&past)
                state.withLock { $0.trouble = nil }
                backoff.reset()
                if !isBusy { await blobs.bell.wait(after: rung) }
            } catch {
                state.withLock { $0.trouble = "pictures: \(error)" }
                let pause = backoff.next(using: &random)
                _ = try? await Task.sleep(for: pause)
            }
        }
    }

    /// How far those are looked at that came before there was a log, or waited when the last process ended.
    private struct Past {
        var there: Set<String>?
        var page: String?
        var names: [BlobName] = []
        var isListed = false
        /// Since which moment of the log pictures that are there are not here.
        var absent: [String: Int64] = [:]
    }

    /// Stores some: those that were put just now, else some of the past. False when there are none.
    private func step(_ past: inout Past) async throws -> Bool {
        let waiting = blobs.firstWaiting(Self.maximumInFlight)
        if !waiting.isEmpty {
            try await store(waiting)
            blobs.tookFirst(waiting.count)
            return true
        }
        if let sweep = state.withLock({ $0.sweep }) {
            try await self.sweep(&past.absent, before: sweep.before, last: sweep.last)
            state.withLock { $0.sweep = nil }
            return true
        }
        guard !state.withLock({ $0.isCaughtUp }) else { return false }
        let there: Set<String>
        if let known = past.there {
            there = known
        } else {
            there = Set(try await vault.store.pictures.list("pictures").map(\.name))
            past.there = there
        }
        while past.names.isEmpty, !past.isListed {
            let list = try await blobs.list(past.page)
            past.names = list.blobs.map(\.name).filter { !there.contains(vault.objectName(of: $0)) }
            (past.page, past.isListed) = (list.next, list.next == nil)
        }
        let some = Array(past.names.prefix(Self.maximumInFlight))
        try await store(some)
        past.names.removeFirst(some.count)
        if past.isListed, past.names.isEmpty {
            past.there = nil
            state.withLock { $0.isCaughtUp = true }
            blobs.bell.ring()
        }
        return true
    }

    private func store(_ names: [BlobName]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names { group.addTask { try await self.store(name) } }
            try await group.waitForAll()
        }
    }

    private func store(_ name: BlobName) async throws {
        let bytes: [UInt8]
        do {
            bytes = try await BackupVault.read(blobs, name, limit: Self.longest)
        } catch let error as BlobError where error.isLoss {
            // It was removed meanwhile, or is damaged here: a backup says so.
            return
        }
        let object = vault.objectName(of: name)
        try await vault.store.pictures.put(
            object, try await vault.blocking.run { [vault] in vault.wrap(name.bytes + bytes, as: object) })
    }

    /// Has `sweep` done when nothing waits: never while a picture is stored that it could take for one that is gone.
    func requestSweep(before time: Int64, last: Int64) {
        state.withLock { $0.sweep = (time, last) }
        blobs.bell.ring()
    }

    /// Removes those that have not been here for so long that no moment which is kept has them.
    /// - Parameters:
    ///   - absent: since which moment of the log each of them is not here, as far as it was seen.
    ///   - time: the earliest moment that is kept.
    ///   - last: the last moment.
    func sweep(_ absent: inout [String: Int64], before time: Int64, last: Int64) async throws {
        var here: Set<String> = []
        var page: String?
        repeat {
            let list = try await blobs.list(page)
            for blob in list.blobs { here.insert(vault.objectName(of: blob.name)) }
            page = list.next
        } while page != nil
        let gone = Set(try await vault.store.pictures.list("pictures").map(\.name)).subtracting(here)
        absent = absent.filter { gone.contains($0.key) }
        for name in gone {
            guard absent[name, default: last] < time else {
                absent[name] = absent[name] ?? last
                continue
            }
            try await vault.store.pictures.remove(name)
            absent[name] = nil
        }
    }
}
