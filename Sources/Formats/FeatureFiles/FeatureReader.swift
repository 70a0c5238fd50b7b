/// Reads the features of a file one after the other. Blocks; memory does not grow with the file.
package protocol FeatureReader: ~Copyable {
    /// The next feature, which may have a problem of its own; nil at the end. Throws when the file as a whole can't be
    /// read any further.
    mutating func next() throws(SourceError) -> Feature?
}
