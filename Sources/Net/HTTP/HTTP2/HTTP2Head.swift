import Bytes

/// The host of a connection's last request, which was checked.
struct KnownHost {
    var text = ""
    var authority: Authority?
}

/// The head of a request of HTTP/2 while its fields arrive, brought to the form that HTTP/1.1 has: a request line and
/// fields. libnghttp2 has checked by RFC 9113, 8.2 and 8.3, that each is allowed where it is.
struct HTTP2Head {
    private var method = ""
    private var target = ""
    private var authority: String?
    private(set) var headers = HTTPFields()
    /// The pieces of a cookie, which a client may send one by one (RFC 9113, 8.2.3).
    private var cookie = ""
    private var bytes = 0
    private var count = 0
    private(set) var refusal: HTTPRefusal?

    /// How many times too long a head may be that is answered; a longer one is not even read to its end.
    private static let absurdity = 4

    /// Takes the next field; false when the head is absurdly long.
    mutating func add(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, longest: Int
    ) -> Bool {
        count += 1
        bytes += name.count + value.count + 4
        guard refusal == nil else {
            return count < Self.absurdity * RequestGate.maximumFields && bytes < Self.absurdity * longest
        }
        guard bytes <= longest else {
            refuse(HTTPRefusal(431, "the request's header fields are too long"))
            return true
        }
        guard count <= RequestGate.maximumFields else {
            refuse(HTTPRefusal(431, "the request has more than \(RequestGate.maximumFields) header fields"))
            return true
        }
        let value = unsafe String(decoding: value, as: UTF8.self).streamSafe
        switch unsafe Name(name) {
        case .method: method = value
        case .path: target = value
        case .authority: authority = value
        case .scheme: break
        case .cookie: cookie += cookie.isEmpty ? value : "; " + value
        case .other(let name): headers.add(name, value)
        }
        return true
    }

    private mutating func refuse(_ reason: HTTPRefusal) {
        refusal = reason
        // Nothing of it is read any more.
        headers = []
        cookie = ""
    }

    private enum Name {
        case method, path, authority, scheme, cookie
        case other(String)

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            let name = unsafe String(decoding: bytes, as: UTF8.self)
            switch name {
            case ":method": self = .method
            case ":path": self = .path
            case ":authority": self = .authority
            case ":scheme": self = .scheme
            case "cookie": self = .cookie
            default: self = .other(name)
            }
        }
    }
}

// MARK: the whole head

extension HTTP2Head {
    /// The head has ended: adds what HTTP/1.1 has as fields, and checks what libnghttp2 does not.
    /// - Parameter known: a host that was checked before; nearly all requests of a connection have the same.
    mutating func end(known: inout KnownHost) {
        guard refusal == nil else { return }
        if !cookie.isEmpty { headers.add("cookie", cookie) }
        let named = headers["host"]
        guard let host = authority ?? named, named == nil || named == host && headers.values("host").count == 1 else {
            return refuse(RequestRules.oneHost)
        }
        if host != known.text || host.isEmpty {
            let authority = Authority(host)
            guard host.isEmpty || authority != nil else { return refuse(RequestRules.oneHost) }
            known = KnownHost(text: host, authority: authority)
        }
        if named == nil { headers.add("host", host) }
        guard method.consists(of: RequestFraming.isToken), !method.isEmpty, !target.isEmpty,
            target.consists(of: RequestFraming.isTarget)
        else { return refuse(RequestRules.unreadableTarget) }
        guard arguments.count <= RequestGate.maximumArguments else {
            return refuse(HTTPRefusal(414, "the request has more than \(RequestGate.maximumArguments) arguments"))
        }
    }

    /// The first line of a request, as HTTP/1.1 has it.
    var line: RequestLine { RequestLine(method: method, target: String(target[..<queryStart])) }

    /// The query's arguments with their escapes, split as libmicrohttpd does.
    var query: HTTPFields {
        var fields = HTTPFields()
        for argument in arguments {
            let end = argument.firstIndex(of: UInt8(ascii: "=")) ?? argument.endIndex
            let value = argument[end...].dropFirst()
            fields.add(Self.text(argument[..<end]), Self.text(value))
        }
        return fields
    }

    /// Bytes of the body, where the head says so.
    var length: Int { headers["content-length"].flatMap { Int($0) } ?? 0 }

    private var queryStart: String.Index { target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex }

    private var arguments: [Substring.UTF8View.SubSequence] {
        if queryStart == target.endIndex { return [] }
        return target.utf8[queryStart...].dropFirst().split(separator: UInt8(ascii: "&"))
    }

    /// In a query a plus is a blank.
    private static func text(_ bytes: Substring.UTF8View.SubSequence) -> String {
        let blank = UInt8(ascii: " ")
        return String(decoding: bytes.map { $0 == UInt8(ascii: "+") ? blank : $0 }, as: UTF8.self)
    }
}
