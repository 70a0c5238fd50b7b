internal import Bytes
internal import Crypto
internal import FoundationEssentials
import Storage

/// What backups are sealed with: a key that was drawn for their place, and lies there sealed by a passphrase.
package struct BackupKey: Sendable {
    /// The name of its file.
    let id: BlobName
    private let bytes: [UInt8]

    /// As it lies in the place. A new passphrase would be another file for the same key.
    private struct File: Codable {
        let waymarkKey: Int
        /// Of Argon2id.
        let salt: [UInt8]
        let sealedKey: [UInt8]
    }

    private static let form = 1
    private static let context = Array("waymark backup key".utf8)

    /// Draws a key, and gives it with its file.
    static func make(_ passphrase: [UInt8]) throws(BackupError) -> (key: BackupKey, file: [UInt8]) {
        let salt = RandomBytes.make(Argon2id.saltLength)
        let bytes = RandomBytes.make(SealedBytes.keyLength)
        let sealed = SealedBytes.seal(bytes, context: context, key: try drawn(passphrase, salt))
        guard let file = try? JSONEncoder().encode(File(waymarkKey: form, salt: salt, sealedKey: sealed)) else {
            throw BackupError("the key of the backups can't be written")
        }
        return (BackupKey(id: BlobName(of: Array(file)), bytes: bytes), Array(file))
    }

    /// Opens a key's file; nil when it was sealed by another passphrase.
    static func open(_ file: [UInt8], _ passphrase: [UInt8]) throws(BackupError) -> BackupKey? {
        guard let stored = try? JSONDecoder().decode(File.self, from: Data(file)) else {
            throw BackupError("the file keys/\(BlobName(of: file)) of the backups can't be read: it is damaged")
        }
        guard stored.waymarkKey == form else {
            throw BackupError("the backups are of a newer version; run a newer waymark")
        }
        guard stored.salt.count == Argon2id.saltLength else {
            throw BackupError("the file keys/\(BlobName(of: file)) of the backups is damaged: its salt is too short")
        }
        let drawn = try drawn(passphrase, stored.salt)
        guard let bytes = SealedBytes.open(stored.sealedKey, context: context, key: drawn),
            bytes.count == SealedBytes.keyLength
        else { return nil }
        return BackupKey(id: BlobName(of: file), bytes: bytes)
    }

    func seal(_ bytes: [UInt8], as what: String) -> [UInt8] {
        SealedBytes.seal(bytes, context: Array(what.utf8), key: self.bytes)
    }

    /// Nil when the bytes are not what was sealed as that.
    func open(_ sealed: [UInt8], as what: String) -> [UInt8]? {
        SealedBytes.open(sealed, context: Array(what.utf8), key: bytes)
    }

    /// A name that says nothing of what it names to those who have not the key.
    func name(of bytes: [UInt8]) -> [UInt8] { HMAC.code(of: bytes, key: self.bytes) }

    private static func drawn(_ passphrase: [UInt8], _ salt: [UInt8]) throws(BackupError) -> [UInt8] {
        guard let key = Argon2id.key(of: passphrase, salt: salt) else {
            throw BackupError("there is no memory to make a key from the passphrase: 64 MiB are needed")
        }
        return key
    }
}
