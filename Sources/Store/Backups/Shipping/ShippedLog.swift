import Bytes

/// The objects of one database, of all its streams.
struct ShippedLog: Sendable {
    /// In the order of their streams, and in each of their times.
    private let names: [ShippedName]

    init(_ names: [ShippedName]) {
        self.names = names.sorted { ($0.stream, $0.time, $0.number) < ($1.stream, $1.time, $1.number) }
    }

    /// The last state that is not later than a time, in milliseconds since 1970.
    func state(at time: Int64) -> ShippedName? { names.last { $0.isState && $0.time <= time } }

    /// The last moment of all.
    var end: Int64? { names.last(where: \.isState)?.time }

    /// The objects that make a state, the last first; nil when one of them is missing.
    func objects(of state: ShippedName) -> [ShippedName]? {
        let objects = names.filter {
            $0.stream.isSame(as: state.stream) && (state.first...state.number).contains($0.number)
                && $0.time <= state.time
        }
        guard Set(objects.map(\.number)).count == Int(state.number - state.first) + 1 else { return nil }
        return objects.reversed()
    }

    /// Whether the last state can be brought back, if there is one.
    var isWhole: Bool { names.last(where: \.isState).map { objects(of: $0) != nil } ?? true }

    /// Whether changes were acknowledged only when their objects were there.
    var isAwaited: Bool { names.last(where: \.isState)?.isAwaited ?? false }

    /// What no state needs that is as late as a time, or later.
    func unneeded(before time: Int64) -> [ShippedName] {
        guard let kept = state(at: time) else { return [] }
        return names.filter { $0.stream < kept.stream || $0.stream.isSame(as: kept.stream) && $0.number < kept.first }
    }
}
