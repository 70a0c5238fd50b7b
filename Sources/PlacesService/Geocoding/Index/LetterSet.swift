/// Which letters a text has, as far as 32 bits can tell. Texts that differ in one letter differ in two bits at most.
struct LetterSet: Equatable {
    let bits: UInt32

    init(bits: UInt32) { self.bits = bits }

    init(_ text: some Sequence<UInt8>) { bits = text.reduce(0) { $0 | 1 << UInt32($1 & 31) } }

    /// At least so many letters were added, left out or changed between the two texts.
    func leastChanges(to other: LetterSet) -> Int { ((bits ^ other.bits).nonzeroBitCount + 1) / 2 }
}
