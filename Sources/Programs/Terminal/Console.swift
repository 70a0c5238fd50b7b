import FoundationEssentials
import Glibc

/// Where a command's words go, and what may be done with them there.
package struct Console: Sendable {
    /// Takes what is the answer.
    package let output: TextSink
    /// Takes errors, progress and remarks.
    package let messages: TextSink

    package init(output: TextSink, messages: TextSink) {
        self.output = output
        self.messages = messages
    }

    /// The process's own standard output and error.
    package static func standard(_ environment: [String: String]) -> Console {
        Console(
            output: .descriptor(STDOUT_FILENO, environment), messages: .descriptor(STDERR_FILENO, environment))
    }

    /// Writes a line of the answer.
    package func print(_ line: String) { output.write(line + "\n") }

    /// Writes a remark that is no part of the answer.
    package func remark(_ line: String) { messages.write(line + "\n") }
}

/// A stream of text, and what a reader sees it on.
package struct TextSink: Sendable {
    /// Whether a person looks at it: lines may be redrawn.
    package let isTerminal: Bool
    /// Whether colours may be used.
    package let hasColours: Bool
    /// How many columns a line has; nil for no limit.
    package let width: Int?
    /// How many lines there are; nil for no limit.
    package var height: Int?
    /// Asks the terminal how large it is now; nil when that never changes.
    package var measure: (@Sendable () -> (width: Int, height: Int))?
    package let write: @Sendable (String) -> Void

    package init(
        isTerminal: Bool, hasColours: Bool, width: Int?, height: Int? = nil,
        measure: (@Sendable () -> (width: Int, height: Int))? = nil, write: @escaping @Sendable (String) -> Void
    ) {
        self.isTerminal = isTerminal
        self.hasColours = hasColours
        self.width = width
        self.height = height
        self.measure = measure
        self.write = write
    }

    /// The same with the size that the terminal has now: its window may be another one than at the start.
    package var measured: TextSink {
        guard let size = measure?() else { return self }
        return TextSink(
            isTerminal: isTerminal, hasColours: hasColours, width: size.width, height: size.height, measure: measure,
            write: write)
    }

    /// The same with fewer columns, for lines that get `columns` spaces before them.
    package func indented(_ columns: Int) -> TextSink {
        TextSink(
            isTerminal: isTerminal, hasColours: hasColours, width: width.map { max(1, $0 - columns) }, height: height,
            write: write)
    }

    /// An open descriptor: colours when it is a terminal, unless NO_COLOR is set (https://no-color.org).
    static func descriptor(_ descriptor: Int32, _ environment: [String: String]) -> TextSink {
        let isTerminal = isatty(descriptor) == 1
        let wantsColours = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        let size = isTerminal ? size(descriptor) : nil
        let measure = { @Sendable () -> (width: Int, height: Int) in Self.size(descriptor) }
        return TextSink(
            isTerminal: isTerminal, hasColours: isTerminal && wantsColours, width: size?.width, height: size?.height,
            measure: isTerminal ? measure : nil
        ) { text in
            writeAll(Array(text.utf8)[...], to: descriptor)
        }
    }

    /// How large the terminal is now; 80 columns and 24 lines when it does not report it.
    private static func size(_ descriptor: Int32) -> (width: Int, height: Int) {
        var size = winsize()
        let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        guard result == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes all of it; when the reader has gone away the rest is dropped.
    private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Values of our own as JSON on one line, members by name.
package enum OneLineJSON {
    package static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self).jsonForTerminals
    }
}

extension String {
    /// A JSON text that a terminal obeys nowhere. U+0080 to U+009F may stand in its strings as they are, and a terminal
    /// takes U+009B for the begin of a command: they are escaped, as those below U+0020 have to be. None can stand
    /// outside of a string.
    package var jsonForTerminals: String {
        guard unicodeScalars.contains(where: Self.isLateControl) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard Self.isLateControl(scalar) else {
                text.append(scalar)
                continue
            }
            text.append(contentsOf: "\\u00\(String(scalar.value, radix: 16))".unicodeScalars)
        }
        return String(text)
    }

    /// DEL is one of them.
    private static func isLateControl(_ scalar: Unicode.Scalar) -> Bool { (0x7f...0x9f).contains(scalar.value) }
}

/// Why a command could not do its work, when no server said so.
package struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// A sentence that the reader can act on.
    package let description: String

    package init(_ description: String) { self.description = description }
}
