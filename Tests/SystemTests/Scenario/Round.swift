import Contracts
import Crypto
import TestTools
import WholeSystem

/// One round: changes at random through the gateway, with one kill planned between the first of them and the end.
struct Round {
    let number: Int
    let kill: PlannedKill
    let system: RunningSystem
    let plan: KillPlanFile
    let shelf: PictureShelf
    let blobs: BlobFolder?
    private var random: SeededGenerator
    private var requests = 0

    init(
        _ number: Int, seed: UInt64, kill: PlannedKill, system: RunningSystem, plan: KillPlanFile, shelf: PictureShelf,
        blobs: BlobFolder?
    ) {
        self.number = number
        self.kill = kill
        self.system = system
        self.plan = plan
        self.shelf = shelf
        self.blobs = blobs
        random = Deck.generator(seed: seed, round: number)
    }

    /// Makes the changes; each that is acknowledged is in the journal afterwards.
    mutating func run(_ journal: inout Journal) async throws {
        try await step([.create, .discovery, .linking, .albumSearch, .copy], &journal) { round, journal in
            try round.shelf.add(8, &round.random)
            try await round.system.scan()
            try await round.create(&journal)
            try await round.change(&journal)
            try await round.system.settle(journal)
        }
        try await step([.upload], &journal) { round, journal in
            try await round.upload(&journal)
            try await round.system.settle(journal)
        }
        try await removePhotos(&journal)
        try await step([.swap], &journal) { round, journal in
            try await round.newCollection(&journal)
            try await round.system.settle(journal)
        }
        try await step([.delete], &journal) { round, journal in try await round.delete(&journal) }
        guard let blobs else { return }
        try await step([.sweep], &journal) { round, journal in try await round.sweep(journal, blobs) }
    }

    /// Makes some changes. When these phases hold the planned kill and it has not come, because there were fewer such
    /// events than were counted on, they are made again and the first event is the one.
    private mutating func step(
        _ phases: Set<Moment.Phase>, _ journal: inout Journal,
        _ changes: (inout Round, inout Journal) async throws -> Void
    ) async throws {
        let isPlanned = phases.contains(kill.moment.phase)
        if isPlanned { plan.arm(kill) }
        try await changes(&self, &journal)
        for _ in 0..<3 where isPlanned && !plan.hasFired {
            plan.arm(PlannedKill(kill.moment, nth: 1, kill.side))
            if phases == [.swap] || phases == [.sweep] { try await createWide(&journal) }
            try await changes(&self, &journal)
        }
    }

    private mutating func requestID() -> String {
        requests += 1
        return "round-\(number)-\(requests)"
    }
}

// MARK: changes

extension Round {
    /// Creates one to three pins at once.
    private mutating func create(_ journal: inout Journal) async throws {
        let drafts = (0..<Int.random(in: 1...3, using: &random)).map { number in
            CreatePinRequest(
                position: Ground.point(&random), radiusM: Ground.radius(&random),
                name: number == 1 ? "Round \(number)" : "",
                requestId: requestID())
        }
        let system = system
        let pins = try await withThrowingTaskGroup(of: Pin.self) { group in
            for draft in drafts { group.addTask { try await system.create(draft) } }
            return try await group.reduce(into: [Pin]()) { $0.append($1) }
        }
        for pin in pins { journal.take(pin) }
    }

    /// Creates a pin that has photos for sure.
    private mutating func createWide(_ journal: inout Journal) async throws {
        journal.take(
            try await system.create(
                CreatePinRequest(position: Ground.point(&random), radiusM: 2_000, requestId: requestID())))
        try await system.settle(journal)
    }

    /// Moves a pin and renames one, while they may still be searched.
    private mutating func change(_ journal: inout Journal) async throws {
        guard let id = journal.ids.randomElement(using: &random) else { return }
        if random.chance(0.7) {
            let move = MovePinRequest(
                id: id, position: Ground.point(&random), radiusM: Ground.radius(&random), requestId: requestID())
            journal.take(try await system.move(move))
        }
        if random.chance(0.3) {
            let rename = RenamePinRequest(id: id, name: "Renamed in \(number)", requestId: requestID())
            journal.take(try await system.rename(rename))
        }
    }

    /// Uploads a picture into the album of a pin.
    private mutating func upload(_ journal: inout Journal) async throws {
        guard let id = journal.ids.randomElement(using: &random) else { return }
        let bytes = try shelf.pictureToUpload(&random)
        let photo = try await system.upload(bytes, pin: id, title: "Round \(number)")
        journal.pins[id]?.uploads[photo.id] = Hex.text(SHA256.digest(bytes))
    }

    /// Takes one or two photos out of an album, and may bring back what was taken out before.
    private mutating func removePhotos(_ journal: inout Journal) async throws {
        guard let id = journal.ids.randomElement(using: &random) else { return }
        let photos = try await system.photos(of: "pin/\(id)").map(\.id)
        let chosen = Array(photos.shuffled(using: &random).prefix(2))
        if !chosen.isEmpty {
            try await system.remove(
                RemovePhotosRequest(subject: "pin/\(id)", photoIds: chosen, requestId: requestID()))
            journal.pins[id]?.removed.formUnion(chosen)
        }
        if random.chance(0.3) {
            try await system.restore(RestorePhotosRequest(subject: "pin/\(id)", requestId: requestID()))
            journal.pins[id]?.removed = []
        }
    }

    /// Asks for other photos in the album of a pin that has some.
    private mutating func newCollection(_ journal: inout Journal) async throws {
        var candidates: [String] = []
        for id in journal.ids where try await !system.photos(of: "pin/\(id)").isEmpty { candidates.append(id) }
        guard let id = candidates.randomElement(using: &random) else { return }
        let album = try await system.newCollection(
            NewCollectionRequest(subject: "pin/\(id)", size: random.one(of: [4, 12, 24]), requestId: requestID()))
        journal.pins[id]?.isAskedForOthers = true
        // The answer's collection may be the one before or the one that is being made.
        if let known = journal.pins[id]?.collection { journal.pins[id]?.collection = max(known, album.collection) }
    }

    /// Deletes a pin; more when there are many.
    private mutating func delete(_ journal: inout Journal) async throws {
        repeat {
            guard let id = journal.ids.randomElement(using: &random) else { return }
            try await system.delete(DeletePinRequest(id: id, requestId: requestID()))
            journal.delete(id)
            try await system.untilGone("pin/\(id)")
        } while journal.pins.count > 3
    }

    /// Takes a picture away and changes another one, whose thumbnail nothing names then. Lets that look as if it had
    /// been an hour ago, and waits until it is swept.
    private mutating func sweep(_ journal: Journal, _ blobs: BlobFolder) async throws {
        try shelf.remove(await system.readyPhotos(of: journal), &random)
        let ready = try await system.readyPhotos(of: journal)
        let thumbnails = try await system.thumbnails(of: ready)
        guard let photo = try shelf.replace(ready, &random), let old = thumbnails[photo] else { return }
        try await system.scan()
        try await system.sweep(old, blobs)
    }
}
