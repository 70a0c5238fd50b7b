// A libFuzzer target, built by script/fuzz with Sources/Net/RPC/Frame, which imports nothing and so compiles alone.
//
// The first byte of an input says how the rest is cut before it is fed. What must hold: no input crashes the decoder,
// the cut changes neither frames nor error, frames written anew give the bytes that were read, and what waits for its
// rest is never more than one frame.

private let maximumPayload = 512

/// What a decoder made of a stream.
private struct Outcome: Equatable {
    var frames: [[UInt8]] = []
    var error: FrameError?
    var pendingBytes = 0
}

private func decode(_ bytes: UnsafeRawBufferPointer, pieceBytes: Int) -> Outcome {
    var outcome = Outcome()
    var decoder = FrameDecoder(maximumPayload: maximumPayload)
    var start = 0
    while start < bytes.count, outcome.error == nil {
        let end = min(start + pieceBytes, bytes.count)
        do throws(FrameError) {
            try unsafe decoder.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { header, payload in
                unsafe outcome.frames.append(encode(header, payload))
            }
        } catch {
            outcome.error = error
        }
        start = end
        precondition(outcome.error != nil || decoder.pendingBytes < FrameHeader.byteCount + maximumPayload)
    }
    outcome.pendingBytes = outcome.error == nil ? decoder.pendingBytes : 0
    return outcome
}

private func encode(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) -> [UInt8] {
    var buffer = ByteBuffer()
    unsafe buffer.appendFrame(header, payloadBytes: payload.count) { room in unsafe room.copyMemory(from: payload) }
    return unsafe buffer.withBytes { unsafe Array($0) }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzFrame(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let input = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let stream = unsafe UnsafeRawBufferPointer(rebasing: input[1...])
    let whole = unsafe decode(stream, pieceBytes: stream.count)
    precondition(unsafe decode(stream, pieceBytes: 1 + Int(input[0])) == whole, "the cut changed what was read")
    precondition(unsafe decode(stream, pieceBytes: 1) == whole, "the cut changed what was read")
    let written = whole.frames.joined()
    precondition(unsafe written.elementsEqual(stream.prefix(written.count)), "a frame changed on its way")
    precondition(whole.error != nil || written.count + whole.pendingBytes == stream.count, "bytes were lost")
    return 0
}
