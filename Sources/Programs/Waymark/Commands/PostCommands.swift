import Arguments
import Contracts
import RPC
import Terminal

/// Where people put themselves on the map: `waymark post …`.
enum PostCommands {
    static let all: [any Command] = [add, list, near, delete, remove]

    private static let add = UnaryCommand(
        changing: CommandSyntax(
            words: ["post", "add"], summary: "put yourself on the map with a link; `waymark geocode` finds the place",
            positionals: Positional.point + [
                Positional(name: "PLACE", summary: "where that is, in words"),
                Positional(name: "LINK", summary: "what the post leads to, with http or https"),
            ], flags: [Flag("overwrite", "in place of the post that you have")],
            examples: ["post add 60.1699 24.9384 'Helsinki, Finland' example.org/me"]),
        request: { arguments, change in
            CreatePostRequest(
                position: try arguments.coordinate(),
                place: arguments.optional(at: 2) ?? "", link: arguments.optional(at: 3) ?? "",
                overwrite: arguments.has("overwrite"), requestId: change.description)
        },
        call: { try await PostServiceClient($0).createPost($1, $2.call) },
        view: { PostTable.lines($0.answer.post.map { [$0] } ?? [], on: $0.sink) })

    private static let list = UnaryCommand(
        CommandSyntax(words: ["post", "list"], summary: "the last 100 posts", examples: ["post list"]),
        request: { _ in ListPostsRequest() },
        call: { try await PostServiceClient($0).listPosts($1, $2.call) },
        view: { lines($0.answer.posts, on: $0.sink) })

    private static let near = UnaryCommand(
        CommandSyntax(
            words: ["post", "near"], summary: "posts around a point, nearest first",
            positionals: Positional.point,
            flags: [
                Flag("radius", "METRES", "0 to 100000; 1000 when not given"),
                Flag("limit", "N", "at most so many, 1 to 200; 20 when not given"),
            ], examples: ["post near 60.1699 24.9384 --radius 5000"]),
        request: { arguments in
            PostsNearRequest(
                centre: try arguments.coordinate(),
                radiusM: try arguments.number("radius"), limit: try arguments.count("limit"))
        },
        call: { try await PostServiceClient($0).postsNear($1, $2.call) },
        view: { lines($0.answer.posts, on: $0.sink) })

    private static let delete = UnaryCommand(
        CommandSyntax(words: ["post", "rm"], summary: "take your post off the map", examples: ["post rm"]),
        request: { _ in DeletePostRequest() },
        call: { try await PostServiceClient($0).deletePost($1, $2.call) },
        view: { [$0.answer.deleted ? "Your post is deleted." : "You have no post."] })

    private static let remove = UnaryCommand(
        CommandSyntax(
            words: ["admin", "remove-post"], summary: "take anyone's post off the map",
            positionals: [Positional(name: "ID", summary: "the post's id; `waymark post list` shows it")],
            examples: ["admin remove-post 1nAq3x…"]),
        request: { RemovePostRequest(id: $0.positionals.first ?? "") },
        call: { try await PostServiceClient($0).removePost($1, $2.call) },
        view: { [$0.answer.removed ? "The post is deleted." : "There is no such post."] })

    private static func lines(_ posts: [Post], on sink: TextSink) -> [String] {
        posts.isEmpty ? ["There is no post."] : PostTable.lines(posts, on: sink)
    }
}
