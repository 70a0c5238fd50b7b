import Bytes

/// The objects of one database, of all its streams.
struct ShippedLog: Sendable {
    /// In the order of their streams, and in each of their times. Without side lines.
    private let names: [ShippedName]
    private let byMark: [String: Int]
    /// What another process stored into a stream besides the one that went on with it: it is no part of what is
    /// brought back.
    let sideLines: [ShippedName]

    init(_ names: [ShippedName]) {
        let sorted = names.sorted { ($0.stream, $0.time, $0.number) < ($1.stream, $1.time, $1.number) }
        let left = Self.sideLines(sorted)
        self.names = sorted.filter { !left.contains($0.mark) }
        sideLines = sorted.filter { left.contains($0.mark) }
        byMark = Dictionary(self.names.enumerated().map { ($1.mark, $0) }) { _, last in last }
    }

    /// The marks of objects on a line that ended earlier than another one with the same beginning.
    private static func sideLines(_ names: [ShippedName]) -> Set<String> {
        var ends: [String: Int64] = [:]
        for name in names.reversed() {
            let end = max(ends[name.mark] ?? .min, name.time)
            ends[name.mark] = end
            // The first objects of several streams are behind nothing each.
            guard !name.before.isSame(as: ShippedName.noMark) else { continue }
            ends[name.before] = max(ends[name.before] ?? .min, end)
        }
        var heirs: [String: (mark: String, end: Int64)] = [:]
        func beginning(_ name: ShippedName) -> String { "\(name.stream)/\(name.before)" }
        for name in names {
            let end = ends[name.mark] ?? name.time
            if end > heirs[beginning(name)]?.end ?? .min { heirs[beginning(name)] = (name.mark, end) }
        }
        var left: Set<String> = []
        for name in names
        where left.contains(name.before) || !(heirs[beginning(name)]?.mark.isSame(as: name.mark) ?? true) {
            left.insert(name.mark)
        }
        return left
    }

    /// The last state that is not later than a time, in milliseconds since 1970.
    func state(at time: Int64) -> ShippedName? { names.last { $0.isState && $0.time <= time } }

    /// Whether its service stopped in good order, not later than a time, and did not start again.
    func isEnded(at time: Int64) -> Bool { names.last.map { $0.isEnd && $0.time <= time } ?? false }

    /// Whether the last state that is not later than a time is what the database was then: it is of that very moment,
    /// or what follows says that nothing had changed, or was stored before its changes were acknowledged. A log that
    /// has ended says no more.
    func isKnown(at time: Int64) -> Bool {
        guard let index = names.lastIndex(where: { $0.isState && $0.time <= time }) else { return false }
        guard names[index].time < time else { return true }
        for name in names[(index + 1)...] {
            guard name.isUnchanged || name.isAwaited else { return false }
            if name.time > time { return true }
        }
        return true
    }

    /// The objects that make a state, the last first; nil when one of them is missing.
    func objects(of state: ShippedName) -> [ShippedName]? {
        var objects = [state]
        while let last = objects.last, last.number > state.first {
            guard let index = byMark[last.before], names[index].number == last.number - 1 else { return nil }
            objects.append(names[index])
        }
        return objects
    }

    /// Those that came behind an object, in order.
    func objects(behind mark: String) -> [ShippedName] {
        var found: [ShippedName] = []
        var last = mark
        for name in names where name.before.isSame(as: last) {
            found.append(name)
            last = name.mark
        }
        return found
    }

    /// Objects whose predecessor is missing, though earlier ones of their stream are there.
    var gaps: [ShippedName] {
        var streams: Set<String> = []
        return names.filter { name in
            !streams.insert(name.stream).inserted && byMark[name.before] == nil
        }
    }

    /// All that belong to it, in order.
    var objects: [ShippedName] { names }

    /// All at whose end there is a state.
    var states: [ShippedName] { names.filter(\.isState) }

    /// Whether the last state can be brought back, if there is one.
    var isWhole: Bool { names.last(where: \.isState).map { objects(of: $0) != nil } ?? true }

    /// Whether changes were acknowledged only when their objects were there.
    var isAwaited: Bool { names.last(where: \.isState)?.isAwaited ?? false }

    private static let hour: Int64 = 3_600_000

    /// The last moment that need not be kept when one goes back for so many hours; nil when all has to be.
    ///
    /// Only hours count in which something was stored. So a clock that was set forward by days, which a machine can't
    /// know, makes nothing of it old.
    func limit(hours: Int) -> Int64? {
        var seen: Set<Int64> = []
        for name in names.reversed() where name.isState {
            seen.insert(name.time / Self.hour)
            // The last one has only begun.
            if seen.count > hours + 1 { return name.time }
        }
        return nil
    }

    /// What no state needs that is as late as a time, or later.
    func unneeded(before time: Int64) -> [ShippedName] {
        guard let kept = state(at: time) else { return [] }
        func isEarlier(_ name: ShippedName) -> Bool {
            name.stream < kept.stream || name.stream.isSame(as: kept.stream) && name.number < kept.first
        }
        return names.filter(isEarlier) + sideLines.filter { isEarlier($0) || $0.time < time }
    }
}
