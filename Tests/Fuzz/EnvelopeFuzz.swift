// A libFuzzer target, built by script/fuzz with ConnectEnvelope.swift, which imports nothing and so compiles alone.
//
// An input is the body of a request for a stream, and also a message. What must hold: nothing crashes, a body that is
// taken is the envelope of its message, and a message comes back out of its envelope.

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEnvelope(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if case .message(let isCompressed) = ConnectEnvelope.content(of: input) {
        let message = ConnectEnvelope.message(of: input)
        precondition(ConnectEnvelope.wrap(message, flags: isCompressed ? 1 : 0) == input, "another envelope was read")
    }
    for flags in [0, ConnectEnvelope.Flag.compressed] {
        let wrapped = ConnectEnvelope.wrap(input, flags: flags)
        let content = ConnectEnvelope.content(of: wrapped)
        precondition(content == .message(isCompressed: flags != 0), "a message in its envelope is none")
        precondition(ConnectEnvelope.message(of: wrapped) == input, "another message came back")
        precondition(ConnectEnvelope.content(of: wrapped.dropLast()) != content, "a cut is not seen")
    }
    return 0
}
