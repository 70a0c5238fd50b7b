import Crypto

/// Seals secrets that a service stores, under a key that follows from the deployment's.
package struct SecretSeal: Sendable {
    private let key: [UInt8]

    /// - Parameter purpose: what is sealed; seals of other purposes don't open it.
    package init(_ deployment: DeploymentKey, purpose: String) {
        // No signed identity is this text: it is no message of protobuf.
        key = deployment.sign(Array("waymark sealed secrets: \(purpose)".utf8))
    }

    /// Seals a secret. It opens only for the same owner.
    package func seal(_ secret: String, of owner: String) -> [UInt8] {
        SealedBytes.seal(Array(secret.utf8), context: Array(owner.utf8), key: key)
    }

    /// Nil when the deployment's key has changed since, or the bytes have.
    package func open(_ sealed: [UInt8], of owner: String) -> String? {
        SealedBytes.open(sealed, context: Array(owner.utf8), key: key).map { String(decoding: $0, as: UTF8.self) }
    }
}
