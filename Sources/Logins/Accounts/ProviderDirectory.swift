import Bytes
import Crypto
package import Daemon
package import LoginProviders
import AccountContracts

/// The login providers of the deployment, and where browsers come back to from them.
package struct ProviderDirectory: Sendable {
    let agents: [ProviderAgent]
    /// Nil: no login can begin in a browser.
    let publicURL: WebOrigin?

    package init(_ agents: [ProviderAgent], publicURL: WebOrigin?) {
        self.agents = agents
        self.publicURL = publicURL
    }

    /// There are none.
    package static let none = ProviderDirectory([], publicURL: nil)

    var names: Set<String> { Set(agents.map(\.config.name)) }
}

/// The random values of one login. What is sent to the provider follows from the browser's secret and the state, under
/// a key of the deployment: nothing of it is stored, and neither of the two alone leads to it.
struct ProviderLoginKeys: Sendable {
    private static let stateLength = 32

    private let provider: String
    private let browser: String
    private let state: String
    private let key: [UInt8]

    /// - Parameter state: that of the redirect; a new one by default.
    init(_ deployment: DeploymentKey, _ provider: String, _ browser: String, state: String? = nil) {
        self.provider = provider
        self.browser = browser
        self.state = state ?? Base64URL.encode(RandomBytes.make(Self.stateLength))
        // No signed identity is this text: it is no message of protobuf.
        key = deployment.sign(Array("waymark logins at providers".utf8))
    }

    var digests: PendingDigests {
        PendingDigests(state: SHA256.digest(Array(state.utf8)), browser: SHA256.digest(Array(browser.utf8)))
    }

    func loginKeys(_ publicURL: WebOrigin) -> LoginKeys {
        LoginKeys(
            state: state, nonce: Base64URL.encode(derived("nonce")), verifierBytes: derived("verifier"),
            redirectURI: "\(publicURL.text)/session/provider/\(provider)/callback")
    }

    private func derived(_ purpose: String) -> [UInt8] {
        // Of digests, which have one length each.
        HMAC.code(of: Array(purpose.utf8) + digests.state + digests.browser, key: key)
    }
}
