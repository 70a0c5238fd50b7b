import Storage
import Stores

// Lists of pins that a file brings along.

extension Transaction {
    /// Puts pins into the account's lists of these names. One that is missing is made, unless the account has as many
    /// as it may have.
    func putImportedLists(_ pins: [(pin: PinID, lists: [PinList.Draft])], of it: PinImport, at time: Int64)
        throws(SQLError)
    {
        guard pins.contains(where: { !$0.lists.isEmpty }) else { return }
        var known = Dictionary(try lists(of: it.account).map { ($0.name, $0.id) }) { first, _ in first }
        var added: [ListID: Int64] = [:]
        for (pin, drafts) in pins {
            var seen: Set<ListID> = []
            for draft in drafts.prefix(PinList.limitOfPin) {
                if known[draft.name] == nil, known.count < PinList.limit {
                    known[draft.name] = try make(draft, of: it, number: known.count, at: time)
                }
                guard let list = known[draft.name], seen.insert(list).inserted else { continue }
                try execute("INSERT INTO list_pins (list, pin, added_ms) VALUES (?1, ?2, ?3)", list, pin, time)
                added[list, default: 0] += 1
            }
        }
        for (list, count) in added {
            try execute("UPDATE lists SET pin_count = pin_count + ?2 WHERE id = ?1", list, count)
        }
    }

    /// The account's list of that name. One that is missing is made, if there is room.
    func importedList(_ draft: PinList.Draft, of it: PinImport, at time: Int64) throws(SQLError) -> ListID? {
        let known = try lists(of: it.account)
        if let list = known.first(where: { $0.name == draft.name }) { return list.id }
        return known.count < PinList.limit ? try make(draft, of: it, number: known.count, at: time) : nil
    }

    private func make(
        _ draft: PinList.Draft, of it: PinImport, number: Int, at time: Int64
    ) throws(SQLError) -> ListID {
        let colours = PinList.Colour.allCases
        let list = PinList(
            id: ListID.make(unixMilliseconds: time), name: draft.name,
            colour: draft.colour ?? colours[number % colours.count],
            // In the order of the file.
            createdMilliseconds: time + Int64(number))
        try insert(list, of: it.account)
        try execute("UPDATE lists SET imported_by = ?2 WHERE id = ?1", list.id, it.id)
        return list.id
    }

    /// Removes the lists that an import has made and its owner has not changed, if no pin and no track is in them.
    func removeImportedLists(by id: String, of account: String) throws(SQLError) {
        let empty = try rows(
            """
            SELECT id FROM lists WHERE account = ?1 AND imported_by = ?2 AND pin_count = 0
                AND NOT EXISTS (SELECT 1 FROM tracks WHERE list = lists.id)
            """, account, id
        ) { row throws(SQLError) in try row.pinID(0) }
        for list in empty { try deleteList(list) }
    }
}
