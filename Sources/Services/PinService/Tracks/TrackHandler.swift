import BaseContracts
import EventLoops
import Geo
import PinContracts
import RPC
import Refusals
import Requests
import Storage
import Stores
import Wire

/// Answers calls about the caller's tracks.
struct TrackHandler: TrackServiceHandler {
    private static let tokens = PageToken(of: "tracks")
    /// Tracks of a page, and their points.
    private static let most = 100
    private static let mostPoints = 20_000
    /// Points that are read for it, before they are fewer by the zoom.
    private static let mostRead: Int64 = 200_000

    let store: PinStore
    let blocking: BlockingPool

    func listTracks(_ request: ListTracksRequest, _ context: CallContext) async throws -> ListTracksResponse {
        let account = try context.account
        let end = try Self.tokens.end(in: request.pageToken) { PinID(bytes: $0) }
        let box = try request.box.map { box throws(Refusal) in try Geo.Box(box, field: "box") }
        let tracks = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.tracks(of: account, before: end)
        }
        let wanted = tracks.filter { track in box.map { $0.meets(track.box) } ?? true }
        var (shown, points, read): ([PinContracts.Track], Int, Int64) = ([], 0, 0)
        for track in wanted {
            let isFull = shown.count == Self.most || points >= Self.mostPoints || read >= Self.mostRead
            if isFull, let last = shown.last,
                let id = try? PinID(request: last.id)
            {
                return ListTracksResponse(tracks: shown, nextPageToken: Self.tokens.text(after: id.bytes))
            }
            let packed = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
                try transaction.packedShape(of: track.id)
            }
            guard let packed else { continue }
            read += track.pointCount
            let steps = try await blocking.run {
                PackedTrack.parts(packed).map { Track.drawn($0, zoom: request.zoom) } ?? []
            }
            points += steps.reduce(0) { $0 + $1.count / 2 }
            shown.append(PinContracts.Track(track, steps))
        }
        return ListTracksResponse(tracks: shown)
    }

    func deleteTrack(_ request: DeleteTrackRequest, _ context: CallContext) async throws -> DeleteTrackResponse {
        let (account, id) = (try context.account, try PinID(request: request.id))
        let wasThere = try await StoreError.converting("tracks") { () async throws(SQLError) in
            try await store.database.write(.subject(account), deadline: context.storageDeadline) {
                transaction throws(SQLError) in try transaction.deleteTrack(id, of: account)
            }
        }
        return DeleteTrackResponse(wasThere: wasThere)
    }
}

extension PinContracts.Track {
    init(_ track: Track, _ steps: [[Int32]]) {
        self.init(
            id: track.id.description, name: track.name, listId: track.list?.description ?? "",
            colour: ListColour(rawValue: Int32(track.colour?.rawValue ?? 0)), box: BaseContracts.Box(track.box),
            pointCount: UInt32(clamping: track.pointCount), lengthM: track.lengthMetres,
            createTime: TimestampMessage(unixMilliseconds: track.createdMilliseconds),
            parts: steps.map { TrackPart(steps: $0) })
    }
}
