// A libFuzzer target, built by script/fuzz with the Swift of all our messages, protobuf-c behind them.
// script/fuzz writes `messageTypes`, the list of them, from the generated code.
//
// The first byte of an input says which message the rest is. What must hold: nothing crashes or takes more memory than
// its budget; what was read is written and read as the same again; its size is known before it is written.

import Wire

private let budget = 1 << 20

private func check<Message: WireMessage>(_: Message.Type, _ bytes: [UInt8]) {
    guard let message = try? Message(packed: bytes, budget: budget) else { return }
    let packed = message.packedBytes()
    precondition(
        packed.count == message.withPacked { $0.byteCount }, "\(Message.protoName) is longer or shorter than it says")
    guard let again = try? Message(packed: packed, budget: 4 * budget) else {
        preconditionFailure("\(Message.protoName) does not read what it has written")
    }
    // Bytes, not values: NaN is no NaN's equal.
    precondition(again.packedBytes() == packed, "\(Message.protoName) writes something else the second time")
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzMessage(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let type: any WireMessage.Type = messageTypes[Int(first) % messageTypes.count]
    check(type, Array(input.dropFirst()))
    return 0
}
