import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// One post in memory.
final class FakePosts: PostServiceFake, Sendable {
    private let post = Mutex<Post?>(nil)

    func createPost(_ request: CreatePostRequest, _ context: CallContext) async throws -> CreatePostResponse {
        try post.withLock { post in
            guard post == nil || request.overwrite else { throw RPCError(.alreadyExists, "overwrite: there is one") }
            post = Post(
                id: "p1", author: "Ann Smith", place: request.place, link: request.link, position: request.position,
                updateTime: TimestampMessage(unixMilliseconds: 1_700_000_000_000), own: true)
            return CreatePostResponse(post: post)
        }
    }

    func listPosts(_ request: ListPostsRequest, _ context: CallContext) async throws -> ListPostsResponse {
        ListPostsResponse(posts: post.withLock { $0.map { [$0] } ?? [] })
    }

    func postsNear(_ request: PostsNearRequest, _ context: CallContext) async throws -> Packed<PostsNearResponse> {
        Packed(PostsNearResponse(posts: request.radiusM == 5 ? [] : post.withLock { $0.map { [$0] } ?? [] }))
    }

    func deletePost(_ request: DeletePostRequest, _ context: CallContext) async throws -> DeletePostResponse {
        DeletePostResponse(deleted: post.withLock { $0.take() } != nil)
    }

    func removePost(_ request: RemovePostRequest, _ context: CallContext) async throws -> RemovePostResponse {
        RemovePostResponse(removed: request.id == "p1")
    }
}
