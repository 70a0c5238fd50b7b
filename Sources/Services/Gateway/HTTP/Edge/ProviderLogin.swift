import Bytes
import Contracts
import Crypto
import Daemon
import EventLoops
import FoundationEssentials
import HTTP
import RPC
import Wire

/// Logging in with a provider in a browser, which is sent there and comes back. A cookie binds the two ways together:
/// what comes back to another browser begins no session there.
///
/// `GET /session/provider/NAME` begins a login, `POST /session/provider/NAME/link` a link to the account that the
/// browser is logged in to, and `GET /session/provider/NAME/callback` ends either. Each error ends in the map, which
/// has the words for it. `POST /session/provider/NAME/logout` is for the provider's server.
struct ProviderLogin: Sendable {
    private static let plainName = "waymark_login"
    /// Seconds; the pin service waits as long.
    private static let life = 600
    private static let secretLength = 32

    private let client: LoginProviderServiceClient
    private let admission: ClientAdmission
    private let session: SessionCookie
    /// Where browsers come back to; nil: there are no logins with providers.
    private let publicURL: WebOrigin?

    init(
        pins: RPCClient, admission: ClientAdmission, session: SessionCookie, publicURL: WebOrigin?
    ) {
        client = LoginProviderServiceClient(pins)
        self.admission = admission
        self.session = session
        self.publicURL = publicURL
    }

    /// How a login ends, as the map reads it in its address.
    private enum Ending: String {
        case done, linked, denied, unknown, unconfirmed, taken, unproven, away, foreign, busy, elsewhere, failed
    }

    /// A row for each step.
    var routes: [Route] {
        [
            row("/link", "POST") { request, name, caller in await link(request, name, caller) },
            row("/callback", "GET") { request, name, caller in await finish(request, name, caller) },
            row("/logout", "POST") { request, name, caller in await logOut(request, name, caller) },
            row("", "GET") { request, name, caller in await begin(request, name, caller) },
        ]
    }

    private func row(
        _ end: String, _ method: String,
        _ step: @escaping @Sendable (HTTPRequest, _ name: String, Caller) async -> HTTPResponse
    ) -> Route {
        Route(.below("/session/provider/", end: end), [method]) { request, name, caller in
            guard Self.isName(name) else { return Self.nothing }
            var response = await step(request, String(name), caller)
            response.headers.add("Cache-Control", "no-store")
            response.headers.add("Referrer-Policy", "no-referrer")
            return response
        }
    }

    private static let nothing = HTTPResponse(404, .notFound, "there is nothing here")

    /// One that may stand in an address as it is; whether there is such a provider, the pin service knows.
    private static func isName(_ text: Substring) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    private func begin(_ request: HTTPRequest, _ name: String, _ caller: Caller) async -> HTTPResponse {
        // A page of another site could log someone in here, and so out of another account.
        guard ["same-origin", "none", nil].contains(request.headers["sec-fetch-site"]) else {
            return ending(.foreign, name)
        }
        guard isAtPublicURL(request) else { return ending(.elsewhere, name) }
        let secret = Base64URL.encode(RandomBytes.make(Self.secretLength))
        let call = BeginLoginRequest(
            provider: name, browser: secret, device: request.headers["user-agent"].map(SessionCookie.device) ?? "",
            formerSession: session.digest(of: request) ?? [])
        do {
            let answer = try await client.beginLogin(
                call, options(caller, LoginProviderServiceMethods.beginLogin))
            return HTTPResponse(303, headers: [("Location", answer.address), cookie(secret, life: Self.life)])
        } catch {
            let reason = Self.ending(error)
            // Nothing has begun that could be another's: there is no such provider.
            return ending(reason == .foreign ? .failed : reason, name)
        }
    }

    /// The page asks for it, with its own cookie: so no other site can begin a link, and what is in the cookie for the
    /// login can't be a secret that someone else knows.
    private func link(_ request: HTTPRequest, _ name: String, _ caller: Caller) async -> HTTPResponse {
        guard ConnectCodec(request.headers["content-type"], isStream: false) == .json else {
            return .unsupportedMediaType(request, "application/json")
        }
        let secret = Base64URL.encode(RandomBytes.make(Self.secretLength))
        do {
            guard isAtPublicURL(request) else {
                throw RPCError(.failedPrecondition, "this works at \(publicURL?.text ?? "no address") alone")
            }
            let call = BeginLinkRequest(provider: name, browser: secret)
            let answer = try await client.beginLink(call, options(caller, LoginProviderServiceMethods.beginLink))
            let body = try JSONEncoder().encode(["address": answer.address])
            return HTTPResponse(
                200, headers: [("Content-Type", "application/json"), cookie(secret, life: Self.life)],
                body: .bytes(Array(body)))
        } catch {
            return HTTPResponse(RPCError(anyError: error).naming(caller.requestID))
        }
    }

