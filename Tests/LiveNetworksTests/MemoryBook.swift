import EventLoops
import Geo
import HTTPClient
import LiveNetworks
import Synchronization

/// Something that is no place.
struct Pebble: Sendable, Hashable {
    let id: String
}

/// Asks for pebbles: their ids with commas between them, four at most.
struct PebbleProvider: NetworkProvider {
    typealias Item = Pebble

    let url: String

    var name: String { "pebbles" }
    var about: ProviderAbout { ProviderAbout(gives: "pebbles", attribution: "the beach") }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        return HTTPClientRequest(url: "\(url)/near?lat=\(circle.latitude)&lon=\(circle.longitude)&m=\(circle.radius)")
    }

    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<AnswerPage<Pebble>, AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        let pebbles = String(decoding: response.body, as: UTF8.self).split(separator: ",").map {
            Pebble(id: String($0))
        }
        return .success(AnswerPage(items: pebbles, isFull: pebbles.count >= 4))
    }
}

/// All that live networks want to have kept, in memory.
final class MemoryBook: AreaLedger, StandingStore, FoundItems {
    private struct Cell {
        var fetched: Int64 = 0
        var expires: Int64 = 0
        var lease: Int64 = 0
        var leaseEnd: Int64 = 0
    }

    private struct Pages {
        var cells: [GridCell: Cell] = [:]
        var standings: [String: NetworkStanding] = [:]
        var shares: [NetworkAsker: NetworkShare] = [:]
        var settled: Set<NetworkAsker> = []
        var pebbles: Set<Pebble> = []
    }

    let bell = Bell()
    private let pages = Mutex(Pages())

    var leasedCount: Int { pages.withLock { $0.cells.values.count { $0.lease != 0 } } }

    func claim(
        _ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at now: Int64
    ) async throws -> AreaClaim {
        pages.withLock { pages in
            var claim = AreaClaim()
            for number in cells {
                var cell = pages.cells[number] ?? Cell()
                if cell.expires > now, cell.fetched >= notBefore { continue }
                if cell.leaseEnd > now {
                    claim.others.append(number)
                    continue
                }
                claim.mine.append(number)
                (cell.lease, cell.leaseEnd) = (lease.number, now + AreaLease.milliseconds)
                pages.cells[number] = cell
            }
            return claim
        }
    }

    func known(_ cells: [GridCell], of network: String, fetched: Int64, expires: Int64) async throws {
        pages.withLock { pages in
            for cell in cells { pages.cells[cell] = Cell(fetched: fetched, expires: expires) }
        }
        bell.ring()
    }

    func renew(_ lease: AreaLease, at now: Int64) async throws {
        change(lease) { $0.leaseEnd = now + AreaLease.milliseconds }
    }

    func free(_ lease: AreaLease) async throws {
        change(lease) { ($0.lease, $0.leaseEnd) = (0, 0) }
        bell.ring()
    }

    private func change(_ lease: AreaLease, _ body: (inout Cell) -> Void) {
        pages.withLock { pages in
            for (number, var cell) in pages.cells where cell.lease == lease.number {
                body(&cell)
                pages.cells[number] = cell
            }
        }
    }

    func standing(_ name: String) async throws -> NetworkStanding {
        pages.withLock { $0.standings[name] ?? NetworkStanding() }
    }

    func change<R: Sendable>(
        _ name: String, _ body: @escaping @Sendable (inout NetworkStanding) -> R
    ) async throws -> R {
        pages.withLock { body(&$0.standings[name, default: NetworkStanding()]) }
    }

    func change<R: Sendable>(
        _ name: String, _ rules: NetworkRules, for asker: NetworkAsker, at now: Int64,
        _ body: @escaping @Sendable (inout NetworkStanding, inout NetworkShare) -> R
    ) async throws -> R {
        pages.withLock {
            body(&$0.standings[name, default: NetworkStanding()], &$0.shares[asker, default: NetworkShare()])
        }
    }

    func isSettled(_ asker: NetworkAsker, of network: String, at now: Int64) async throws -> Bool {
        pages.withLock { $0.settled.contains(asker) }
    }

    func settle(_ asker: NetworkAsker, of network: String) async throws {
        pages.withLock { _ = $0.settled.insert(asker) }
    }

    func restart(_ asker: NetworkAsker, of network: String) async throws {
        pages.withLock { pages in
            pages.settled.remove(asker)
            pages.shares[asker] = nil
        }
    }

    func upsert(_ items: [Pebble], seen: Int64, for account: String) async throws {
        pages.withLock { $0.pebbles.formUnion(items) }
    }

    /// Pebbles don't go away.
    func removeUnseen(
        in cells: [GridCell], since time: Int64, isListed: @escaping @Sendable (String) -> Bool, for account: String
    ) async throws {}

    func count(around centre: Coordinate, radiusMetres: Double, for account: String) async throws -> Int {
        pages.withLock { $0.pebbles.count }
    }
}
