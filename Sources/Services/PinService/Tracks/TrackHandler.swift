import BaseContracts
import EventLoops
import Geo
import PinContracts
import PinFiles
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
                try transaction.packedTrack(track.id)
            }
            guard let packed else { continue }
            read += track.pointCount
            let parts = try await blocking.run {
                let parts = packed.parts ?? []
                return zip(Track.drawn(parts, zoom: request.zoom), parts).map {
                    TrackPart(steps: $0, isHole: $1.isHole)
                }
            }
            points += parts.reduce(0) { $0 + $1.steps.count / 2 }
            shown.append(PinContracts.Track(track, parts))
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
    init(_ track: Track, _ parts: [TrackPart]) {
        self.init(
            id: track.id.description, name: track.name, listId: track.list?.description ?? "",
            colour: ListColour(rawValue: Int32(track.colour?.rawValue ?? 0)), box: BaseContracts.Box(track.box),
            pointCount: UInt32(clamping: track.pointCount), lengthM: track.figures.lengthMetres,
            createTime: TimestampMessage(unixMilliseconds: track.createdMilliseconds),
            parts: parts, kind: track.kind == .area ? .area : .line, climbM: track.figures.climbMetres,
            startTime: track.figures.time.map { TimestampMessage(unixMilliseconds: $0.startMilliseconds) },
            duration: track.figures.time.map { DurationMessage(.milliseconds($0.durationMilliseconds)) })
    }
}
