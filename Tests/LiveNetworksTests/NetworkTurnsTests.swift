import Testing

@testable import LiveNetworks

@Suite("P68 Accounts and searches take turns at a network")
struct NetworkTurnsTests {
    /// Who has the next turns, of accounts with so many waiting requests.
    private func order(_ wishes: [(String, Int)]) -> [String] {
        var turns = NetworkTurns()
        var tickets = wishes.flatMap { account, count in (0..<count).map { _ in (account, turns.join(account)) } }
        var order: [String] = []
        while let index = tickets.firstIndex(where: { turns.take($0.1) }) {
            order.append(tickets.remove(at: index).0)
        }
        #expect(tickets.isEmpty)
        return order
    }

    @Test("an account with many wishes has one turn between those of the others")
    func accounts() {
        #expect(order([("ann", 4), ("bo", 1), ("cy", 2)]) == ["ann", "bo", "cy", "ann", "cy", "ann", "ann"])
    }

    @Test("one account's searches go in the order in which they came, and whoever leaves holds up no one")
    func searches() {
        var turns = NetworkTurns()
        let (first, second, other) = (turns.join("ann"), turns.join("ann"), turns.join("bo"))
        let early = [turns.take(second), turns.take(other)]
        #expect(early == [false, false])
        turns.leave(first, "ann")
        let isNext = turns.take(second)
        #expect(isNext)
        // The same search asks on: behind the other account.
        let again = turns.join("ann")
        let order = [turns.take(again), turns.take(other), turns.take(again)]
        #expect(order == [false, true, true])
    }
}
