import Contracts
import Crypto
import RPC
import Synchronization
import TestTools
import WholeSystem

/// Someone who makes changes, again and again under the same name until each is acknowledged, and remembers them.
struct Client: SystemUnderTest {
    let client: RPCClient
    let account: Account
    let number: Int
    /// A JPEG that others are made of.
    let picture: [UInt8]
    let faults: Findings
    let owners: Owners

    var token: String { account.token }
    /// A network that failed is asked again after minutes.
    static var patience: Duration { .seconds(900) }

    /// How long after its deadline a call may still be answered: turns of a loop and a way through the network.
    private static let bound: Duration = .seconds(2)

    func pause(_ most: Duration) async throws { try await World.pass(most) }

    /// A disk that is full has room again.
    func isPassing(_ error: RPCError) -> Bool { error.isPassing || error.code == .resourceExhausted }

    /// A watch and a scan take as long as they want.
    func took(_ what: String, _ time: Duration, of timeout: Duration) {
        guard time > timeout + Self.bound, !what.hasPrefix("Watch"), !what.hasPrefix("Scan") else { return }
        faults.add("\(what) took \(time.inSeconds) s, and had \(timeout.inSeconds) s")
    }

    /// Makes changes until `end`, a time of the world.
    func run(_ seed: UInt64, until end: Duration) async throws -> Journal {
        var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9e37)
        var journal = Journal()
        var changes = 0
        while World.now < end {
            changes += 1
            try await change("client-\(number)-\(changes)", &journal, &random)
            try await World.pass(.milliseconds(random.one(of: [0, 0, 20, 500, 2_000, 5_000])))
        }
        return journal
    }

    private func change(_ name: String, _ journal: inout Journal, _ random: inout SeededGenerator) async throws {
        let id = journal.ids.randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3 where journal.pins.count < 6, _ where id == nil:
            let draft = CreatePinRequest(
                position: Ground.point(&random), radiusM: Self.radius(&random),
                name: random.chance(0.3) ? "Named \(name)" : "", requestId: name)
            let pin = try await create(draft)
            journal.take(pin)
            owners.note(pin.id, account)
            // Asked for again under its name it is made once.
            if random.chance(0.3), case let again = try await create(draft), again.id != pin.id {
                faults.add("\(name) made \(pin.id), and again \(again.id)")
            }
        case 3..<6:
            let rename = RenamePinRequest(id: id ?? "", name: "Renamed by \(name)", requestId: name)
            journal.take(try await self.rename(rename))
        case 6..<9:
            let move = MovePinRequest(
                id: id ?? "", position: Ground.point(&random), radiusM: Self.radius(&random), requestId: name)
            journal.take(try await self.move(move))
        case 9:
            guard let id, journal.pins.count > 2 else { return }
            try await delete(DeletePinRequest(id: id, requestId: name))
            journal.delete(id)
        case 10:
            guard let id else { return }
            let bytes = ownPicture(&random)
            let photo = try await upload(bytes, pin: id, title: "Round \(name)")
            journal.pins[id]?.uploads[photo.id] = Hex.text(SHA256.digest(bytes))
        case 11:
            guard let id else { return }
            let photos = try await photos(of: "pin/\(id)").map(\.id)
            let chosen = Array(photos.shuffled(using: &random).prefix(2))
            guard !chosen.isEmpty else { return }
            try await remove(RemovePhotosRequest(subject: "pin/\(id)", photoIds: chosen, requestId: name))
            journal.pins[id]?.removed.formUnion(chosen)
        case 12: try await lookAtOthers(name, &random)
        default:
            guard let id, let entry = journal.pins[id] else { return }
            try await readBack(id, entry)
        }
    }

    /// Metres. Mostly few places are near: hundreds cost the services much, and say no more.
    private static func radius(_ random: inout SeededGenerator) -> Double {
        random.one(of: [100, 100, 100, 150, 150, 500])
    }

    /// A picture that is no other's: a remark at random is in it.
    private func ownPicture(_ random: inout SeededGenerator) -> [UInt8] {
        // A comment of JPEG: its mark, its length, its text.
        let remark: [UInt8] = [0xff, 0xfe, 0, 18] + (0..<16).map { _ in UInt8.random(in: 32...126, using: &random) }
        return Array(picture.prefix(2)) + remark + picture.dropFirst(2)
    }

    /// What was acknowledged is read by the one who wrote it.
    private func readBack(_ id: String, _ entry: Journal.Entry) async throws {
        let pin = try await answered("GetPin") { try await pins.getPin(GetPinRequest(id: id), $0) }.pin ?? Pin()
        if pin.position != entry.position || pin.radiusM != entry.radiusM {
            faults.add("\(id) is read where it was before its last change")
        }
        if pin.isNamed && pin.name != entry.name || pin.isNamed == entry.name.isEmpty {
            faults.add("\(id) is read as \"\(pin.name)\", and is \"\(entry.name)\"")
        }
    }
}

/// What was found wrong in a world.
final class Findings: Sendable {
    private let found = Mutex<[String]>([])

    func add(_ text: String) {
        Trace.say("FOUND \(text)")
        found.withLock { $0.append(text) }
    }

    var all: [String] { found.withLock { $0 } }
}
