/// The commands that draw a feature: move to, line to, close the path, each with a count and then steps from the last
/// point (https://github.com/mapbox/vector-tile-spec/tree/master/2.1#43-geometry-encoding).
struct TilePen {
    private enum Command: UInt32 { case moveTo = 1, lineTo = 2, closePath = 7 }

    private(set) var commands: [UInt32] = []
    private var x: Int32 = 0
    private var y: Int32 = 0

    /// Draws parts of a kind: x, y, x, y of each.
    mutating func draw(_ kind: TileShape.Kind, _ parts: [[Int32]]) {
        switch kind {
        case .points:
            let all = Array(parts.joined())
            begin(.moveTo, count: all.count / 2)
            step(all[...])
        case .lines, .areas:
            for part in parts where part.count >= 4 {
                begin(.moveTo, count: 1)
                step(part[..<2])
                begin(.lineTo, count: part.count / 2 - 1)
                step(part[2...])
                if kind == .areas { begin(.closePath, count: 1) }
            }
        }
    }

    /// What commands draw, in units of the tile: x, y, x, y of each part. Nil for an unknown command, or one with fewer
    /// parameters than it counts.
    static func parts(of commands: [UInt32]) -> [[Int32]]? {
        var (parts, part): ([[Int32]], [Int32]) = ([], [])
        var (x, y) = (Int32(0), Int32(0))
        var at = 0
        while at < commands.count {
            guard let command = Command(rawValue: commands[at] & 7) else { return nil }
            let count = Int(commands[at] >> 3)
            at += 1
            if command != .lineTo, !part.isEmpty {
                parts.append(part)
                part = []
            }
            guard command != .closePath else { continue }
            guard 2 * count <= commands.count - at else { return nil }
            if command == .lineTo { part.reserveCapacity(part.count + 2 * count) }
            for index in 0..<count {
                if command == .moveTo, index > 0 {
                    parts.append(part)
                    part = []
                }
                x &+= Varint.unfolded(UInt64(commands[at]))
                y &+= Varint.unfolded(UInt64(commands[at + 1]))
                at += 2
                part.append(x)
                part.append(y)
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }

    private mutating func begin(_ command: Command, count: Int) {
        commands.append(command.rawValue | UInt32(count) << 3)
    }

    private mutating func step(_ points: ArraySlice<Int32>) {
        for index in stride(from: points.startIndex, to: points.endIndex - 1, by: 2) {
            commands.append(Varint.folded(points[index] - x))
            commands.append(Varint.folded(points[index + 1] - y))
            (x, y) = (points[index], points[index + 1])
        }
    }
}
