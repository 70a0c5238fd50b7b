internal import CQREncode

/// A text as a QR code (ISO/IEC 18004), for a phone's camera.
package struct QRCode: Sendable, Equatable {
    /// Modules in a row, and rows.
    package let width: Int
    /// Whether each module is dark, row by row.
    let isDark: [Bool]

    /// Light modules that readers need around it. The standard says four, and readers do with two.
    private static let margin = 2
    /// Black on white of the fixed palette of 256 colours: themes change the first 16.
    private static let blackOnWhite = (start: "\u{1B}[38;5;16;48;5;231m", end: "\u{1B}[0m")

    /// Nil for a text that is too long: more than 2,331 bytes.
    package init?(_ text: String) {
        // Level M: a code of which 15 in 100 can't be seen is still read.
        guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { unsafe QRcode_free(code) }
        width = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        isDark = unsafe modules.map { $0 & 1 == 1 }
    }

    /// Two rows of modules as one line of half blocks; none where it would not fit or there is no terminal.
    package func lines(on sink: TextSink) -> [String] {
        let edge = width + 2 * Self.margin
        guard sink.isTerminal, sink.width.map({ $0 >= edge }) ?? true else { return [] }
        return stride(from: 0, to: edge, by: 2).map { row in
            let blocks = (0..<edge).map { column in
                Self.block(upper: isInk(row, column, on: sink), lower: isInk(row + 1, column, on: sink))
            }
            let line = blocks.joined()
            return sink.hasColours ? Self.blackOnWhite.start + line + Self.blackOnWhite.end : line
        }
    }

    /// Whether a module, counted with the margin, is drawn. Where colours can't be chosen the light ones are, since
    /// most terminals are dark; readers know how to read the opposite.
    private func isInk(_ row: Int, _ column: Int, on sink: TextSink) -> Bool {
        let (row, column) = (row - Self.margin, column - Self.margin)
        // The last line of an odd number of rows has a lower half that belongs to nothing.
        if row >= width + Self.margin { return false }
        let isWithin = (0..<width).contains(row) && (0..<width).contains(column)
        return (isWithin && isDark[row * width + column]) == sink.hasColours
    }

    private static func block(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
