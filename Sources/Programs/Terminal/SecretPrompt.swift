import Glibc

/// Asks for something that is not shown on the screen. Blocks.
package enum SecretPrompt {
    /// The longest line that is read, in bytes.
    private static let longestLine = 4_096

    /// A line that is typed at the process's terminal and not shown there; nil when it has no terminal.
    package static func ask(_ question: String) -> String? {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard unsafe tcgetattr(terminal, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            _ = unsafe tcsetattr(terminal, TCSAFLUSH, &before)
            write("\n", to: terminal)
        }
        write(question, to: terminal)
        return line(from: terminal)
    }

    /// The next line of a descriptor, without its end; nil when it is empty and over.
    package static func line(from descriptor: Int32) -> String? {
        var (bytes, next) = ([UInt8](), UInt8(0))
        while bytes.count < longestLine {
            guard unsafe read(descriptor, &next, 1) == 1 else { return bytes.isEmpty ? nil : text(bytes) }
            if next == UInt8(ascii: "\n") { return text(bytes) }
            bytes.append(next)
        }
        return text(bytes)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}
