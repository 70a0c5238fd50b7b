/// Finds an escape of half a character, such as that of U+D800, without its other half. yajl puts a question mark in
/// its place, and then a name is another one than was sent.
package enum LoneSurrogate {
    package static func isIn(_ json: [UInt8]) -> Bool {
        var index = json.firstIndex(of: UInt8(ascii: "\\"))
        while let backslash = index {
            // Whatever is escaped is passed over, a backslash too.
            var next = backslash + 2
            if let unit = unit(json, at: backslash), (0xd800...0xdfff).contains(unit) {
                guard unit < 0xdc00, let low = self.unit(json, at: backslash + 6), (0xdc00...0xdfff).contains(low)
                else { return true }
                next = backslash + 12
            }
            index = next < json.count ? json[next...].firstIndex(of: UInt8(ascii: "\\")) : nil
        }
        return false
    }

    /// The number of an escape with four hexadecimal digits; nil when there is none.
    private static func unit(_ json: [UInt8], at index: Int) -> Int? {
        guard index + 6 <= json.count, json[index] == UInt8(ascii: "\\"), json[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return Int(String(decoding: json[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
