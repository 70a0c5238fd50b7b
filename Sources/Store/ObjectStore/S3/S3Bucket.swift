import Bytes
import EventLoops
import Glibc
import HTTPClient
import Storage

/// Sends requests for a bucket: signed, and again when it may help.
struct S3Bucket: Sendable {
    let address: S3Address
    let credentials: S3Credentials
    let client: HTTPClient
    let settings: S3Settings
    let health: StoreHealth

    /// Sends a request and gives the answer: one that succeeded, or 404 or 412. All else is an error, after it was
    /// tried as often as it may help.
    func send(_ request: S3Request, tries: Int? = nil) async throws(BlobError) -> HTTPClientResponse {
        try await trying(tries ?? settings.tries) { () async throws(Miss) in
            let sent = http(request)
            let answer = try await asking { () async throws(HTTPClientError) in try await client.send(sent) }
            return try check(answer, request)
        }
    }

    /// Opens an object from a byte on; nil when there is none.
    func open(_ key: String, from start: Int = 0) async throws(BlobError) -> HTTPClientStream? {
        var request = S3Request("GET", key, right: "s3:GetObject")
        if start > 0 { request.headers.append(("Range", "bytes=\(start)-")) }
        let sent = http(request)
        return try await trying(settings.tries) { () async throws(Miss) in
            let stream = try await asking { () async throws(HTTPClientError) in try await client.open(sent) }
            // Some servers answer a part of an object with 200 too, and say which it is.
            let isPart = stream.headers["content-range"]?.begins(with: "bytes \(start)-") ?? false
            if stream.status == 200, start == 0 || isPart { return stream }
            if stream.status == 206, isPart { return stream }
            let rest = try await asking { () async throws(HTTPClientError) in
                try await stream.rest(limit: S3Document.limit)
            }
            let answer = HTTPClientResponse(status: stream.status, headers: stream.headers, body: rest)
            _ = try check(answer, request)
            guard S3Fault(answer).isMissing else {
                throw .final(.failed("the store at \(address.endpoint) gives no part of an object"))
            }
            return nil
        }
    }

    /// Why a try has not succeeded.
    private enum Miss: Error {
        case final(BlobError)
        case passing(BlobError, isReached: Bool)
    }

    private func trying<Value: Sendable>(
        _ tries: Int, _ body: () async throws(Miss) -> Value
    ) async throws(BlobError) -> Value {
        var backoff = Backoff(first: settings.pauses.lowerBound, longest: settings.pauses.upperBound)
        var random = SystemRandomNumberGenerator()
        for attempt in 1... {
            guard health.isOpen else {
                throw .away("the store at \(address.endpoint) could not be reached lately; it is asked again soon")
            }
            do throws(Miss) {
                let value = try await body()
                health.reached()
                return value
            } catch {
                switch error {
                case .final(let error): throw error
                case .passing(let error, let isReached):
                    guard attempt < tries else {
                        if !isReached { health.missed() }
                        throw error
                    }
                }
            }
            guard (try? await Task.sleep(for: backoff.next(using: &random))) != nil else { throw .cancelled }
        }
        throw .cancelled
    }

    /// Runs what goes over the network.
    private func asking<Value: Sendable>(
        _ body: () async throws(HTTPClientError) -> Value
    ) async throws(Miss) -> Value {
        do throws(HTTPClientError) {
            return try await body()
        } catch {
            throw miss(error)
        }
    }

    private func check(
        _ answer: HTTPClientResponse, _ request: S3Request
    ) throws(Miss) -> HTTPClientResponse {
        if (200..<300).contains(answer.status) { return answer }
        let fault = S3Fault(answer)
        if fault.isMissing || fault.status == 412 { return answer }
        let error = fault.error(address, right: request.right, now: Int64(time(nil)))
        throw fault.isPassing ? .passing(error, isReached: true) : .final(error)
    }

    private func miss(_ error: HTTPClientError) -> Miss {
        let store = address.endpoint
        return switch error {
        case .cancelled, .closed: .final(.cancelled)
        case .tls, .unusable:
            .final(.refused("the store at \(store) can't be used (\(error)); correct the endpoint in the address"))
        case .cannotConnect:
            .passing(
                .away("the store at \(store) can't be reached (\(error)); see that it runs, and correct the address"),
                isReached: false)
        case .timedOut, .brokenOff, .tooLong, .malformed:
            .passing(.away("the store at \(store) gives no answer (\(error)); see that it runs"), isReached: false)
        }
    }

    private func http(_ request: S3Request) -> HTTPClientRequest {
        var sent = HTTPClientRequest(
            url: address.url(request.key, request.query),
            headers: request.headers + [("x-amz-content-sha256", request.hash)])
        if request.method != "GET", request.method != "POST" { sent.method = request.method }
        if request.method == "PUT" || request.method == "POST" { sent.body = request.body }
        if request.isSigned {
            sent.signing = RequestSigning(
                keyID: credentials.keyID, secret: credentials.secret, region: address.region, service: "s3")
        }
        sent.maximumBytes = S3Document.limit
        sent.timeout = settings.timeout
        sent.connectTimeout = settings.connectTimeout
        return sent
    }
}
