internal import Bytes
internal import EventLoops
internal import Files
internal import FoundationEssentials
import Storage
internal import Synchronization

/// The right to store the log of a database: one process has it at a time, and an object in the place says which.
///
/// A process that ended gives it back, and one that was killed on this machine can't go on, since the folder is locked.
/// Any other one is asked whether it goes on, by putting a question in place of its claim, which it looks at every few
/// seconds, whatever it is storing meanwhile, and answers by putting its claim back. So a copy of a disk that is
/// started elsewhere gets no answer only where the first one is gone. After a machine went down hard it looks the same
/// from here: no one can say that this is not a copy, so its first start waits for that answer too.
final class ShippingClaim: Sendable {
    /// How often it is looked at, and how long an answer is waited for.
    struct Times: Sendable {
        var look = Duration.seconds(3)
        var answer = Duration.seconds(10)
        /// After this it is written again: of two that were one process until their machine was copied with its memory,
        /// one finds then what it has not written.
        var renewal = Duration.seconds(600)
        /// How long one that was refused asks no more.
        var rest = Duration.seconds(60)
    }

    /// What is in the object.
    private struct Content: Codable, Equatable {
        /// A number that each process draws.
        var writer: String
        /// The start of the machine and the file of the database there.
        var home: String
        /// When it was written, in milliseconds since 1970.
        var written: Int64
        var isQuestion = false
        var isGivenBack = false
        /// Two have the same number: neither goes on.
        var isDouble = false

        /// Whether another one may go on. Who finds its own question has not waited for the answer.
        func isOfOther(than own: Content) -> Bool {
            guard !isGivenBack, !isDouble else { return false }
            return isQuestion || !home.isSame(as: own.home) && !writer.isSame(as: own.writer)
        }
    }

    private struct State {
        var content: Content
        var isHeld = false
        var isOver = false
        var isLooking = false
        var looked: ContinuousClock.Instant?
        var renewed = ContinuousClock.now
        var refused: ContinuousClock.Instant?
    }

    private static let longest = 4_096

    private let objects: any NamedObjects
    private let place: String
    private let name: String
    private let times: Times
    private let state: Mutex<State>
    /// Rings when a look has ended.
    private let bell = Bell()

    init(_ store: BackupStore, source: String, database: String, home: String, times: Times = Times()) {
        (objects, place, self.times) = (store.objects, store.place, times)
        name = "\(Self.folder)/\(source)/\(database)"
        let writer = String(UInt64.random(in: 0 ... .max), radix: 16)
        state = Mutex(State(content: Content(writer: writer, home: home, written: 0)))
    }

    static let folder = "writers"

    /// Whether it is this one's, as far as it is known.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Whether it is another one's.
    var isRefused: Bool { state.withLock { $0.isOver || $0.refused != nil } }

    /// Gets it, or says who has it.
    /// - Parameter whileAsking: called again and again while an answer is waited for, with why nothing is stored yet.
    func take(whileAsking: @Sendable (String) -> Void = { _ in }) async throws {
        try requireRest()
        guard !isHeld else { return try await check() }
        let own = state.withLock { $0.content }
        if let found = try await read(), found.isOfOther(than: own) { try await ask(whileAsking) }
        try await write { _ in }
        state.withLock { ($0.isHeld, $0.looked, $0.refused) = (true, .now, nil) }
    }

    /// Looks every few seconds whether it is still this one's, until the task is cancelled or `isOver` is set.
    func watch(until isOver: StopFlag, _ wake: Bell) async {
        while !isOver.isSet, !Task.isCancelled {
            await wake.wait(after: wake.count, timeout: times.look)
            // What came of it is seen by who stores something next.
            if isHeld, !isOver.isSet { try? await check() }
        }
    }

    /// Looks whether it is still this one's, if that was not done just now. To be called before something is stored.
    func check() async throws {
        while true {
            let count = bell.count
            switch try state.withLock({ try turn(&$0) }) {
            case .known: return
            case .others: await bell.wait(after: count)
            case .own(let own, let isOld):
                defer {
                    state.withLock { $0.isLooking = false }
                    bell.ring()
                }
                return try await look(own, isOld)
            }
            try Task.checkCancellation()
        }
    }

