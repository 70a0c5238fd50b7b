/// Lines of coast, put together to as few as there can be. Real data has some of them twice, or the wrong way round;
/// the turn that most points of a joined line have is the right one. Places count, not nodes: copies have nodes of
/// their own.
struct CoastLines {
    private var lines: [[WorldPoint]] = []

    /// Takes a line; a closed one ends with its first point.
    mutating func add(_ line: [WorldPoint]) {
        lines += Antimeridian.parts(of: line).map(Self.withoutSpikes).filter { $0.count > 1 }
    }

    /// Each as long as it goes; closed ones end with their first point.
    consuming func joined() -> [[WorldPoint]] { Self.joined(Self.once(lines)) }

    /// Without points that repeat the one before, and without spikes, which go to a point and the same way back.
    private static func withoutSpikes(_ line: [WorldPoint]) -> [WorldPoint] {
        var kept: [WorldPoint] = []
        for point in line where point != kept.last {
            if kept.count > 1, kept[kept.count - 2] == point { kept.removeLast() } else { kept.append(point) }
        }
        return kept
    }
}

// MARK: what is there twice

extension CoastLines {
    /// Without lines of which all was there before. Where two lines share a part, it is kept once; if they run along it
    /// in opposite directions, land lies on both sides, and no coast is there.
    private static func once(_ lines: [[WorldPoint]]) -> [[WorldPoint]] {
        let twice = twice(lines)
        guard !twice.isEmpty else { return lines }
        var known: [UInt64: Bool] = [:]
        var opposed: Set<UInt64> = []
        var kept: [[WorldPoint]] = []
        for line in lines {
            let steps = zip(line, line.dropFirst()).map { (number(of: $0, $1), isForward($0, $1)) }
            if steps.allSatisfy({ known[$0.0] != nil }) { continue }
            var isNew: [Bool] = []
            for (step, isForward) in steps {
                isNew.append(known[step] == nil)
                if let before = known[step], before != isForward { opposed.insert(step) }
                if twice.contains(step) { known[step] = isForward }
            }
            kept += split(line) { isNew[$0] }
        }
        guard !opposed.isEmpty else { return kept }
        return kept.flatMap { line in split(line) { !opposed.contains(number(of: line[$0], line[$0 + 1])) } }
    }

    /// Steps that lines have more than once, in any direction.
    private static func twice(_ lines: [[WorldPoint]]) -> Set<UInt64> {
        var all: [UInt64] = []
        all.reserveCapacity(lines.reduce(0) { $0 + $1.count })
        for line in lines { for (a, b) in zip(line, line.dropFirst()) { all.append(number(of: a, b)) } }
        all.sort()
        return Set(zip(all, all.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
    }

    /// The parts of a line that have the wanted steps only.
    private static func split(_ line: [WorldPoint], _ isWanted: (Int) -> Bool) -> [[WorldPoint]] {
        var (parts, part): ([[WorldPoint]], [WorldPoint]) = ([], [])
        for index in line.indices.dropLast() {
            if isWanted(index) {
                if part.isEmpty { part.append(line[index]) }
                part.append(line[index + 1])
            } else if !part.isEmpty {
                parts.append(part)
                part = []
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }

    private static func isForward(_ a: WorldPoint, _ b: WorldPoint) -> Bool { (a.x, a.y) < (b.x, b.y) }

    /// The same for both directions of a step.
    private static func number(of a: WorldPoint, _ b: WorldPoint) -> UInt64 { mixed(a) &+ mixed(b) }

    private static func mixed(_ point: WorldPoint) -> UInt64 {
        var mixed = point.x.bitPattern &* 0x9e37_79b9_7f4a_7c15 ^ point.y.bitPattern
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

// MARK: what belongs together

extension CoastLines {
    private static func joined(_ lines: [[WorldPoint]]) -> [[WorldPoint]] {
        var meeting: [WorldPoint: [Int]] = [:]
        for (index, line) in lines.enumerated() where line.first != line.last {
            for end in [line[0], line[line.count - 1]] { meeting[end, default: []].append(index) }
        }
        var isUsed = lines.map { _ in false }
        /// Goes on at the end of a line, with those that turn the same way if there are any; tells the points against
        /// it.
        func lead(_ joined: inout [WorldPoint], isForward: Bool) -> Int {
            var against = 0
            while let end = joined.last, end != joined[0], let all = meeting[end] {
                let open = all.filter { !isUsed[$0] }
                let isBeginning = { (index: Int) in (lines[index][0] == end) == isForward }
                guard let index = open.first(where: isBeginning) ?? open.first else { break }
                isUsed[index] = true
                let line = lines[index]
                if !isBeginning(index) { against += line.count }
                joined += (line[0] == end ? line : line.reversed()).dropFirst()
            }
            return against
        }
        var all: [[WorldPoint]] = []
        for index in lines.indices where !isUsed[index] {
            isUsed[index] = true
            var line = lines[index]
            var against = lead(&line, isForward: true)
            line.reverse()
            against += lead(&line, isForward: false)
            if 2 * against <= line.count { line.reverse() }
            all.append(line)
        }
        return all
    }
}
