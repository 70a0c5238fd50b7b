import Contracts
import Daemon
import FoundationEssentials
import HTTP
import RPC

/// Serves pictures at the URLs in photos. The ticket in the URL is the permission: without one, the answer is 404.
struct PictureHandler: Sendable {
    private let cache: PictureCache
    private let tickets: PictureTickets

    init(_ cache: PictureCache, _ tickets: PictureTickets) {
        self.cache = cache
        self.tickets = tickets
    }

    func respond(to request: HTTPRequest, _ text: Substring, _ caller: Caller) async throws -> HTTPResponse {
        guard let ticket = tickets.check(text) else { return HTTPResponse(404, .notFound, "there is no such picture") }
        return try await respond(to: request, showing: ticket, caller)
    }

    /// - Parameter isShared: each look at it is asked for again, as its share may have ended.
    func respond(
        to request: HTTPRequest, showing ticket: PictureTicket, _ caller: Caller, isShared: Bool = false
    ) async throws -> HTTPResponse {
        let wish = PictureWish(ticket: ticket, allowsWebP: request.headers.acceptsWebP)
        let picture = try await cache.open(wish, requestID: caller.requestID)
        let life = max(0, ticket.expiresUnixS - WallClock.system.unixMilliseconds / 1000)
        return response(to: request, picture, isShared ? "private, no-cache" : "private, max-age=\(life), immutable")
    }

    private func response(to request: HTTPRequest, _ picture: OpenPicture, _ caching: String) -> HTTPResponse {
        let tag = "\"\(picture.sha256)\""
        var headers: HTTPFields = [
            ("ETag", tag), ("Cache-Control", caching), ("Accept-Ranges", "bytes"),
            ("Vary", "Accept"),
            // A picture that is opened as a page can do nothing but be shown.
            ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ]
        if EntityTag.isNamed(tag, by: request.headers["if-none-match"]) { return HTTPResponse(304, headers: headers) }
        headers.add("Content-Type", picture.mediaType)
        return ByteRange.response(to: request, of: picture.byteCount, tag: tag, headers) { picture.part($0) }
    }
}

extension HTTPFields {
    /// Whether WebP is named in Accept: what takes anything may be older than it.
    fileprivate var acceptsWebP: Bool { self["accept"].map { $0.names("image/webp", orAny: nil) } ?? false }
}

extension CachedPictureFile: ServedFile {}

extension OpenPicture {
    /// A part of the picture, from its file or as it arrives.
    fileprivate func part(_ range: Range<Int>) -> HTTPResponse.Body {
        switch body {
        case .file(let file): .file(file, offset: range.lowerBound, count: range.count)
        case .stream(let stream):
            .stream(count: range.count) { writer in try await stream.read(range) { try await writer.write($0) } }
        }
    }
}
