import Bytes
import PinContracts
import Crypto
import Geo
import Wire

extension Post {
    static func newID() -> String { Base64URL.encode(RandomBytes.make(16)) }
}

extension PinContracts.Post {
    /// As an account sees it.
    init(_ post: Post, for account: String) {
        self.init(
            id: post.id, author: post.author, place: post.place, link: post.link,
            position: BaseContracts.Coordinate(latitude: post.position.latitude, longitude: post.position.longitude),
            updateTime: TimestampMessage(unixMilliseconds: post.updatedMilliseconds), own: post.account == account)
    }
}