    private func finish(_ request: HTTPRequest, _ name: String, _ caller: Caller) async -> HTTPResponse {
        guard let secret = secret(of: request) else { return ending(.foreign, name) }
        func parameter(_ name: String) -> String { request.query[name] ?? "" }
        // Of two that have one name, another reader could take the other one.
        guard ["state", "code", "iss", "error"].allSatisfy({ request.query.values($0).count <= 1 }) else {
            return ending(.foreign, name)
        }
        // Some providers forget the state where nothing comes of it.
        if parameter("state").isEmpty, parameter("error") == "access_denied" { return ending(.denied, name) }
        let call = FinishLoginRequest(
            provider: name, browser: secret, state: parameter("state"), code: parameter("code"),
            issuer: parameter("iss"), error: String(parameter("error").unicodeScalars.prefix(200)))
        do {
            let answer = try await client.finishLogin(
                call, options(caller, LoginProviderServiceMethods.finishLogin))
            guard let session = answer.session else { return ending(.linked, name) }
            var response = ending(.done, name)
            let header = self.session.header(session.token)
            response.headers.add(header.0, header.1)
            return response
        } catch {
            return ending(Self.ending(error), name)
        }
    }

    /// A person has logged out at the provider, whose server says so (OpenID Connect Back-Channel Logout 1.0, section
    /// 2.5). No cookie counts here.
    private func logOut(_ request: HTTPRequest, _ name: String, _ caller: Caller) async -> HTTPResponse {
        let type = request.headers["content-type"]?.split(at: ";").first?.lowercased()
        guard type == Self.formType else { return .unsupportedMediaType(request, Self.formType) }
        // A token has no character that a form would write in another way.
        let tokens = String(decoding: request.body, as: UTF8.self).split(at: "&")
            .compactMap { $0.after(Self.tokenField) }
        guard tokens.count == 1, let token = tokens.first else {
            return HTTPResponse(400, .invalidArgument, "logout_token: the form has \(tokens.count); one is needed")
        }
        let call = EndProviderSessionsRequest(provider: name, logoutToken: String(token))
        do {
            _ = try await client.endProviderSessions(
                call, options(caller, LoginProviderServiceMethods.endProviderSessions))
            return HTTPResponse(200)
        } catch {
            let error = RPCError(anyError: error).naming(caller.requestID)
            // The standard has this status for all that is wrong with the token.
            return error.code == .unauthenticated
                ? HTTPResponse(400, error.code, error.message) : HTTPResponse(error)
        }
    }

    private static let formType = "application/x-www-form-urlencoded"
    private static let tokenField = "logout_token="

    /// Sends the browser to the map, and forgets the login. Nothing of what was sent here is in that address.
    private func ending(_ ending: Ending, _ name: String) -> HTTPResponse {
        HTTPResponse(
            303, headers: [("Location", "/#/provider/\(name)/\(ending.rawValue)"), cookie("", life: 0)])
    }

    private static func ending(_ error: any Error) -> Ending {
        switch RPCError(anyError: error).code {
        case .permissionDenied: .denied
        case .notFound: .unknown
        case .failedPrecondition: .unconfirmed
        case .alreadyExists: .taken
        case .unauthenticated: .unproven
        case .unavailable, .deadlineExceeded: .away
        case .invalidArgument: .foreign
        case .resourceExhausted: .busy
        default: .failed
        }
    }

    /// The provider sends the browser back there, and the cookie has to be there then.
    private func isAtPublicURL(_ request: HTTPRequest) -> Bool {
        guard let publicURL, case .named(let host) = request.host else { return false }
        return publicURL.text == "http://\(host.text)" || publicURL.text == "https://\(host.text)"
    }

    private func options(_ caller: Caller, _ method: MethodDescriptor) async throws(RPCError) -> CallOptions {
        try await admission.options(try caller.context(method))
    }

    // MARK: the cookie

    private var name: String { session.isSecure ? "__Host-\(Self.plainName)" : Self.plainName }

    /// The provider's site sends the browser back, and the cookie goes along: Lax.
    private func cookie(_ value: String, life: Int) -> (String, String) {
        let secure = session.isSecure ? "; Secure" : ""
        return ("Set-Cookie", "\(name)=\(value); Path=/; Max-Age=\(life); HttpOnly; SameSite=Lax\(secure)")
    }

    private func secret(of request: HTTPRequest) -> String? {
        let values = request.cookies(name)
        // A neighbour of the domain may have set another one.
        guard values.count == 1, let value = values.first, Base64URL.decode(value.utf8)?.count == Self.secretLength
        else { return nil }
        return String(value)
    }
}
