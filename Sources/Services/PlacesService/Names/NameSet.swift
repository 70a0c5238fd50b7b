/// Numbers of names: a list in their order while they are few, as bits where they are many.
struct NameSet {
    private enum Members {
        case few([UInt32])
        case many([UInt64])
    }

    /// A list is shorter than the bits by at least so much.
    private static let share = 32
    /// Putting in order what comes from several lists costs more than one bit each.
    private static let shareOfSeveral = 1024
    private static let fewest = 64

    /// Numbers are below it; others are left out.
    private let count: Int
    private var members: Members = .few([])

    /// An empty set, with room for numbers below `count`.
    init(count: Int) { self.count = count }

    /// What `body` adds to an empty set.
    /// - Parameter most: at most so many are added.
    /// - Parameter isAscending: whether they come in their order.
    init(count: Int, most: Int, isAscending: Bool, _ body: (_ add: (Int) -> Void) -> Void) {
        self.count = count
        if most <= max(count / (isAscending ? Self.share : Self.shareOfSeveral), Self.fewest) {
            var list: [UInt32] = []
            list.reserveCapacity(most)
            body { if $0 < count { list.append(UInt32(truncatingIfNeeded: $0)) } }
            members = .few(isAscending ? list : Self.ordered(list))
        } else {
            var bits = [UInt64](repeating: 0, count: (count + 63) / 64)
            body { if $0 < count { bits[$0 / 64] |= 1 << UInt64($0 % 64) } }
            members = .many(bits)
        }
    }

    /// Each once, ascending.
    private static func ordered(_ list: [UInt32]) -> [UInt32] {
        var ordered: [UInt32] = []
        ordered.reserveCapacity(list.count)
        for name in list.sorted() where name != ordered.last { ordered.append(name) }
        return ordered
    }

    var isEmpty: Bool {
        switch members {
        case .few(let list): list.isEmpty
        case .many(let bits): bits.allSatisfy { $0 == 0 }
        }
    }

    func contains(_ name: Int) -> Bool {
        switch members {
        case .few(let list):
            var (low, high) = (0, list.count)
            while low < high {
                let middle = (low + high) / 2
                if Int(list[middle]) < name { low = middle + 1 } else { high = middle }
            }
            return low < list.count && Int(list[low]) == name
        case .many(let bits): return Self.contains(bits, name)
        }
    }

    private static func contains(_ bits: [UInt64], _ name: Int) -> Bool {
        name / 64 < bits.count && bits[name / 64] & 1 << UInt64(name % 64) != 0
    }

    /// Adds what is in another of as many names.
    mutating func formUnion(_ other: NameSet) {
        switch (members, other.members) {
        case (_, .few(let list)) where list.isEmpty: return
        case (.few(let own), _) where own.isEmpty: members = other.members
        case (.few(let own), .few(let list)):
            let all = own.count + list.count
            self = NameSet(count: count, most: all, isAscending: false) { add in
                for name in own { add(Int(name)) }
                for name in list { add(Int(name)) }
            }
        case (.few(let list), .many(var bits)), (.many(var bits), .few(let list)):
            members = .few([])
            for name in list where Int(name) / 64 < bits.count { bits[Int(name) / 64] |= 1 << UInt64(name % 64) }
            members = .many(bits)
        case (.many(var own), .many(let bits)):
            members = .few([])
            for index in own.indices where index < bits.count { own[index] |= bits[index] }
            members = .many(own)
        }
    }

    /// Keeps what is in both.
    mutating func formIntersection(_ other: NameSet) {
        switch (members, other.members) {
        case (.few(let list), _): members = .few(list.filter { other.contains(Int($0)) })
        case (.many(let bits), .few(let list)): members = .few(list.filter { Self.contains(bits, Int($0)) })
        case (.many(var own), .many(let bits)):
            members = .few([])
            for index in own.indices { own[index] &= index < bits.count ? bits[index] : 0 }
            members = .many(own)
        }
    }

    /// Whether a name is in both.
    func meets(_ other: NameSet) -> Bool {
        var both = self
        both.formIntersection(other)
        return !both.isEmpty
    }

    /// Calls `body` with each number, ascending.
    func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        switch members {
        case .few(let list): for name in list { try body(Int(name)) }
        case .many(let bits):
            for (index, word) in bits.enumerated() {
                var rest = word
                while rest != 0 {
                    try body(index * 64 + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
        }
    }
}
