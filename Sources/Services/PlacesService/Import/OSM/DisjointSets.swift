/// Numbers that are put together to sets, of which each is known by its lowest.
struct DisjointSets {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func join(_ a: Int, _ b: Int) {
        let (a, b) = (first(of: a), first(of: b))
        parents[max(a, b)] = min(a, b)
    }

    mutating func first(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }
}
