/// Names a call in every log that it leaves its traces in.
package enum RequestID {
    /// Sixteen random hexadecimal digits.
    package static func make() -> String {
        let text = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
