import Contracts
import Daemon
import EventLoops
import RPC
import Synchronization

/// Which shares and grants still are ones. The pin service knows; what it says counts for half a second, so that one
/// that was ended is closed within a second at every gateway.
final class LiveShares: Sendable {
    private static let life: Duration = .milliseconds(500)
    private static let timeout: Duration = .seconds(5)
    /// How many answers are kept.
    private static let maximumKept = 10_000

    private struct Kept {
        let isLive: Bool
        let asked: MonotonicTime
    }

    private let kept = Mutex<[String: Kept]>([:])
    private let client: ShareLinkServiceClient
    private let grants: GrantCheckServiceClient
    private let signer: IdentitySigner

    init(_ pins: RPCClient, _ signer: IdentitySigner) {
        client = ShareLinkServiceClient(pins)
        grants = GrantCheckServiceClient(pins)
        self.signer = signer
    }

    func isLive(_ id: String) async throws -> Bool {
        let asked = MonotonicTime.now
        if let known = kept.withLock({ $0[id] }), asked.since(known.asked) < Self.life { return known.isLive }
        let isLive = try await client.checkShare(CheckShareRequest(id: id), options).valid
        kept.withLock { kept in
            if kept.count >= Self.maximumKept { kept.removeAll() }
            kept[id] = Kept(isLive: isLive, asked: asked)
        }
        return isLive
    }

    /// Where a link leads to.
    /// - Parameter isPreview: it is not opened by a person, and does not count.
    func open(
        _ token: String, password: String, address: String, isPreview: Bool = false
    ) async throws -> OpenLinkResponse {
        let request = OpenLinkRequest(token: token, password: password, address: address, preview: isPreview)
        return try await client.openLink(request, options)
    }

    /// What an account may see of another's, and how.
    func grant(_ id: String, for account: String) async throws -> CheckGrantResponse {
        try await grants.checkGrant(CheckGrantRequest(id: id), options(for: account))
    }

    /// To ask a service in the name of the account that shares something, or of the one that it is shared with.
    func options(for account: String, timeout: Duration = timeout) -> CallOptions {
        CallOptions(deadline: .now + timeout, signedIdentity: signer.sign(.service("gateway", for: account)))
    }

    /// To ask a service in the gateway's own name.
    var options: CallOptions {
        CallOptions(deadline: .now + Self.timeout, signedIdentity: signer.sign(.service("gateway", for: nil)))
    }
}
