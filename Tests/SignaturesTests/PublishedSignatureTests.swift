import Bytes
import Testing

@testable import Signatures

/// Examples that the standards give: RFC 7515, appendices A.2 and A.3; RFC 8037, appendix A.4.
struct PublishedSignature: Sendable, CustomTestStringConvertible {
    let source: String
    /// Base64url, as the other texts.
    let parts: [String]
    let message: String
    let signature: String

    var testDescription: String { source }
    var signatureBytes: [UInt8] { Base64URL.decode(signature) ?? [] }

    func key() throws -> PublicKey {
        let parts = try parts.map { try #require(Base64URL.decode($0)) }
        return switch source {
        case "RFC 7515, A.2": try PublicKey(modulus: parts[0], exponent: parts[1])
        case "RFC 7515, A.3": try PublicKey(x: parts[0], y: parts[1])
        default: try PublicKey(ed25519: parts[0])
        }
    }

    private static let joe =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static let all = [
        PublishedSignature(
            source: "RFC 7515, A.2",
            parts: [
                "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
                "AQAB",
            ],
            message: "eyJhbGciOiJSUzI1NiJ9.\(joe)",
            signature:
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
        ),
        PublishedSignature(
            source: "RFC 7515, A.3",
            parts: [
                "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            ],
            message: "eyJhbGciOiJFUzI1NiJ9.\(joe)",
            signature: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"),
        PublishedSignature(
            source: "RFC 8037, A.4", parts: ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            message: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
            signature:
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"),
    ]
}

@Suite("Signatures of the standards")
struct PublishedSignatureTests {
    @Test("is that of its message and key", arguments: PublishedSignature.all)
    func verifies(example: PublishedSignature) throws {
        let key = try example.key()
        #expect(key.isSignature(example.signatureBytes, of: Array(example.message.utf8), ecdsa: .fixedWidth))
    }

    @Test("is of no other message, and of no other key", arguments: PublishedSignature.all)
    func others(example: PublishedSignature) throws {
        let (key, message) = (try example.key(), Array(example.message.utf8))
        #expect(!key.isSignature(example.signatureBytes, of: message + [0], ecdsa: .fixedWidth))
        #expect(!key.isSignature(example.signatureBytes, of: [], ecdsa: .fixedWidth))
        for other in PublishedSignature.all where other.source != example.source {
            let otherKey = try other.key()
            #expect(!otherKey.isSignature(example.signatureBytes, of: message, ecdsa: .fixedWidth))
        }
    }

    @Test("with any bit changed, or cut anywhere, it is none", arguments: PublishedSignature.all)
    func changed(example: PublishedSignature) throws {
        let (key, message) = (try example.key(), Array(example.message.utf8))
        let signature = example.signatureBytes
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!key.isSignature(changed, of: message, ecdsa: .fixedWidth), "byte \(index)")
            #expect(!key.isSignature(Array(signature[..<index]), of: message, ecdsa: .fixedWidth), "\(index) bytes")
        }
        #expect(!key.isSignature(signature + [0], of: message, ecdsa: .fixedWidth))
        #expect(!key.isSignature([0] + signature, of: message, ecdsa: .fixedWidth))
    }
}
