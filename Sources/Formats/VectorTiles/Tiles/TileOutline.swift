/// Whether bytes are a vector tile, by what holds it together: layers, each with a name, whose parts end where they
/// say. What is in the features is for those who draw it. It looks at each part once, and makes nothing of it.
package enum TileOutline {
    /// A tile of a whole city has some 20 layers and 50,000 features.
    private static let maximumLayers = 200
    private static let maximumFeatures = 400_000

    package static func isTile(_ bytes: [UInt8]) -> Bool {
        var (layers, features) = (0, 0)
        let isWhole = eachField(bytes[...]) { number, content in
            guard number == 3, let layer = content else { return true }
            layers += 1
            var hasName = false
            let isLayer = eachField(layer) { number, content in
                if number == 1, let content { hasName = !content.isEmpty }
                if number == 2 { features += 1 }
                return features <= maximumFeatures
            }
            return isLayer && hasName && layers <= maximumLayers
        }
        return isWhole && layers > 0
    }

    /// Calls `body` with the number of each field, and its bytes if it has a length. False when one is none, or `body`
    /// says so.
    private static func eachField(
        _ message: ArraySlice<UInt8>, _ body: (UInt64, ArraySlice<UInt8>?) -> Bool
    ) -> Bool {
        var rest = message
        while !rest.isEmpty {
            guard let key = Varint.read(&rest), key >= 8 else { return false }
            var content: ArraySlice<UInt8>?
            switch key & 7 {
            case 0: guard Varint.read(&rest) != nil else { return false }
            case 1: guard take(8, &rest) != nil else { return false }
            case 2:
                guard let count = Varint.read(&rest).flatMap(Int.init(exactly:)), let part = take(count, &rest) else {
                    return false
                }
                content = part
            case 5: guard take(4, &rest) != nil else { return false }
            default: return false
            }
            guard body(key >> 3, content) else { return false }
        }
        return true
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        let part = rest.prefix(count)
        rest = rest.dropFirst(count)
        return part
    }
}
