import Glibc

/// The drawing in a mark, 24 units wide: lines, curves and arcs, as SVG writes them
/// (https://www.w3.org/TR/SVG2/paths.html#PathData). Of its commands those are known that the table of styles uses.
struct IconPath: Sendable {
    enum Step: Equatable, Sendable {
        case move(ScreenPoint)
        case line(ScreenPoint)
        case curve(ScreenPoint, ScreenPoint, ScreenPoint)
        case close
    }

    private(set) var steps: [Step] = []
    private var pen = ScreenPoint(x: 0, y: 0)
    private var start = ScreenPoint(x: 0, y: 0)

    /// Nil for what is no path.
    init?(_ text: String) {
        var words = IconWords(text)
        while let command = words.command() {
            repeat {
                guard add(command, &words) else { return nil }
            } while words.isAtNumber && command & ~0x20 != UInt8(ascii: "Z")
        }
        guard words.isEmpty else { return nil }
    }

    private mutating func add(_ command: UInt8, _ words: inout IconWords) -> Bool {
        let isRelative = command >= UInt8(ascii: "a")
        let from = isRelative ? pen : ScreenPoint(x: 0, y: 0)
        func point() -> ScreenPoint? {
            guard let x = words.number(), let y = words.number() else { return nil }
            return ScreenPoint(x: from.x + x, y: from.y + y)
        }
        switch command & ~0x20 {
        case UInt8(ascii: "Z"):
            steps.append(.close)
            pen = start
            return true
        case UInt8(ascii: "M"):
            guard let to = point() else { return false }
            steps.append(.move(to))
            (pen, start) = (to, to)
            return true
        case UInt8(ascii: "L"): return line(to: point())
        case UInt8(ascii: "H"): return line(to: words.number().map { ScreenPoint(x: from.x + $0, y: pen.y) })
        case UInt8(ascii: "V"): return line(to: words.number().map { ScreenPoint(x: pen.x, y: from.y + $0) })
        case UInt8(ascii: "C"): return curve(point(), point(), point())
        case UInt8(ascii: "Q"):
            guard let middle = point(), let to = point() else { return false }
            func near(_ end: ScreenPoint) -> ScreenPoint {
                ScreenPoint(x: end.x + 2 / 3 * (middle.x - end.x), y: end.y + 2 / 3 * (middle.y - end.y))
            }
            return curve(near(pen), near(to), to)
        case UInt8(ascii: "A"):
            guard let radius = words.number(), words.number() != nil, words.number() != nil,
                let isLarge = words.number(), let turnsRight = words.number(), let to = point()
            else { return false }
            return arc(radius, isLarge: isLarge != 0, turnsRight: turnsRight != 0, to: to)
        default: return false
        }
    }

    private mutating func line(to point: ScreenPoint?) -> Bool {
        guard let point else { return false }
        steps.append(.line(point))
        pen = point
        return true
    }

    private mutating func curve(_ first: ScreenPoint?, _ second: ScreenPoint?, _ end: ScreenPoint?) -> Bool {
        guard let first, let second, let end else { return false }
        steps.append(.curve(first, second, end))
        pen = end
        return true
    }
    /// Part of a circle, in curves of a quarter turn at most.
    private mutating func arc(_ radius: Double, isLarge: Bool, turnsRight: Bool, to end: ScreenPoint) -> Bool {
        let half = pen.distance(to: end) / 2
        guard half > 0, radius > 0 else { return line(to: end) }
        let radius = max(radius, half)
        let middle = pen.middle(to: end)
        let away = (radius * radius - half * half).squareRoot() / half * (isLarge == turnsRight ? -1 : 1)
        let centre = ScreenPoint(x: middle.x - away * (end.y - pen.y) / 2, y: middle.y + away * (end.x - pen.x) / 2)
        let from = atan2(pen.y - centre.y, pen.x - centre.x)
        var turn = atan2(end.y - centre.y, end.x - centre.x) - from
        if turnsRight, turn < 0 { turn += 2 * .pi }
        if !turnsRight, turn > 0 { turn -= 2 * .pi }
        let count = max(1, (abs(turn) / (.pi / 2)).rounded(.up))
        let part = turn / count
        let reach = 4 / 3 * tan(part / 4) * radius
        for index in 0..<Int(count) {
            let (a, b) = (from + part * Double(index), from + part * Double(index + 1))
            let (begin, stop) = (
                ScreenPoint(x: centre.x + radius * cos(a), y: centre.y + radius * sin(a)),
                ScreenPoint(x: centre.x + radius * cos(b), y: centre.y + radius * sin(b))
            )
            _ = curve(
                ScreenPoint(x: begin.x - reach * sin(a), y: begin.y + reach * cos(a)),
                ScreenPoint(x: stop.x + reach * sin(b), y: stop.y - reach * cos(b)), stop)
        }
        pen = end
        return true
    }
}

/// Commands and numbers of a path, with blanks between them only where they would run together.
private struct IconWords {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isEmpty: Bool { rest.isEmpty }

    var isAtNumber: Bool { rest.first.map { Self.isOfNumber($0) || Self.isBlank($0) } ?? false }

    mutating func command() -> UInt8? {
        skipBlanks()
        guard let first = rest.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "z") else { return nil }
        return rest.removeFirst()
    }

    mutating func number() -> Double? {
        skipBlanks()
        var bytes: [UInt8] = []
        while let byte = rest.first, Self.isOfNumber(byte) {
            let isSign = byte == UInt8(ascii: "-")
            let isSecondPoint = byte == UInt8(ascii: ".") && bytes.contains(byte)
            if isSign && !bytes.isEmpty || isSecondPoint { break }
            bytes.append(rest.removeFirst())
        }
        return Double(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func skipBlanks() { while let first = rest.first, Self.isBlank(first) { rest.removeFirst() } }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
