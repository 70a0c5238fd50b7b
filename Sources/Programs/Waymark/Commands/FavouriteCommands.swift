import Arguments
import Contracts
import RPC
import Terminal

/// What is done with favourites: `waymark favourite …`.
enum FavouriteCommands {
    static let all: [any Command] = [
        changing("add", "add a photo to your favourites; it outlasts pins, places and files", .add),
        changing("remove", "take a photo out of your favourites", .remove),
        changing("toggle", "add a photo to your favourites, or take it out if it is one", .toggle), list,
    ]

    private static func changing(
        _ word: String, _ summary: String, _ change: FavouriteChange
    ) -> any Command {
        let place = Flag("place", "NAME", "what the place is called where it was taken; kept with it")
        return UnaryCommand(
            changing: CommandSyntax(
                words: ["favourite", word], summary: summary, positionals: [.photo],
                flags: change == .remove ? [] : [place], examples: ["favourite \(word) folder/market.jpg"]),
            request: { arguments, name in
                ChangeFavouriteRequest(
                    photoId: arguments.positionals.first ?? "", change: change,
                    placeName: arguments.text("place") ?? "", requestId: "\(name)")
            },
            call: { try await PhotoServiceClient($0).changeFavourite($1, $2.call) },
            view: { reply in
                let isOne = reply.answer.favourite
                return ["\(reply.request.photoId) is \(isOne ? "a favourite" : "no favourite") now.".printable]
            })
    }

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["favourite", "list"], summary: "your favourites over all pins, the newest first",
            flags: [Flag("network", "NAME", "only of this network", isRepeatable: true)],
            examples: ["favourite list", "favourite list --network commons"]),
        request: {
            ListFavouritesRequest(
                pageSize: ListFavouritesRequest.pageSizeRange.upperBound, networks: $0.all("network"))
        },
        call: { client, request, options in
            try await allPages(request) { try await PhotoServiceClient(client).listFavourites($0, options.call) }
        },
        view: { reply in
            guard !reply.answer.favourites.isEmpty else {
                return ["There are no favourites; waymark favourite add PHOTO adds one."]
            }
            return lines(reply.answer.favourites, on: reply.sink)
        })

    private static func lines(_ favourites: [Favourite], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "TITLE", minimum: 14, style: .bold), .init(title: "PLACE", minimum: 8, rank: 0),
            .init(title: "AUTHOR", minimum: 8, rank: 1), .init(title: "LICENCE", minimum: 8, rank: 2),
            .init(title: "ID", style: .faint),
        ])
        table.rows = favourites.map { favourite in
            let photo = favourite.photo ?? Photo()
            return [
                .init(photo.shownName), .init(favourite.placeName),
                .init(photo.author), .init(photo.licence), .init(photo.id),
            ]
        }
        return table.lines(on: sink)
    }
}

extension Positional {
    static let photo = Positional(name: "PHOTO", summary: "the photo's id, as album show shows it")
}

extension ListFavouritesRequest: PageRequest {}
extension ListFavouritesResponse: Page {
    mutating func append(_ page: ListFavouritesResponse) { favourites += page.favourites }
}
