import EventLoops
import Storage

/// Has the small pictures made that maps show of photos whose albums were never opened, when they are asked for: a few
/// at a time, in the turn of who asks, so that a map of hundreds keeps others waiting for one. Who leaves before its
/// turn costs nothing.
struct SmallPictures: Sendable {
    /// How many are made at once, and of them for one client.
    private static let (atOnce, ofClient) = (4, 3)
    /// How long one is waited for. It is made on, so that the next who asks has it.
    private static let patience = Duration.seconds(15)
    /// How long one that could not be made is not tried again, in milliseconds.
    static let memory: Int64 = 300_000

    let store: PhotoStore
    private let slots = FairSlots(Self.atOnce, maximumOfClient: Self.ofClient)

    init(_ store: PhotoStore) { self.store = store }

    func picture(of id: PhotoID) async throws -> StoredPicture {
        try await slots.run {
            // It may have been made for another client meanwhile.
            let (picture, state) = try await store.read { transaction throws(SQLError) in
                (try transaction.picture(id, .small), try transaction.photo(id)?.picture.state)
            }
            if let picture { return picture }
            if state == .failed { throw PhotoError.noPicture(id, .failed) }
            return try await store.make(
                WantedPicture(.small, of: id), until: .now + Self.patience, rememberingFailures: Self.memory)
        }
    }
}
