/// How many columns text takes on a terminal, and text that can do it no harm.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// A cluster is as wide as its widest part; an emoji sign makes it two columns.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.map(of).max() ?? 0
    }

    /// The text, cut to at most `limit` columns with an ellipsis at its end.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard of(text) > limit else { return text }
        var width = 0
        let kept = text.prefix { character in
            width += of(character)
            return width < limit
        }
        return limit > 0 ? kept + "…" : ""
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Blocks that Unicode's EastAsianWidth.txt calls wide or fullwidth, in whole blocks, and the emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// Without control and formatting characters, which could move a terminal's cursor or turn its lines around: names
    /// come from anywhere. Joiners of emoji stay.
    package var printable: String {
        let isHarmless = unicodeScalars.allSatisfy(Self.isPrintable)
        if isHarmless { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { Self.isPrintable($0) ? $0 : " " }))
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: scalar.value == 0x200D || scalar.value == 0x200C
        default: true
        }
    }
}
