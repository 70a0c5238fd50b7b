import Accounts
import PinContracts
import Daemon
import EventLoops
import FieldRules
import Geo
import NearRows
import RPC
import Requests
import Storage
import Stores
import Wire

/// Answers calls about posts.
struct PostHandler: PostServiceHandler {
    /// How many of the last ones are listed.
    private static let listed = 100

    let database: Database
    let clock: WallClock
    /// Searches for posts around a point.
    let near: NearSearch

    /// - Parameter verifyRate: compares one in so many searches with the database's; 0 for none.
    init(_ database: Database, clock: WallClock, verifyRate: Int = 0, log: Log? = nil) {
        self.database = database
        self.clock = clock
        near = NearSearch(NearPosts(), database, verifyRate: verifyRate, log: log)
    }

    func listPosts(_ request: ListPostsRequest, _ context: CallContext) async throws -> ListPostsResponse {
        let account = try context.account
        let posts = try await read(context) { transaction throws(SQLError) in
            try transaction.posts(limit: Self.listed)
        }
        return ListPostsResponse(posts: posts.map { PinContracts.Post($0, for: account) })
    }

    func postsNear(
        _ request: PostsNearRequest, _ context: CallContext
    ) async throws -> Packed<PostsNearResponse> {
        let (account, start) = (try context.account, MonotonicTime.now)
        let query = try NearQuery(centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        let found = try await StoreError.converting("posts") { () async throws(SQLError) in
            try await near.near(query, for: account, deadline: context.storageDeadline)
        }
        return found.packed(explains: request.explain, since: start, context) {
            PostsNearResponse(truncated: $0, explanation: $1)
        }
    }

    func createPost(_ request: CreatePostRequest, _ context: CallContext) async throws -> CreatePostResponse {
        let account = try context.ownAccount
        let position = try Geo.Coordinate(request.position, field: "position")
        let place = FieldText.line(request.place)
        let link = try PostLink(request.link)
        let change = try Change(request.requestId, request, context, clock: clock)
        let (id, now) = (Post.newID(), clock.unixMilliseconds)
        return try await database.make(change, of: "posts", .subject(account), deadline: context.storageDeadline) {
            transaction throws(SQLError) -> Result<CreatePostResponse, NotPosted> in
            guard let author = try transaction.personName(of: account) else { return .failure(.noAccount) }
            if author.isEmpty { return .failure(.noName) }
            let known = try transaction.post(of: account)
            if known != nil, !request.overwrite { return .failure(.exists) }
            let post = Post(
                id: known?.id ?? id, account: account, author: author, place: place, link: link.url,
                position: position, updatedMilliseconds: now)
            try transaction.putPost(post)
            return .success(CreatePostResponse(post: PinContracts.Post(post, for: account)))
        }
    }

    func deletePost(_ request: DeletePostRequest, _ context: CallContext) async throws -> DeletePostResponse {
        let account = try context.ownAccount
        let wasThere = try await write(context) { transaction throws(SQLError) in
            try transaction.deletePost(of: account)
        }
        return DeletePostResponse(deleted: wasThere)
    }

    func removePost(_ request: RemovePostRequest, _ context: CallContext) async throws -> RemovePostResponse {
        _ = try context.ownAccount
        let wasThere = try await write(context) { transaction throws(SQLError) in
            try transaction.deletePost(request.id)
        }
        return RemovePostResponse(removed: wasThere)
    }

    private func read<Value: Sendable>(
        _ context: CallContext, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("posts") { () async throws(SQLError) in
            try await database.read(deadline: context.storageDeadline, body)
        }
    }

    private func write<Value: Sendable>(
        _ context: CallContext, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("posts") { () async throws(SQLError) in
            try await database.write(.statements, deadline: context.storageDeadline, body)
        }
    }
}

/// Why nothing was posted.
enum NotPosted: Error, RPCErrorConvertible {
    case noAccount, noName, exists

    var rpcError: RPCError {
        switch self {
        case .noAccount: RPCError(.failedPrecondition, "only an account can post: sign up or log in first")
        case .noName:
            RPCError(.failedPrecondition, "a post shows its author's name, and yours is empty; set it in your profile")
        case .exists:
            RPCError(.alreadyExists, "overwrite: you have a post already; with overwrite it is replaced")
        }
    }
}
