import Synchronization

/// The position of a call in a distributed trace (W3C Trace Context, https://www.w3.org/TR/trace-context/).
package struct TraceContext: Sendable, Hashable {
    /// The trace, the same at every hop. Never 0.
    package var trace: UInt128 { UInt128(upper) << 64 | UInt128(lower) }
    // In halves: a value with a UInt128 needs aligned memory, which takes longer to allocate.
    private let upper: UInt64
    private let lower: UInt64
    /// This hop, which is the next one's parent. Never 0.
    package let span: UInt64
    /// Whether the caller may have recorded it.
    package let isSampled: Bool

    private static let length = 55
    private static let dash = UInt8(ascii: "-")

    init(trace: UInt128, span: UInt64, isSampled: Bool) {
        upper = UInt64(truncatingIfNeeded: trace >> 64)
        lower = UInt64(truncatingIfNeeded: trace)
        self.span = span
        self.isSampled = isSampled
    }

    /// Parses a `traceparent`: "00-", 32 digits of the trace, "-", 16 of the parent, "-", 2 of flags. Nil when it is
    /// malformed. A later version may continue after a further dash; that part is ignored.
    package init?(_ traceparent: String) {
        var text = traceparent
        let read = text.withUTF8 { bytes in unsafe Self.read(bytes) }
        guard let read else { return nil }
        self = read
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> TraceContext? {
        guard bytes.count >= length, unsafe bytes[2] == dash, unsafe bytes[35] == dash, unsafe bytes[52] == dash,
            let version: UInt8 = unsafe number(bytes[..<2]), let trace: UInt128 = unsafe number(bytes[3..<35]),
            let span: UInt64 = unsafe number(bytes[36..<52]), let flags: UInt8 = unsafe number(bytes[53..<length]),
            version != 0xff, trace != 0, span != 0
        else { return nil }
        if bytes.count > length {
            guard version > 0, unsafe bytes[length] == dash else { return nil }
        }
        return TraceContext(trace: trace, span: span, isSampled: flags & 1 != 0)
    }

    /// Hexadecimal digits in lower case only, as the specification requires.
    private static func number<Number: FixedWidthInteger>(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Number? {
        var number: Number = 0
        for index in unsafe digits.startIndex..<digits.endIndex {
            let digit = unsafe digits.base[index]
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit &- UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit &- UInt8(ascii: "a") &+ 10
            default: return nil
            }
            number = number << 4 | Number(value)
        }
        return number
    }

    /// The header to send on.
    package var traceparent: String {
        unsafe String(unsafeUninitializedCapacity: Self.length) { room in
            unsafe room.initialize(repeating: UInt8(ascii: "0"))
            unsafe (room[2], room[35], room[52]) = (Self.dash, Self.dash, Self.dash)
            unsafe Self.write(upper, to: room, at: 3)
            unsafe Self.write(lower, to: room, at: 19)
            unsafe Self.write(span, to: room, at: 36)
            if isSampled { unsafe room[54] = UInt8(ascii: "1") }
            return Self.length
        }
    }

    /// The 32 digits of the trace.
    package var traceID: String { String(traceparent.dropFirst(3).prefix(32)) }

    /// The 16 digits of this hop.
    package var spanID: String { String(traceparent.dropFirst(36).prefix(16)) }

    /// Writes 16 hexadecimal digits.
    private static func write(_ number: UInt64, to room: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        var rest = number
        var index = start + 16
        while index > start {
            index -= 1
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            unsafe room[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest >>= 4
        }
    }
}

extension TraceContext {
    /// A new trace, of which this is the first hop.
    package static func new() -> TraceContext {
        let turn = take(3)
        return TraceContext(
            trace: UInt128(number(turn)) << 64 | UInt128(number(turn &+ 1)), span: number(turn &+ 2), isSampled: false)
    }

    /// The next hop of a trace that came from a caller.
    package var next: TraceContext { TraceContext(trace: trace, span: Self.number(Self.take(1)), isSampled: isSampled) }

    private static let process = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// Reserves this many turns, which no other caller gets, and returns the first.
    private static func take(_ turns: UInt64) -> UInt64 { count.wrappingAdd(turns, ordering: .relaxed).oldValue }

    /// A number that no other process is likely to produce, and this one only at this turn; never 0. Getting random
    /// ones from the kernel would cost a system call for each call (the mixing is splitmix64's,
    /// https://prng.di.unimi.it/splitmix64.c).
    private static func number(_ turn: UInt64) -> UInt64 {
        var mixed = process &+ turn &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return mixed == 0 ? 1 : mixed
    }
}
