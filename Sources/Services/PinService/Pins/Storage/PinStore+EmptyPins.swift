import Storage

extension PinStore {
    /// The most pins that are searched again at once: the newest.
    private static let maximumEmptyPins = 1_000
    /// Between their searches, so that those of new pins come in between, in milliseconds.
    private static let pause: Int64 = 1_000

    /// Begins another search of each pin that has no place, and for which a live one of these networks was not asked
    /// although its account wants that. Gives how many there are.
    /// - Parameters:
    ///   - account: whose pins; all pins when nil.
    ///   - madeSince: pins made from then on are searched again with places too.
    func searchEmptyPins(
        of account: String? = nil, madeSince: Int64 = .max, _ networks: [PlaceNetwork], at time: Int64
    ) async throws(SQLError) -> Int {
        var count = 0
        for network in networks where network.isLive {
            let pins = try await database.read { transaction throws(SQLError) in
                guard let account else {
                    return try transaction.emptyPins(
                        madeSince: madeSince, without: network, limit: Self.maximumEmptyPins)
                }
                return try transaction.emptyPins(of: account, without: network, limit: Self.maximumEmptyPins)
            }
            for (id, account) in pins {
                let due = time + Int64(count) * Self.pause
                let isSearched = try await database.write(.subject(account)) { [self] transaction throws(SQLError) in
                    let choice = try settings(of: account, transaction).networks
                    guard choice.allows(network.name) else { return false }
                    return try transaction.searchIfEmpty(
                        id, madeSince: madeSince, network, networks, choice, at: due)
                }
                if isSearched { count += 1 }
            }
        }
        return count
    }
}

extension Transaction {
    fileprivate func emptyPins(
        madeSince: Int64, without network: PlaceNetwork, limit: Int
    ) throws(SQLError) -> [(PinID, String)] {
        try rows(
            """
            SELECT id, account FROM pins WHERE (place_count = 0 OR created_ms >= ?3) AND generation > 0
                AND NOT EXISTS (SELECT 1 FROM pin_searches WHERE pin = pins.id AND network = ?1 AND state <> 5)
            ORDER BY created_ms DESC, id DESC LIMIT ?2
            """, network.name, limit, madeSince
        ) { row throws(SQLError) in (try row.pinID(0), try row.text(1)) }
    }

    fileprivate func emptyPins(
        of account: String, without network: PlaceNetwork, limit: Int
    ) throws(SQLError) -> [(PinID, String)] {
        try rows(
            """
            SELECT id, account FROM pins WHERE account = ?1 AND place_count = 0 AND generation > 0
                AND NOT EXISTS (SELECT 1 FROM pin_searches WHERE pin = pins.id AND network = ?2 AND state <> 5)
            ORDER BY created_ms DESC, id DESC LIMIT ?3
            """, account, network.name, limit
        ) { row throws(SQLError) in (try row.pinID(0), try row.text(1)) }
    }

    /// Another replica may have begun it already.
    fileprivate func searchIfEmpty(
        _ id: PinID, madeSince: Int64, _ network: PlaceNetwork, _ networks: [PlaceNetwork], _ choice: NetworkChoice,
        at time: Int64
    ) throws(SQLError) -> Bool {
        guard let pin = try pin(id), pin.counts.places == 0 || pin.createdMilliseconds >= madeSince,
            pin.limit.allows(network.name),
            !pin.searches.contains(where: { $0.network == network.name && $0.state != .disabled }),
            let again = pin.moved(
                PinMove(position: pin.position, radiusMetres: nil, isForced: true),
                networks: networks.filter { choice.limited(to: pin.limit).allows($0.name) })
        else { return false }
        _ = try move(again, at: time)
        return true
    }
}
