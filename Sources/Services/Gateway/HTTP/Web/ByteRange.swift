import Bytes
import HTTP
import RPC

/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// It begins after the end.
    case impossible

    /// The answer with the requested part, or with everything; `body` returns the bytes of a part.
    static func response(
        to request: HTTPRequest, of count: Int, tag: String, _ headers: HTTPFields,
        _ body: (Range<Int>) -> HTTPResponse.Body
    ) -> HTTPResponse {
        switch asked(request, of: count, tag: tag) {
        case .whole: return HTTPResponse(200, headers: headers, body: body(0..<count))
        case .part(let range):
            var headers = headers
            headers.add("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
            return HTTPResponse(206, headers: headers, body: body(range))
        case .impossible:
            var response = HTTPResponse(416, .outOfRange, "the range begins behind the end; there are \(count) bytes")
            response.headers.add("Content-Range", "bytes */\(count)")
            return response
        }
    }

    /// One range is honoured; for several, or one that can't be parsed, everything is sent, as the RFC allows.
    static func asked(_ request: HTTPRequest, of count: Int, tag: String) -> ByteRange {
        guard let text = request.headers["range"], request.method == "GET" else { return .whole }
        if let condition = request.headers["if-range"], condition != tag { return .whole }
        let parts = text.split(at: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return .whole }
        let ends = parts[1].without(" ").split(at: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.isEmpty || number($0) != nil }) else { return .whole }
        switch (number(ends[0]), number(ends[1])) {
        case (nil, nil): return .whole
        // Content-Range can't name a part of an empty file.
        case (nil, let last?): return last == 0 || count == 0 ? .impossible : .part(max(0, count - last)..<count)
        case (let first?, nil): return first < count ? .part(first..<count) : .impossible
        case (let first?, let last?):
            guard first <= last else { return .whole }
            return first < count ? .part(first..<min(count, last + 1)) : .impossible
        }
    }

    /// A number of digits only; one that is too large for any file counts as the largest.
    private static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
        return min(Int(text) ?? Int.max / 2, Int.max / 2)
    }
}
