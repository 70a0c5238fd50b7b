import Bytes
import CCurl
import EventLoops

/// One request on its way, and what came of it so far. Used on its client's loop alone: libcurl calls from within
/// calls of the client's, which are made there.
@safe
final class Transfer {
    /// Bytes of all header lines of an answer, so that endless ones end.
    static let headerBytes = 64 << 10

    let id: UInt64
    let easy: UnsafeMutableRawPointer
    private let fields: UnsafeMutablePointer<curl_slist>?
    private let maximumBytes: Int
    private let progress: TransferProgress?
    /// What is sent as the body of a PUT.
    let upload: UploadBody?
    /// Where the answer goes that is read as it comes; nil for one that is given as a whole.
    let stream: StreamState?
    private var head = ResponseHead()
    private var headerCount = 0
    private var body: [UInt8] = []
    /// Why we ended it ourselves.
    private var refusal: HTTPClientError?
    var waiter: Waiter<Result<HTTPClientResponse, HTTPClientError>>?

    /// - Parameter isStream: whether the answer is read as it comes.
    init(
        _ id: UInt64, _ request: HTTPClientRequest, agent: String, isStream: Bool = false
    ) throws(HTTPClientError) {
        try Self.check(request.headers + [("User-Agent", agent)])
        guard let easy = unsafe curl_easy_init() else { throw .unusable(reason: "there is no memory") }
        self.id = id
        unsafe self.easy = easy
        maximumBytes = request.maximumBytes
        progress = request.progress
        upload = request.method == "PUT" ? UploadBody(request.body ?? []) : nil
        stream = isStream ? StreamState() : nil
        var fields: UnsafeMutablePointer<curl_slist>?
        // Otherwise a long body waits until the server asks for it. What is signed would have it in the signature.
        for line in (request.signing == nil ? ["Expect:"] : []) + request.headers.map({ "\($0.name): \($0.value)" }) {
            unsafe fields = curl_slist_append(fields, line)
        }
        unsafe self.fields = fields
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        let timeout = Int(clamping: max(1, request.timeout.clampedNanoseconds / 1_000_000))
        var code = unsafe Self.prepare(easy, owner, request, agent, fields, timeout)
        if code == CURLE_OK { code = extend(request) }
        guard code == CURLE_OK else { throw .unusable(reason: Self.text(code)) }
    }

