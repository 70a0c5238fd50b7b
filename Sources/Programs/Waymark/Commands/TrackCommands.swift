import Arguments
import Contracts
import Terminal
import Wire

/// Tracks that files have brought: `waymark track …`.
enum TrackCommands {
    static let all: [any Command] = [list, delete]

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["track", "list"], summary: "your tracks, which came from files; the newest come first",
            examples: ["track list"]),
        request: { _ in ListTracksRequest() },
        call: { client, request, options in
            try await allPages(request) { try await TrackServiceClient(client).listTracks($0, options.call) }
        },
        view: { reply in
            guard !reply.answer.tracks.isEmpty else { return ["none"] }
            return table(reply.answer).lines(on: reply.sink)
        })

    private static let delete = UnaryCommand(
        CommandSyntax(
            words: ["track", "delete"], summary: "delete a track",
            positionals: [Positional(name: "ID", summary: "its id")],
            examples: ["track delete 0190163d-8694-739b-aea5-966c26f8ad91"]),
        request: { DeleteTrackRequest(id: $0.positionals.first ?? "") },
        call: { try await TrackServiceClient($0).deleteTrack($1, $2.call) },
        view: { [$0.answer.wasThere ? "The track is deleted." : "There was no such track."] })

    private static func table(_ answer: ListTracksResponse) -> Table {
        var table = Table(columns: [
            .init(title: "NAME", minimum: 14, style: .bold), .init(title: "LENGTH"), .init(title: "CLIMB", rank: 2),
            .init(title: "TIME", rank: 2), .init(title: "POINTS", rank: 1), .init(title: "ID", style: .faint),
        ])
        table.rows = answer.tracks.map { track in
            [
                .init(track.name), .init(Quantity.distance(track.lengthM)),
                .init(track.climbM.map { Quantity.distance($0) } ?? ""),
                .init(track.duration?.duration.map { Quantity.duration($0) } ?? ""), .init("\(track.pointCount)"),
                .init(track.id),
            ]
        }
        return table
    }
}

extension ListTracksRequest: PageRequest {}
extension ListTracksResponse: Page {
    mutating func append(_ page: ListTracksResponse) { tracks += page.tracks }
}
