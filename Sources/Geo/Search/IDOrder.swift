internal import Glibc

/// The order of ids: by bytes, a prefix before what it begins.
enum IDOrder {
    static func isAscending(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        unsafe compare(a, b) < 0
    }

    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let common = min(a.count, b.count)
        if common > 0, let a = a.baseAddress, let b = b.baseAddress {
            let order = unsafe memcmp(a, b, common)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }
}
