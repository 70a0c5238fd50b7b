import Storage
import TestSupport
import Testing

@testable import Backups

/// States are listed in the order of their databases: that of photos first.
@Suite("The moment that logs are brought back to", .timeLimit(.minutes(1)))
struct CommonMomentTests {
    private enum Kind { case changed, unchanged, awaited, ended }

    /// A state at each moment, each behind the one before.
    private static func log(_ database: String, _ states: [(Int64, Kind)]) -> [ShippedName] {
        states.enumerated().map { index, state in
            ShippedName(
                source: "a1", database: database, stream: "01-ff", number: UInt64(index + 1), time: state.0, first: 1,
                isAwaited: state.1 == .awaited, isUnchanged: state.1 == .unchanged || state.1 == .ended,
                isEnd: state.1 == .ended, mark: ShippedName.digits(UInt64(index + 1)),
                before: ShippedName.digits(UInt64(index)))
        }
    }

    private static func plan(
        _ pins: [(Int64, Kind)], _ photos: [(Int64, Kind)], at seconds: Int64? = nil
    ) async throws -> LogRestore.Plan {
        var plan: LogRestore.Plan?
        try await ShippedHouse.with { house in
            for name in log("pins/pins.db", pins) + log("photos/photos.db", photos) {
                try await house.objects.put(name.text, [0])
            }
            plan = try await LogRestore(house.vault).plan(at: seconds)
        }
        return try #require(plan)
    }

    @Test("is the last one that each of them was cut at")
    func exact() async throws {
        let plan = try await Self.plan(
            [(800, .changed), (1_600, .changed), (2_400, .changed)],
            [(800, .changed), (1_600, .changed), (3_200, .changed)])
        // What photos.db was at 2,400 is not known: it was busy then.
        #expect(plan.time == 1_600)
        #expect(plan.states.map(\.time) == [1_600, 1_600] && plan.remarks.isEmpty)
    }

    @Test("may lie between two objects of one that says that nothing changed")
    func unchanged() async throws {
        let plan = try await Self.plan(
            [(800, .changed), (1_600, .changed), (2_400, .changed)],
            [(800, .changed), (1_600, .changed), (3_200, .unchanged)])
        #expect(plan.time == 2_400)
        #expect(plan.states.map(\.time) == [1_600, 2_400] && plan.remarks.isEmpty)
    }

    @Test("is any where changes waited for their objects")
    func awaited() async throws {
        let (pins, photos): ([(Int64, Kind)], [(Int64, Kind)]) = (
            [(1_100, .awaited), (1_900, .awaited), (4_500, .awaited)], [(1_300, .awaited), (5_000, .awaited)]
        )
        #expect(try await Self.plan(pins, photos).time == 5_000)
        let earlier = try await Self.plan(pins, photos, at: 1)
        #expect(earlier.time == 1_300 && earlier.states.map(\.time) == [1_300, 1_100])
    }

    @Test("is the first end where all services stopped in good order, and each is as it was last")
    func ended() async throws {
        let photos: [(Int64, Kind)] = [(1_600, .changed), (2_400, .changed), (2_950, .ended)]
        let pins: [(Int64, Kind)] = [(1_600, .changed), (2_410, .changed), (2_420, .ended)]
        let plan = try await Self.plan(pins, photos)
        #expect(plan.time == 2_420 && plan.states.map(\.time) == [2_950, 2_420] && plan.remarks.isEmpty)
        // One stopped much earlier than the other: it may have run since.
        #expect(try await Self.plan(pins, photos + [(79_000, .ended)]).time == 79_000)
        #expect(try await Self.plan(pins, photos + [(79_000, .ended)]).remarks.count == 1)
        // What that of pins did since it started is not known.
        #expect(try await Self.plan(pins + [(6_400, .changed)], photos).time == 2_420)
        // Nor what it did before it was killed.
        #expect(try await Self.plan(pins.dropLast(), photos).time == 2_410)
    }

    @Test("is the earliest of theirs where they have none in common, and that is said")
    func none() async throws {
        let plan = try await Self.plan(
            [(800, .changed), (2_400, .changed), (4_000, .changed)], [(1_600, .changed), (3_200, .changed)])
        #expect(plan.time == 2_400)
        #expect(plan.states.map(\.time) == [3_200, 2_400])
        #expect(plan.remarks.count == 1 && plan.remarks.first?.contains("no moment in common") == true)
    }

    @Test("is found where slow ones are cut at a wider grid, which meets")
    func grid() {
        #expect([0, 599, 601, 1_300, 1 << 40].map(LogShipper.step) == [600, 600, 1_200, 2_400, 9_600])
    }
}
