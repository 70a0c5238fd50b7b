import Accounts
import Storage
import Stores

/// A part of this service. Its room is the folder of its name.
protocol PinPart: Part {
    init(_ house: PinHouse) async throws
    /// Deletes what belongs to a pin that goes.
    static func remove(_ pin: PinID, _ transaction: borrowing Transaction) throws(SQLError)
}

extension PinPart {
    static func remove(_ pin: PinID, _ transaction: borrowing Transaction) throws(SQLError) {}
}

extension StorePart: PinPart {
    init(_ house: PinHouse) { self.init(house.store.database) }
}

/// The service is these.
enum PinParts {
    /// In the order of their tables.
    static let all: [any PinPart.Type] = [
        StorePart.self, AccountsPart.self, PostsPart.self, SettingsPart.self, PinsPart.self, ListsPart.self,
        StarsPart.self, SharingPart.self, FilesPart.self, UnplacedPart.self, TracksPart.self,
    ]

    static var migrations: [Migration] { all.flatMap { $0.migrations } }
}
