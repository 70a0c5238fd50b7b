package import TestTools
internal import Wire

extension Every {
    /// A message with each field there or not, values often at their edges.
    package static func random(_ random: inout SeededGenerator) -> Every {
        var source = RandomValues(random: random)
        defer { random = source.random }
        var message = Every()
        source.fillPlain(&message)
        source.fillOptional(&message)
        source.fillLists(&message)
        message.choice = source.choice()
        return message
    }
}

/// Draws values for the fields of `Every`.
private struct RandomValues {
    var random: SeededGenerator

    mutating func sometimes<Value>(_ value: (inout RandomValues) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    mutating func list<Value>(_ value: (inout RandomValues) -> Value) -> [Value] {
        let count = Bool.random(using: &random) ? 0 : Int.random(in: 1...5, using: &random)
        return (0..<count).map { _ in value(&self) }
    }

    mutating func integer<Value: FixedWidthInteger>() -> Value {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .min
        case 1: .max
        case 2: 0
        case 3: Value(truncatingIfNeeded: Int.random(in: -300...300, using: &random))
        default: Value.random(in: .min ... .max, using: &random)
        }
    }

    /// Never -0: where zero means absent, protobuf-c takes it for 0.
    mutating func double() -> Double {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .infinity
        case 1: -.infinity
        case 2: .leastNonzeroMagnitude
        case 3: -.greatestFiniteMagnitude
        case 4: 0
        case 5: Double(Int.random(in: -1000...1000, using: &random))
        default: Double.random(in: -1e9...1e9, using: &random)
        }
    }

    /// Not the largest of all: Python's json_format refuses the shortest text of it.
    mutating func float() -> Float {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .infinity
        case 1: .leastNonzeroMagnitude
        case 2: 3e38
        case 3: 0
        default: Float.random(in: -1e6...1e6, using: &random)
        }
    }

    mutating func bool() -> Bool { Bool.random(using: &random) }

    mutating func string() -> String {
        let pieces = [
            "", "a", "Å", "ß", "漢字", "🧭", "\u{0}", "\"\\/\n\t\u{1f}", "e\u{301}", "\u{10FFFF}", "\u{2028}", "x",
        ]
        return (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    mutating func bytes() -> [UInt8] {
        (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    mutating func shade() -> Shade {
        let known: [Shade] = [.unspecified, .light, .veryDark, .negative]
        return Int.random(in: 0..<5, using: &random) == 0
            ? Shade(rawValue: integer()) : known.randomElement(using: &random) ?? .light
    }

    mutating func point() -> Point { Point(latitude: double(), longitude: double()) }

    mutating func nested() -> Every.Nested {
        Every.Nested(mood: bool() ? .good : .unspecified, inners: list { .init(name: $0.string()) })
    }

    mutating func time() -> TimestampMessage {
        TimestampMessage(
            seconds: Int64.random(in: -62_135_596_800...253_402_300_799, using: &random), nanos: nanoseconds())
    }

    mutating func span() -> DurationMessage {
        let sign: Int64 = bool() ? 1 : -1
        let seconds = bool() ? 0 : Int64.random(in: 0...315_576_000_000, using: &random)
        return DurationMessage(seconds: sign * seconds, nanos: Int32(sign) * nanoseconds())
    }

    private mutating func nanoseconds() -> Int32 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: 0
        case 1: Int32.random(in: 0...999, using: &random) * 1_000_000
        case 2: Int32.random(in: 0...999_999, using: &random) * 1000
        default: Int32.random(in: 0...999_999_999, using: &random)
        }
    }

    mutating func choice() -> Every.Choice? {
        switch Int.random(in: 0...8, using: &random) {
        case 0: .number(integer())
        case 1: .text(string())
        case 2: .raw(bytes())
        case 3: .flag(bool())
        case 4: .shade(shade())
        case 5: .place(point())
        case 6: .span(span())
        case 7: .ratio(double())
        default: nil
        }
    }

    mutating func fillPlain(_ message: inout Every) {
        message.aDouble = double()
        message.aFloat = float()
        message.anInt32 = integer()
        message.anInt64 = integer()
        message.aUint32 = integer()
        message.aUint64 = integer()
        message.aBool = bool()
        message.aString = string()
        message.someBytes = bytes()
        message.aShade = shade()
        message.aPoint = sometimes { $0.point() }
        message.aNested = sometimes { $0.nested() }
        message.aTime = sometimes { $0.time() }
        message.aSpan = sometimes { $0.span() }
    }

    mutating func fillOptional(_ message: inout Every) {
        message.maybeDouble = sometimes { $0.double() }
        message.maybeFloat = sometimes { $0.float() }
        message.maybeInt32 = sometimes { $0.integer() }
        message.maybeInt64 = sometimes { $0.integer() }
        message.maybeUint32 = sometimes { $0.integer() }
        message.maybeUint64 = sometimes { $0.integer() }
        message.maybeBool = sometimes { $0.bool() }
        message.maybeString = sometimes { $0.string() }
        message.maybeBytes = sometimes { $0.bytes() }
        message.maybeShade = sometimes { $0.shade() }
        message.maybePoint = sometimes { $0.point() }
    }

    mutating func fillLists(_ message: inout Every) {
        message.doubles = list { $0.double() }
        message.floats = list { $0.float() }
        message.int32s = list { $0.integer() }
        message.int64s = list { $0.integer() }
        message.uint32s = list { $0.integer() }
        message.uint64s = list { $0.integer() }
        message.bools = list { $0.bool() }
        message.strings = list { $0.string() }
        message.byteStrings = list { $0.bytes() }
        message.shades = list { $0.shade() }
        message.points = list { $0.point() }
        message.times = list { $0.time() }
    }
}
