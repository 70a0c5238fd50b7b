extension Transaction {
    /// A version greater than all before it, of a store that has one subject.
    package func nextVersion() throws(SQLError) -> Int64 { try nextVersion(of: wholeStore) }

    /// The version of the last change of such a store.
    package func lastVersion() throws(SQLError) -> Int64 { try lastVersion(of: wholeStore) }
}
