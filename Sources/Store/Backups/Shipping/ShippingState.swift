internal import Bytes
internal import FoundationEssentials

/// How far a stream has come; it is kept beside its database.
struct ShippingState: Codable, Sendable {
    /// Its name: when it began, and a number that was drawn.
    let stream: String
    /// The number of its next object.
    var next: UInt64 = 1
    /// Where a state of the database begins; 0 when none is there yet.
    var first: UInt64 = 0
    /// The object that the round of all pages which goes on began with, and its next page; 0 between rounds.
    var round: UInt64 = 1
    var roundPage: UInt32 = 1
    /// Bytes that were stored since the last round.
    var bytesSince = 0
    /// Pages that the database has, and bytes of each.
    var pageCount: UInt32 = 0
    var pageBytes = 4_096
    /// The time of the last object, and its mark.
    var time: Int64 = 0
    var last = ShippedName.noMark
    /// Whether pictures were missing when the last object was stored.
    var lacksPictures = false

    /// Pages of a round that an object takes along.
    private static let step: UInt32 = 1_024
    /// Objects after which a round begins again: a restore reads no more than two times that.
    private static let objects: UInt64 = 20_000

    /// Begins a stream, whose name comes after all others, whatever the clock says.
    init(at now: Int64, after others: [ShippedName] = []) {
        let begun = others.compactMap { name in name.stream.split(at: "-").first.flatMap { UInt64($0) } }
        let last = begun.filter { $0 < 1 << 53 }.max() ?? 0
        let drawn = String(UInt64.random(in: 0 ... .max), radix: 16)
        stream = "\(ShippedName.digits(max(UInt64(clamping: now), last + 1)))-\(drawn)"
    }

    /// Nil where nothing was kept, or what is not this.
    init?(_ note: [UInt8]) {
        guard let state = try? JSONDecoder().decode(ShippingState.self, from: Data(note)) else { return nil }
        self = state
    }

    var note: [UInt8] { (try? JSONEncoder().encode(self)).map { Array($0) } ?? [] }

    /// The pages that the next object takes along: fewer when a writer waits for it, unless there is no state without.
    func along(isWaited: Bool) -> Range<UInt32> {
        let step = isWaited && first > 0 ? Self.step / 16 : Self.step
        return round > 0 ? roundPage..<(roundPage + step) : 0..<0
    }

    /// Begins a round when it is time: much was stored since the last one, compared with what the database has.
    mutating func beginRound() {
        guard round == 0 else { return }
        let whole = Int(pageCount) * pageBytes
        guard next - first > Self.objects || bytesSince > 4 * whole + (64 << 20) else { return }
        (round, roundPage) = (next, 1)
    }

    /// The pages that were to be taken along are in a cut.
    mutating func took(_ pages: Range<UInt32>) {
        guard round > 0, !pages.isEmpty else { return }
        roundPage = pages.upperBound
    }

    /// Whether the round has come to its end.
    var isRound: Bool { round > 0 && roundPage > pageCount }

    /// A state of the database begins with the round that has ended.
    mutating func endRound() {
        (first, round, bytesSince) = (round, 0, 0)
    }
}
