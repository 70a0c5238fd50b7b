/// The way to the next page in a header: `<https://host/path?cursor=abc>; rel="next"`.
enum LinkHeader {
    static func cursor(_ value: String?) -> String? {
        for link in (value ?? "").split(separator: ",") where link.contains("rel=\"next\"") {
            guard let start = link.firstIndex(of: "<"), let end = link[start...].firstIndex(of: ">"),
                let question = link[start..<end].firstIndex(of: "?")
            else { continue }
            for field in link[question..<end].dropFirst().split(separator: "&") where field.hasPrefix("cursor=") {
                let cursor = unescaped(field.dropFirst("cursor=".count))
                return cursor.isEmpty ? nil : cursor
            }
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
