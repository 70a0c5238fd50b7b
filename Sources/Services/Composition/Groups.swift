/// Numbers in groups that are joined.
struct Groups {
    private var groupOf: [Int]
    private var members: [[Int]]

    init(count: Int) {
        groupOf = Array(0..<count)
        members = (0..<count).map { [$0] }
    }

    /// Joins the groups of two numbers when every number of one agrees with every one of the other.
    mutating func join(_ one: Int, _ other: Int, where agree: (Int, Int) -> Bool) {
        let (target, source) = (groupOf[one], groupOf[other])
        guard target != source else { return }
        for these in members[target] { for those in members[source] where !agree(these, those) { return } }
        for number in members[source] { groupOf[number] = target }
        members[target] += members[source]
        members[source] = []
    }

    /// The groups, each in the given order.
    func all(_ isBefore: (Int, Int) -> Bool) -> [[Int]] {
        members.filter { !$0.isEmpty }.map { $0.sorted(by: isBefore) }
    }
}
