import Synchronization

/// Names a call in every log that it leaves its traces in.
package enum RequestID {
    /// Tells the ids of this process from those of others.
    private static let process = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// Up to sixteen hexadecimal digits that no other call of this process has. Random ones would cost a system call.
    package static func make() -> String {
        let turn = count.wrappingAdd(1, ordering: .relaxed).newValue
        // An odd factor visits every number once, so that neighbours do not look alike.
        return String(process &+ turn &* 0x9e37_79b9_7f4a_7c15, radix: 16)
    }
}
