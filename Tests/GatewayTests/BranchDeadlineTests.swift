import Testing

@testable import Gateway

@Suite("P35 a branch's time", .timeLimit(.minutes(3)))
struct BranchDeadlineTests {
    @Test("is the budget when the client waits long or for ever")
    func budget() {
        #expect(BranchDeadline.allowed(budget: .milliseconds(800), clientWaits: nil) == .milliseconds(800))
        #expect(BranchDeadline.allowed(budget: .milliseconds(800), clientWaits: .seconds(30)) == .milliseconds(800))
    }

    @Test("leaves some of a short deadline for composing the answer")
    func shortDeadline() {
        #expect(
            BranchDeadline.allowed(budget: .milliseconds(800), clientWaits: .milliseconds(500)) == .milliseconds(490))
        #expect(BranchDeadline.allowed(budget: .milliseconds(800), clientWaits: .milliseconds(10)) == .milliseconds(9))
    }

    @Test("is never negative", arguments: [Duration.zero, .nanoseconds(1), .nanoseconds(9)])
    func tiny(remaining: Duration) {
        let allowed = BranchDeadline.allowed(budget: .milliseconds(800), clientWaits: remaining)
        #expect(allowed >= .zero && allowed <= remaining)
    }
}
