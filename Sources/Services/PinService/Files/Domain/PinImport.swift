import PinContracts

/// Pins of a file that come into an account, or have come.
struct PinImport: Equatable, Sendable {
    /// The numbers are stored in the database: one that was used never changes its meaning.
    enum State: Int64, Sendable, CaseIterable {
        /// Its file is being sent, or was not read yet.
        case sent = 1
        /// Some of its pins may be stored.
        case running = 2
        case done = 3
        case undone = 4
    }

    /// How many files an account may have that were not read yet.
    static let maximumSent = 4
    /// How many are listed.
    static let maximumListed = 100
    static let maximumPins: Int64 = 100_000
    static let partBytes = AddPinImportPartRequest.dataLength.upperBound
    /// How long a file is kept after its last part or reading, in milliseconds: a day.
    static let fileMilliseconds: Int64 = 86_400_000

    let id: String
    let account: String
    let fileName: String
    let byteCount: Int64
    var receivedBytes: Int64 = 0
    var state = State.sent
    let createdMilliseconds: Int64
    var counts = Counts()
    /// Pins of the file whose turn has come, in its order.
    var doneCount: Int64 = 0
    /// Of these, pins that it has made; the others were there.
    var addedCount: Int64 = 0
    /// Pins that were removed when it was taken back.
    var removedCount: Int64 = 0
    /// Tracks of the file that it has made; the others were there.
    var addedTracks: Int64 = 0
    /// Tracks that were removed when it was taken back.
    var removedTracks: Int64 = 0

    /// What the first reading of a file finds.
    struct Counts: Equatable, Sendable {
        var pins: Int64 = 0
        var bad: Int64 = 0
        var passed: Int64 = 0
        var shortened: Int64 = 0
        /// Lists that the pins are in.
        var lists: Int64 = 0
        /// Of these, lists that the account has no room for.
        var leftOutLists: Int64 = 0
        /// Entries without a position.
        var unplaced: Int64 = 0
        var tracks: Int64 = 0
    }
}

/// Why an import can't be made, or goes on no more.
enum PinImportError: Error, Equatable {
    case notFound(String)
    case tooMany
    /// Bytes that don't begin where the last ones ended.
    case gap(offset: UInt64, received: Int64)
    case tooLong(Int64)
    case incomplete(received: Int64, of: Int64)
    /// Its file was read already, or is gone.
    case closed(PinImport.State)
    /// Another call stores its pins, or takes it back.
    case overtaken
    case badFile(name: String, reason: String)
}
