import EventLoops
import MachineCalls

/// The machines of a world, by the last number of their addresses.
enum Machine: Int32, CaseIterable, Sendable, CustomStringConvertible {
    case clients = 1
    case places, pins, photos, gateway, secondGateway

    static let ofServices = allCases.filter { $0 != .clients }

    var description: String {
        switch self {
        case .clients: "the clients"
        case .places: "places"
        case .pins: "pins"
        case .photos: "photos"
        case .gateway: "gateway"
        case .secondGateway: "the second gateway"
        }
    }

    var address: String { "127.0.7.\(rawValue)" }
}

/// The world that this process drives.
enum World {
    /// Since it began.
    static var now: Duration { .nanoseconds(Int64(clamping: machine_now())) }
    /// Lets so much of its time go by. Throws when the task is cancelled.
    static func pass(_ time: Duration) async throws {
        await Bell().wait(after: 0, timeout: time)
        try Task.checkCancellation()
    }

    static var hash: UInt64 { machine_hash() }
    static var steps: UInt64 { machine_steps() }

    static func crash(_ machine: Machine, losesWrites: Bool) { machine_crash(machine.rawValue, losesWrites) }
    static func freeze(_ machine: Machine, _ isFrozen: Bool) { machine_freeze(machine.rawValue, isFrozen) }

    static func link(_ from: Machine, to other: Machine, _ state: machine_link) {
        machine_set_link(from.rawValue, other.rawValue, state)
    }

    static func move(clockOf machine: Machine, seconds: Int) {
        machine_set_clock(machine.rawValue, Int64(seconds) * 1_000_000_000, 0)
    }

    static func failSyncs(of machine: Machine, oneIn: UInt32) { machine_set_failing_syncs(machine.rawValue, oneIn) }
    static func leaveRoom(on machine: Machine, bytes: UInt64) { machine_set_room(machine.rawValue, bytes) }
}
