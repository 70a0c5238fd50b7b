/// Objects that are named by who stores them, in a folder or a bucket: each is there whole or not at all, and when
/// `put` returns, a crash does not lose it. A name is a path of letters, digits, ".", "-" and "/". Nothing blocks the
/// calling thread.
package protocol NamedObjects: Sendable {
    /// Stores an object, in place of the one that had its name.
    func put(_ name: String, _ bytes: [UInt8]) async throws(BlobError)

    /// The bytes of an object; nil when there is none. More than `limit` are an error.
    func get(_ name: String, limit: Int) async throws(BlobError) -> [UInt8]?

    /// Removes an object; it need not be there.
    func remove(_ name: String) async throws(BlobError)

    /// The names of all objects below a folder, in no order, each with the time it was stored in milliseconds since
    /// 1970.
    func list(_ folder: String) async throws(BlobError) -> [(name: String, stored: Int64)]
}
