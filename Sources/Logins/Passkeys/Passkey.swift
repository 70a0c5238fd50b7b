/// A passkey that was just made, to be stored. The caller refuses an id that is stored already.
package struct NewPasskey: Sendable, Equatable {
    /// Bytes of an id.
    package static let longestID = 1023

    package let id: [UInt8]
    /// A COSE_Key, as it was received.
    package let publicKey: [UInt8]
    package let signCount: UInt32
    /// Whether it may ever be copied to other devices; it never changes.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
}

/// What is stored of a passkey, for a login with it.
package struct KnownPasskey: Sendable {
    let publicKey: [UInt8]
    let signCount: UInt32
    let isBackupEligible: Bool

    package init(publicKey: [UInt8], signCount: UInt32, isBackupEligible: Bool) {
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
    }
}

/// A login that was checked, with what is to be stored of it.
package struct PasskeyLogin: Sendable, Equatable {
    package let signCount: UInt32
    package let isBackedUp: Bool
    /// The user proved to the authenticator who they are, by a finger, a face or a PIN.
    package let isVerified: Bool
}
