import Bytes
import HTTP

extension HTTPRequest {
    /// The values of the cookies of a name, in order (RFC 6265, 5.4). The name has to be what the browser takes it for,
    /// which strips blanks and tabs at its ends and nothing else: one with a blank inside, or with other white space
    /// before it, is one that a neighbour of the domain may set, though it is meant to be taken for `__Host-…`.
    func cookies(_ name: String) -> [Substring] {
        headers.values("cookie").flatMap { $0.split(at: ";") }.compactMap { pair in
            guard let (key, value) = pair.halves(at: "=") else { return nil }
            let front = key.unicodeScalars.drop(while: Self.isBlank)
            guard let last = front.lastIndex(where: { !Self.isBlank($0) }) else { return nil }
            return Substring(front[...last]).isSame(as: name) ? value : nil
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
}
