extension String {
    /// The most combining marks in a row.
    private static let maximumMarks = 30
    /// Goes between marks, and stands for nothing.
    private static let joiner: Unicode.Scalar = "\u{034F}"

    /// The text in the Stream-Safe Text Format (https://unicode.org/reports/tr15/#Stream_Safe_Text_Format): a joiner,
    /// which is not seen, follows every 30 combining marks in a row.
    ///
    /// For text from outside. Swift compares and hashes texts by their normal form, for which it sorts the marks of
    /// each letter: with all of a long text's bytes in one letter, that takes the square of its length, minutes for a
    /// megabyte.
    package var streamSafe: String { hasManyMarks ? joined : self }

    private var hasManyMarks: Bool {
        guard mayHaveManyMarks else { return false }
        var marks = 0
        return unicodeScalars.contains { scalar in
            marks = scalar.isMark ? marks + 1 : 0
            return marks > Self.maximumMarks
        }
    }

    /// Whether one of every 61st bytes is not ASCII. 31 marks, of two bytes and more, can't lie between two of these.
    private var mayHaveManyMarks: Bool {
        let step = 2 * Self.maximumMarks + 1
        guard utf8.count >= step else { return false }
        let bytes = utf8.span
        for index in stride(from: step - 1, to: bytes.count, by: step) where bytes[index] >= 0x80 { return true }
        return false
    }

    private var joined: String {
        var text = ""
        text.reserveCapacity(utf8.count + utf8.count / 30)
        var marks = 0
        for scalar in unicodeScalars {
            if scalar.isMark, marks == Self.maximumMarks {
                text.unicodeScalars.append(Self.joiner)
                marks = 0
            }
            marks = scalar.isMark ? marks + 1 : 0
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether its place among others like it may change in a normal form.
    fileprivate var isMark: Bool { value >= 0x300 && properties.canonicalCombiningClass != .notReordered }
}
