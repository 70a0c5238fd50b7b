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
    case line
    /// A part of the file that was passed over or changed, and why.
    case notice(FileNotice)
}

/// What was passed over in a file, or changed to be read.
package struct FileNotice: Equatable, Sendable {
    /// Where, from 1; 0 when it is about the file as a whole.
    package let line: UInt64
    package let text: String
}
