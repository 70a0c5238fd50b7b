import PinContracts
import RPC
import Storage

extension ImportRun {
    /// The first reading: what the file has. What can't become a pin is reported.
    func check(_ it: PinImport, _ path: String) async throws -> (PinImport.Counts, ListColours) {
        let reading = PinFileReading(path: path, name: it.fileName)
        let room = try await store.read { transaction throws(SQLError) in
            TrackRoom(beside: try transaction.trackSize(of: it.account), try transaction.trackDigests(of: it.account))
        }
        var tally = PinFileTally(room: room)
        var next = ContinuousClock.now + Self.pace
        while true {
            let batch = try await self.batch(of: reading, it, at: 0)
            for bad in try tally.add(batch) {
                try await responses.write(RunPinImportResponse(event: .badPin(bad)))
            }
            if batch.isLast { break }
            if try await report(PinImportProgress(doneCount: UInt64(tally.counts.pins)), &next) {
                try await checkNotUndone(it)
            }
        }
        let leftOut = try await leftOut(tally.lists, of: it.account)
        return (try tally.counts(leftOutLists: leftOut), tally.colours)
    }

    /// How many of these lists an account has no room for.
    private func leftOut(_ names: Set<String>, of account: String) async throws -> Int64 {
        let known = try await store.read { transaction throws(SQLError) in try transaction.lists(of: account) }
        let new = names.subtracting(known.map(\.name)).count
        return Int64(max(0, new - max(0, PinList.limit - known.count)))
    }
}