    private enum Turn {
        case known, others
        case own(Content, isOld: Bool)
    }

    private func turn(_ state: inout State) throws -> Turn {
        guard state.isHeld else { throw state.isOver ? doubled : taken }
        guard state.looked.map({ .now - $0 >= times.look }) ?? true else { return .known }
        guard !state.isLooking else { return .others }
        state.isLooking = true
        return .own(state.content, isOld: .now - state.renewed >= times.renewal)
    }

    private func look(_ own: Content, _ isOld: Bool) async throws {
        guard let found = try await read() else { return try await write { _ in } }
        if found != own {
            guard !found.writer.isSame(as: own.writer) else { return try await end() }
            guard found.isQuestion else {
                state.withLock { ($0.isHeld, $0.refused) = (false, .now) }
                throw taken
            }
        }
        if isOld || found != own { try await write { _ in } }
        state.withLock { $0.looked = .now }
    }

    /// Gives it back: all is stored.
    func giveBack() async {
        guard isHeld, (try? await check()) != nil else { return }
        try? await write { $0.isGivenBack = true }
        state.withLock { $0.isHeld = false }
    }

    private func requireRest() throws {
        let (isOver, refused) = state.withLock { ($0.isOver, $0.refused) }
        if isOver { throw doubled }
        if let refused, .now - refused < times.rest { throw taken }
    }

    private func ask(_ whileAsking: @Sendable (String) -> Void) async throws {
        try await write { $0.isQuestion = true }
        let question = state.withLock { $0.content }
        let end = ContinuousClock.now + times.answer
        while ContinuousClock.now < end {
            whileAsking(asking)
            try await Task.sleep(for: min(times.look, .seconds(1)) / 2)
            guard let found = try await read(), found == question else {
                state.withLock { $0.refused = .now }
                throw taken
            }
        }
    }

    /// Two that were one process: neither can be preferred for all databases alike.
    private func end() async throws {
        state.withLock { ($0.isHeld, $0.isOver) = (false, true) }
        try? await write { $0.isDouble = true }
        throw doubled
    }

    private func read() async throws -> Content? {
        guard let bytes = try await objects.get(name, limit: Self.longest) else { return nil }
        // What can't be read is of no one.
        return try? JSONDecoder().decode(Content.self, from: Data(bytes))
    }

    private func write(_ change: (inout Content) -> Void) async throws {
        var content = state.withLock { $0.content }
        (content.isQuestion, content.isGivenBack, content.isDouble) = (false, false, false)
        content.written = max(LogFollower.now, content.written + 1)
        change(&content)
        try await objects.put(name, Array(try JSONEncoder().encode(content)))
        state.withLock { [content] in ($0.content, $0.renewed) = (content, .now) }
    }

    private var asking: String {
        "another start of a machine has stored the log at \(place) last, and is asked for \(times.answer.components.seconds) s"
            + " whether it still runs, as nothing tells a copy of its disk from this one"
    }

    private var taken: BackupError {
        BackupError(
            "another Waymark with the data of this deployment stores its log at \(place): one of the two runs on a copy of"
                + " the other's disk. Stop one of them, or start it with another --replicate; nothing of this one is"
                + " stored meanwhile")
    }

    private var doubled: BackupError {
        BackupError(
            "this machine was copied while it ran, and its copy stores into the same log at \(place): neither goes on."
                + " Stop the copy, or give it another --replicate, and start this service again")
    }
}

extension ShippingClaim {
    /// Names the file of a database and the start of its machine. Blocks.
    static func home(_ path: String) -> String {
        let start = (try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 100)) ?? []
        // Where it can't be known each process is a stranger.
        guard let words = String(decoding: start, as: UTF8.self).split(at: "\n").first, !words.isEmpty else {
            return String(UInt64.random(in: 0 ... .max), radix: 16)
        }
        return "\(words) \(DiskFile.disk(of: path) ?? 0) \(DiskFile.number(of: path) ?? 0)"
    }
}
