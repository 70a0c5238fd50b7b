import Storage

extension PinStore {
    /// The most pins that are searched again at once: the newest.
    private static let mostEmptyPins = 1_000
    /// Between their searches, so that those of new pins come in between, in milliseconds.
    private static let pause: Int64 = 1_000

    /// Begins another search of each pin that has no place, and for which a live one of these networks was not asked.
    /// Gives how many there are.
    func searchEmptyPins(_ networks: [PlaceNetwork], at time: Int64) async throws(SQLError) -> Int {
        var count = 0
        for network in networks where network.isLive {
            let pins = try await database.read { transaction throws(SQLError) in
                try transaction.emptyPins(without: network, limit: Self.mostEmptyPins)
            }
            for (id, account) in pins {
                let due = time + Int64(count) * Self.pause
                let isSearched = try await database.write(.subject(account)) { transaction throws(SQLError) in
                    try transaction.searchIfEmpty(id, network, networks, at: due)
                }
                if isSearched { count += 1 }
            }
        }
        return count
    }
}

extension Transaction {
    fileprivate func emptyPins(without network: PlaceNetwork, limit: Int) throws(SQLError) -> [(PinID, String)] {
        try rows(
            """
            SELECT id, account FROM pins WHERE place_count = 0
                AND NOT EXISTS (SELECT 1 FROM pin_searches WHERE pin = pins.id AND network = ?1)
            ORDER BY created_ms DESC, id DESC LIMIT ?2
            """, network.name, limit
        ) { row throws(SQLError) in (try row.pinID(0), try row.text(1)) }
    }

    /// Another replica may have begun it already.
    fileprivate func searchIfEmpty(
        _ id: PinID, _ network: PlaceNetwork, _ networks: [PlaceNetwork], at time: Int64
    ) throws(SQLError) -> Bool {
        guard let pin = try pin(id), pin.counts.places == 0,
            !pin.searches.contains(where: { $0.network == network.name }),
            let again = pin.moved(
                PinMove(position: pin.position, radiusMetres: nil, isForced: true), networks: networks)
        else { return false }
        _ = try move(again, at: time)
        return true
    }
}
