import Contracts
import Terminal

/// Posts as lines for a person.
enum PostTable {
    static func lines(_ posts: [Post], on sink: TextSink) -> [String] {
        let table = Table(
            columns: [
                .init(title: "AUTHOR", minimum: 8, style: .bold), .init(title: "PLACE", minimum: 10),
                .init(title: "LINK", minimum: 20), .init(title: "TIME", rank: 2), .init(title: "ID", rank: 1),
            ],
            rows: posts.map { post in
                [
                    .init(post.author), .init(post.place), .init(post.link), .init(post.updateTime?.text ?? ""),
                    .init(post.id),
                ]
            })
        return table.lines(on: sink)
    }
}
