package import Arguments
import Files

extension Options {
    /// Bytes of a file with a secret.
    private static let longestSecretFile = 4_096

    /// The first line of the file that a flag names; nil when none is given. No error has a part of it. Blocks.
    package func secret(inFile flag: String) throws(OptionError) -> String? {
        guard let path = self[flag], !path.isEmpty else { return nil }
        let bytes: [UInt8]
        do throws(SmallFile.Problem) {
            bytes = try SmallFile.read(path, limit: Self.longestSecretFile)
        } catch {
            throw OptionError("\(flag): \(error)")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, line.allSatisfy({ (0x21..<0x7f).contains($0) }) else {
            throw OptionError("\(flag): the first line of \(path) is no key; visible characters without blanks are")
        }
        return String(decoding: line, as: UTF8.self)
    }
}
