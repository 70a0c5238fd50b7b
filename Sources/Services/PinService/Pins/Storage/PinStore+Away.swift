import Storage

// What pins learn of a service that is away: they wait for it no longer. It is noted account by account, so that no
// change of an account waits for those of all others, nor is undone by them.

extension PinStore {
    /// How many pins learn of it at once.
    private static let batch = 500

    /// Ends the wait of pins for a network that can't be asked, once the pin that has found out waits no longer. While
    /// its service is away, the job of one pin asks for all.
    func endWaits(
        for network: String, foundBy finder: PinID, _ fault: NetworkFault, at time: Int64
    ) async throws(SQLError) {
        let waiting = try await database.read(.statement) { transaction throws(SQLError) in
            try transaction.pinsAwaiting(network, unlessAwaitedBy: finder, limit: Self.batch)
        }
        try await change(waiting) { pin, transaction throws(SQLError) in
            guard let search = pin.searches.first(where: { $0.network == network }),
                search.generation == pin.generation, let ended = search.foundAway(fault)
            else { return }
            try transaction.putSearch(ended, of: pin, at: time)
        }
    }

    /// Ends the wait of pins for photos: the photo service is away.
    func recordPhotosAway(_ reason: String) async throws(SQLError) {
        let waiting = try await database.read(.statement) { transaction throws(SQLError) in
            try transaction.pinsAwaitingPhotos(limit: Self.batch)
        }
        try await change(waiting) { pin, transaction throws(SQLError) in
            guard pin.state.isUnsettled, !pin.arePhotosSettled else { return }
            try transaction.recordPhotoTrouble(reason, of: pin)
        }
    }

    private func change(
        _ pins: [(id: PinID, account: String)],
        _ body: @escaping @Sendable (Pin, borrowing Transaction) throws(SQLError) -> Void
    ) async throws(SQLError) {
        for (account, pins) in Dictionary(grouping: pins, by: \.account) {
            let ids = pins.map(\.id)
            try await database.write(.subject(account)) { transaction throws(SQLError) in
                for id in ids {
                    guard let pin = try transaction.pin(id) else { continue }
                    try body(pin, transaction)
                }
            }
        }
    }
}

extension Transaction {
    fileprivate func pinsAwaiting(
        _ network: String, unlessAwaitedBy finder: PinID, limit: Int
    ) throws(SQLError) -> [(id: PinID, account: String)] {
        try rows(
            """
            SELECT pins.id, pins.account FROM pin_searches JOIN pins ON pins.id = pin_searches.pin
            WHERE pin_searches.network = ?1 AND pin_searches.state = 1 AND NOT EXISTS (
                SELECT 1 FROM pin_searches AS found WHERE found.pin = ?2 AND found.network = ?1 AND found.state = 1)
            LIMIT ?3
            """, network, finder, limit
        ) { row throws(SQLError) in (try row.pinID(0), try row.text(1)) }
    }

    fileprivate func pinsAwaitingPhotos(limit: Int) throws(SQLError) -> [(id: PinID, account: String)] {
        try rows(
            """
            SELECT id, account FROM pins WHERE state < 3 AND generation > 0 AND id > ?1
                AND album_generation < generation AND photo_trouble = '' ORDER BY id LIMIT ?2
            """, PinID(high: 0, low: 0), limit
        ) { row throws(SQLError) in (try row.pinID(0), try row.text(1)) }
    }
}
