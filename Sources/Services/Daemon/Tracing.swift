package import RPC
import Synchronization

/// Continues the trace that a call came with, or begins one. A malformed `traceparent` is treated as missing, as the
/// specification requires.
package final class Tracing: ServerInterceptor {
    package init() {}

    package func admit(_ context: inout CallContext) {
        let parent = context.traceparent.isEmpty ? nil : TraceContext(context.traceparent)
        context.trace = parent?.next ?? .new()
    }
}

/// Makes the id of a call that appears in every log.
package enum RequestID {
    /// Distinguishes the ids of this process from those of others.
    private static let process = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// Digits of five bits, without letters that can be confused (https://www.crockford.com/base32.html).
    private static let digits: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
    private static let length = 13

    /// Thirteen digits that no other call of this process has. Random ones would cost a system call, and a string of
    /// sixteen or more is allocated on the heap, in each process that it passes through.
    package static func make() -> String {
        let turn = count.wrappingAdd(1, ordering: .relaxed).newValue
        // Multiplying by an odd factor reaches every number once, so that successive ids do not look alike.
        var rest = process &+ turn &* 0x9e37_79b9_7f4a_7c15
        return unsafe String(unsafeUninitializedCapacity: length) { room in
            for index in 0..<length {
                unsafe room[index] = unsafe digits.utf8Start[Int(rest & 31)]
                rest >>= 5
            }
            return length
        }
    }
}
