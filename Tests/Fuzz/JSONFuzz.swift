// A libFuzzer target, built by script/fuzz with what turns JSON into messages: Sources/Messages/WireJSON, with yajl and
// protobuf-c behind it.
//
// The first byte of an input says which message the rest is, as JSON and also packed. What must hold: nothing crashes,
// and what was said of a message says the same of what it is read as.

import ProtoSchema

private let json = WireJSON()
private let names = Schema.embedded.messages.keys.sorted()
private let budget = 1 << 20

/// What a message says when it is read back, which is what was said of it.
private func check(_ packed: [UInt8], _ name: String) {
    guard let said = try? json.json(packed: packed, of: name, budget: budget) else { return }
    guard let again = try? json.pack(json: said, as: name, budget: 4 * budget) else {
        preconditionFailure("its own JSON is refused: \(String(decoding: said, as: UTF8.self))")
    }
    precondition((try? json.json(packed: again, of: name, budget: 4 * budget)) == said, "something else was said")
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let name = names[Int(input[0]) % names.count]
    let rest = Array(input.dropFirst())
    check(rest, name)
    guard let packed = try? json.pack(json: rest, as: name, budget: budget) else { return 0 }
    precondition((try? json.json(packed: packed, of: name, budget: 4 * budget)) != nil, "what was read can't be said")
    check(packed, name)
    return 0
}