    /// To be removed from its client's set before.
    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(fields)
    }

    /// A line's end in a field would begin another one, and the server would see what no one has asked for.
    private static func check(_ fields: [(name: String, value: String)]) throws(HTTPClientError) {
        for (name, value) in fields {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else {
                throw .unusable(reason: "a field has no usable name")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }) else {
                throw .unusable(reason: "the field \(name) has a control character")
            }
        }
    }

    private static func prepare(
        _ easy: UnsafeMutableRawPointer, _ owner: UnsafeMutableRawPointer, _ request: HTTPClientRequest,
        _ agent: String, _ fields: UnsafeMutablePointer<curl_slist>?, _ timeout: Int
    ) -> CURLcode {
        guard let body = request.body, request.method != "PUT" else {
            return unsafe waymark_curl_prepare(
                easy, owner, request.url, agent, fields, nil, 0, timeout, request.redirects, Self.header, Self.data)
        }
        // An empty body is none to libcurl when it has no address.
        return unsafe (body + [0]).withUnsafeBytes { bytes in
            unsafe waymark_curl_prepare(
                easy, owner, request.url, agent, fields, bytes.baseAddress, body.count, timeout, request.redirects,
                Self.header, Self.data)
        }
    }

    /// Sets what few requests have.
    private func extend(_ request: HTTPClientRequest) -> CURLcode {
        var codes: [CURLcode] = []
        if let upload {
            let owner = unsafe Unmanaged.passUnretained(upload).toOpaque()
            unsafe codes.append(
                waymark_curl_upload(easy, owner, upload.count, UploadBody.read, UploadBody.seek))
        } else if let method = request.method {
            unsafe codes.append(waymark_curl_method(easy, method, method == "HEAD" ? 1 : 0))
        }
        if let signing = request.signing {
            let scope = "aws:amz:\(signing.region):\(signing.service)"
            unsafe codes.append(waymark_curl_sign(easy, scope, signing.keyID, signing.secret))
        }
        if let limit = request.connectTimeout {
            unsafe codes.append(
                waymark_curl_connect_within(easy, Int(clamping: max(1, limit.clampedNanoseconds / 1_000_000))))
        }
        if request.isPublicOnly { unsafe codes.append(waymark_curl_public(easy)) }
        if stream != nil {
            unsafe codes.append(
                waymark_curl_stream(easy, Int(clamping: max(1, request.timeout.components.seconds))))
        }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// What has come of it, once libcurl says that it has ended.
    func result(_ code: CURLcode) -> Result<HTTPClientResponse, HTTPClientError> {
        if let refusal { return .failure(refusal) }
        guard code == CURLE_OK else { return .failure(Self.error(code)) }
        let status = unsafe waymark_curl_status(easy)
        return .success(HTTPClientResponse(status: status, headers: head.fields, body: body))
    }

    // MARK: what libcurl calls

    private static let header: curl_write_callback = { bytes, size, count, owner in
        unsafe take(bytes, size, count, owner) { unsafe $0.takeHeader($1) }
    }

    private static let data: curl_write_callback = { bytes, size, count, owner in
        guard let owner = unsafe owner else { return 0 }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
        guard let stream = transfer.stream else {
            return unsafe take(bytes, size, count, owner) { unsafe $0.takeBody($1) }
        }
        guard stream.hasRoom else { return waymark_curl_pause() }
        return unsafe take(bytes, size, count, owner) { _, bytes in
            unsafe stream.take(bytes)
            return true
        }
    }

    /// Gives what came to the transfer; any other number than that of the bytes ends it.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?,
        _ body: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let owner = unsafe owner else { return 0 }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
        let (total, overflow) = size.multipliedReportingOverflow(by: count)
        guard !overflow, unsafe body(transfer, UnsafeRawBufferPointer(start: bytes, count: total)) else {
            // Zero of zero bytes would be all of them.
            return total == 0 ? 1 : 0
        }
        return total
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerCount += line.count
        guard headerCount <= Self.headerBytes else { return refuse("the answer's head", Self.headerBytes) }
        unsafe head.add(String(decoding: line, as: UTF8.self).streamSafe)
        if stream != nil, line.count <= 2 { beginStream() }
        return true
    }

    /// The head is complete, unless it only asked for patience.
    private func beginStream() {
        let status = unsafe waymark_curl_status(easy)
        guard status >= 200, let waiter else { return }
        self.waiter = nil
        waiter.resume(.success(HTTPClientResponse(status: status, headers: head.fields)))
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= maximumBytes - body.count else { return refuse("the answer", maximumBytes) }
        unsafe body.append(contentsOf: bytes)
        if let progress { progress.report(received: body.count, of: head.announcedBytes) }
        return true
    }

    private func refuse(_ what: String, _ limit: Int) -> Bool {
        refusal = .tooLong(what: what, limit: limit)
        return false
    }
}

extension Transfer {
    private static func error(_ code: CURLcode) -> HTTPClientError {
        let reason = text(code)
        return switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect(reason: reason)
        // By the check of a connection's address, before anything was sent.
        case CURLE_ABORTED_BY_CALLBACK: .cannotConnect(reason: "its address is not of the public internet")
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: .brokenOff(reason: reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .tls(reason: reason)
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .unusable(reason: reason)
        default: .malformed(reason: reason)
        }
    }

    /// libcurl's own words.
    static func text(_ code: CURLcode) -> String { unsafe String(cString: curl_easy_strerror(code)) }
}
