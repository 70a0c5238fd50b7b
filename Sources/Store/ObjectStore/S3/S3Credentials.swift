import Bytes
import Files

/// The key that requests to S3 are signed with. Its text never holds the secret, nor does any error.
package struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let keyID: String
    let secret: String

    /// Bytes of a file of credentials.
    private static let fileBytes = 64 << 10

    init(keyID: String, secret: String) {
        self.keyID = keyID
        self.secret = secret
    }

    package var description: String { "credentials" }
    package var debugDescription: String { description }

    /// Reads them from a file, or else from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Reading blocks.
    package init(file: String?, environment: [String: String]) throws(BlobAddressError) {
        if let file {
            self = try Self.read(file)
        } else if let keyID = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"],
            !keyID.isEmpty, !secret.isEmpty
        {
            self.init(keyID: keyID, secret: secret)
        } else {
            throw BlobAddressError(
                "there are no credentials; --blob-credentials names a file, or set AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY")
        }
    }

    private static func read(_ path: String) throws(BlobAddressError) -> S3Credentials {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: fileBytes)
        } catch {
            throw BlobAddressError("\(error)")
        }
        guard let credentials = S3Credentials(text: String(decoding: bytes, as: UTF8.self)) else {
            throw BlobAddressError(
                "\(path) has no credentials; two lines are needed, the access key's id and its secret, or"
                    + " aws_access_key_id = … and aws_secret_access_key = …")
        }
        return credentials
    }

    /// Two lines, or the first two keys of a file as other programs for S3 have it. Nil for anything else.
    init?(text: String) {
        let lines = text.split(atScalars: \.isLineEnd).map({ String($0.trimmed) }).filter {
            !$0.isEmpty && !$0.begins(with: "#") && !$0.begins(with: "[")
        }
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(at: "=", maxSplits: 1).map { String($0.trimmed) }
            if parts.count == 2, fields[parts[0]] == nil { fields[parts[0]] = parts[1] }
        }
        if let keyID = fields["aws_access_key_id"], let secret = fields["aws_secret_access_key"] {
            self.init(keyID: keyID, secret: secret)
        } else if lines.count == 2, !lines.contains(where: { $0.holds(" ") }) {
            self.init(keyID: lines[0], secret: lines[1])
        } else {
            return nil
        }
    }
}
