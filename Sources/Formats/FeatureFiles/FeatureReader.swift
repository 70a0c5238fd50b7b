/// Reads the features of a file one after the other. Blocks; memory does not grow with the file.
package protocol FeatureReader: ~Copyable {
    /// What comes next; nil at the end. Throws when the file as a whole can't be read any further.
    mutating func next() throws(SourceError) -> FeatureItem?
}

/// What comes next in a file of features.
package enum FeatureItem {
    /// It may have a problem of its own.
    case feature(Feature)
    /// A track or a route, whose points are no places.
    case line(FeatureLine)
    /// A list that its features are in, with its colour.
    case list(FeatureList)
    /// A part of the file that was passed over or changed, and why.
    case notice(FileNotice)
}

/// A line of a file that is no feature of its own.
package struct FeatureLine {
    /// What it is, for people: "track".
    package let kind: String
    /// With a shape for each of its pieces.
    package internal(set) var feature: Feature

    init(_ kind: String) {
        self.kind = kind
        feature = Feature(number: 0)
    }
}

/// What was passed over in a file, or changed to be read.
package struct FileNotice: Equatable, Sendable, CustomStringConvertible {
    /// Where, from 1; 0 when it is about the file as a whole.
    package let line: UInt64
    /// Where in the line, from 1; 0 when that is not known.
    let column: UInt64
    private let text: String

    package init(line: UInt64 = 0, column: UInt64 = 0, _ text: String) {
        (self.line, self.column, self.text) = (line, column, text)
    }

    /// For those who are shown the line already.
    package var inLine: String { column > 0 ? "column \(column): \(text)" : text }

    package var description: String {
        if line == 0 { return text }
        return column > 0 ? "line \(line), column \(column): \(text)" : "line \(line): \(text)"
    }
}
