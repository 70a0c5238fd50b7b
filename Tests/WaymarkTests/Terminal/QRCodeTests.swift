import Testing

@testable import Terminal

@Suite("A QR code in a terminal")
struct QRCodeTests {
    private static let link = "https://192.168.178.20:7780/#/login/abcdefghijklmnopqrstuv"

    private static func sink(isTerminal: Bool = true, hasColours: Bool = true, width: Int? = 80) -> TextSink {
        TextSink(isTerminal: isTerminal, hasColours: hasColours, width: width) { _ in }
    }

    /// The modules that lines of half blocks draw, each line with its two rows.
    private static func drawn(_ lines: [String]) -> [[Bool]] {
        lines.flatMap { line -> [[Bool]] in
            let text = line.replacing("\u{1B}[38;5;16;48;5;231m", with: "").replacing("\u{1B}[0m", with: "")
            return [text.map { "█▀".contains($0) }, text.map { "█▄".contains($0) }]
        }
    }

    @Test("its lines draw its modules in black on white, with two light ones around it", arguments: [link, "a"])
    func drawing(text: String) throws {
        let code = try #require(QRCode(text))
        let lines = code.lines(on: Self.sink())
        let rows = Self.drawn(lines)
        let edge = code.width + 4
        #expect(rows.count == edge + 1 && rows.allSatisfy { $0.count == edge })
        for (row, line) in rows.enumerated() {
            for (column, isDark) in line.enumerated() {
                let (inner, across) = (row - 2, column - 2)
                let isWithin = (0..<code.width).contains(inner) && (0..<code.width).contains(across)
                #expect(isDark == (isWithin && code.isDark[inner * code.width + across]))
            }
        }
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
    }

    @Test("where colours may not be chosen the light modules are drawn instead")
    func plain() throws {
        let code = try #require(QRCode(Self.link))
        let (dark, light) = (
            Self.drawn(code.lines(on: Self.sink())), Self.drawn(code.lines(on: Self.sink(hasColours: false)))
        )
        // The last half line is no module.
        #expect(dark.dropLast().map { $0.map { !$0 } } == Array(light.dropLast()))
    }

    @Test("the three corners that a reader looks for are there")
    func corners() throws {
        let code = try #require(QRCode(Self.link))
        #expect(code.width == 33, "version 4, for 62 bytes")
        let ring: [Bool] = (0..<49).map { index in
            let distance = max(abs(index / 7 - 3), abs(index % 7 - 3))
            return distance != 2
        }
        for (top, left) in [(0, 0), (0, code.width - 7), (code.width - 7, 0)] {
            let corner = (0..<49).map { code.isDark[(top + $0 / 7) * code.width + left + $0 % 7] }
            #expect(corner == ring)
        }
    }

    @Test("it is left out where nobody sees it, where it does not fit, and where the text is too long")
    func leftOut() throws {
        let code = try #require(QRCode(Self.link))
        #expect(code.lines(on: Self.sink(isTerminal: false)) == [])
        #expect(code.lines(on: Self.sink(width: 36)) == [])
        #expect(code.lines(on: Self.sink(width: 37)).count == 19)
        #expect(QRCode(String(repeating: "a", count: 2332)) == nil)
    }
}
