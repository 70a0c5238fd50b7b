/// Coasts that end within the box.
extension Coast {
    /// How far back one looks for the direction of a coast, and how wide a gap in one may be, as shares of the box.
    private static let (glance, gap) = (0.02, 0.02)
    /// The same of a gap as a share of the coasts that it lies between.
    private static let gapOfLength = 0.1
    /// Coasts with an end that are compared with each other.
    private static let maximumOpen = 4_000
    /// Coasts with an end that are led out, the longest ones first; more are left out.
    private static let maximumLedOut = 2_000

    var size: Double { max(box.east - box.west, box.south - box.north) }

    /// Closes small gaps, from where one coast ends to where one begins, if nothing else is as near to either.
    func bridged(_ lines: [[WorldPoint]]) -> [[WorldPoint]] {
        let open = lines.indices.filter { lines[$0].first != lines[$0].last }
        guard open.count <= Self.maximumOpen else { return lines }
        let lengths = open.map { Self.length(lines[$0]) }
        func gap(_ from: Int, _ to: Int) -> Double {
            let (a, b) = (lines[open[from]][lines[open[from]].count - 1], lines[open[to]][0])
            guard box.contains(a), box.contains(b) else { return .infinity }
            let gap = Self.distance(a, b)
            let most = min(size * Self.gap, min(lengths[from], lengths[to]) * Self.gapOfLength)
            return gap <= most ? gap : .infinity
        }
        func nearest(_ gap: (Int) -> Double) -> Int? {
            let found = open.indices.map { ($0, gap($0)) }.min { $0.1 < $1.1 }
            return found.flatMap { $0.1 < .infinity ? $0.0 : nil }
        }
        var next: [Int: Int] = [:]
        for from in open.indices {
            guard let to = nearest({ gap(from, $0) }), nearest({ gap($0, to) }) == from else { continue }
            next[from] = to
        }
        guard !next.isEmpty else { return lines }
        var joined = CoastLines()
        for line in lines { joined.add(line) }
        for (from, to) in next.sorted(by: { $0.key < $1.key }) {
            joined.add([lines[open[from]][lines[open[from]].count - 1], lines[open[to]][0]])
        }
        return joined.joined()
    }

    /// The parts of a line in the box.
    func parts(of line: [WorldPoint]) -> [[WorldPoint]] {
        var parts = Clipping.lines(of: line, in: box)
        if line.first == line.last, parts.count > 1, let first = parts.first, let last = parts.last,
            last.last == first.first
        {
            parts[0] = last + first.dropFirst()
            parts.removeLast()
        }
        return parts
    }

    /// The same lines from edge to edge, and how long each was. One that can't get there without crossing a coast or
    /// itself, as the shore of an inner sea that was cut, is closed to a ring. A fragment in the midst of data, farther
    /// from where that ends than it is long, is a fault, and lost.
    func ledOut(
        _ lines: [[WorldPoint]], _ rings: [[WorldPoint]]
    ) -> (lines: [[WorldPoint]], lengths: [Double], rings: [[WorldPoint]], lostLength: Double) {
        let lengths = lines.map(Self.length)
        var led: (lines: [[WorldPoint]], lengths: [Double], rings: [[WorldPoint]], lostLength: Double) = ([], [], [], 0)
        let (whole, cut) = lines.indices.reduce(into: ([Int](), [Int]())) { found, index in
            let line = lines[index]
            let isWhole = isAtEdge(line[0]) && isAtEdge(line[line.count - 1])
            if isWhole { found.0.append(index) } else { found.1.append(index) }
        }
        if cut.isEmpty { return (lines, lengths, [], 0) }
        var exit = CoastExit(box, hasData: hasData)
        let coasts = lines + rings.map { $0 + $0.prefix(1) }
        led.lines = whole.map { lines[$0] }
        led.lengths = whole.map { lengths[$0] }
        for index in cut.sorted(by: { lengths[$0] > lengths[$1] }).prefix(Self.maximumLedOut) {
            let (line, length) = (lines[index], lengths[index])
            let others = exit.others
            guard let before = exitPoint(of: line.reversed(), &exit, coasts),
                let behind = exitPoint(of: line, &exit, coasts),
                !Self.cross((line[0], before.point), (line[line.count - 1], behind.point))
            else {
                exit.others = others
                led.rings.append(line)
                continue
            }
            guard before.known + behind.known <= length else {
                exit.others = others
                led.lostLength += length
                continue
            }
            led.lines.append([before.point] + line + [behind.point])
            led.lengths.append(length)
        }
        return led
    }

    private func exitPoint(
        of line: [WorldPoint], _ exit: inout CoastExit, _ coasts: [[WorldPoint]]
    ) -> (point: WorldPoint, known: Double)? {
        let end = line[line.count - 1]
        if isAtEdge(end) { return (end, 0) }
        let before = line.last { Self.distance($0, end) > size * Self.glance } ?? line[0]
        return exit.point(from: end, comingFrom: before, among: coasts)
    }

    private func isAtEdge(_ point: WorldPoint) -> Bool {
        Self.distance(edge(nearestTo: point).point, point) <= size * 1e-9
    }

    private static func cross(_ a: (WorldPoint, WorldPoint), _ b: (WorldPoint, WorldPoint)) -> Bool {
        func isLeft(_ line: (WorldPoint, WorldPoint), _ point: WorldPoint) -> Bool {
            (line.1.x - line.0.x) * (point.y - line.0.y) > (line.1.y - line.0.y) * (point.x - line.0.x)
        }
        return isLeft(a, b.0) != isLeft(a, b.1) && isLeft(b, a.0) != isLeft(b, a.1)
    }

    private static func distance(_ a: WorldPoint, _ b: WorldPoint) -> Double { max(abs(a.x - b.x), abs(a.y - b.y)) }

    static func length(_ line: [WorldPoint]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }
}
