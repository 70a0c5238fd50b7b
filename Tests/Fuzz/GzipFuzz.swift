// A libFuzzer target, built by script/fuzz with what unpacks bodies: Sources/Formats/Compression, and zlib behind it.
//
// An input is a body that says it is gzip, and also what a body is made of. What must hold: nothing crashes, no more
// comes out than is allowed, and what was packed comes back as it was.

private let limit = 100_000

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzGzip(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if case .bytes(let unpacked) = Gzip.unpack(input, limit: limit) {
        precondition(unpacked.count <= limit, "more came out than is allowed")
    }
    let packed = Gzip.pack(input)
    precondition(Gzip.unpack(packed, limit: count) == .bytes(input), "something else came back")
    if count > 0 { precondition(Gzip.unpack(packed, limit: count - 1) == .tooLong, "more came out than is allowed") }
    precondition(Gzip.unpack(Array(packed.dropLast()), limit: count) == .damaged, "a cut is not seen")
    return 0
}
