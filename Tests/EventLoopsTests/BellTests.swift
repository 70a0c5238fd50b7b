import EventLoops
import Testing

@Suite("A bell wakes who waits")
struct BellTests {
    @Test("also when it rang between the look and the wait")
    func before() async {
        let bell = Bell()
        let count = bell.count
        bell.ring()
        await bell.wait(after: count)
        #expect(bell.count == count + 1)
    }

    @Test("everybody, and each only once")
    func everybody() async {
        let bell = Bell()
        await withTaskGroup(of: Void.self) { group in
            let count = bell.count
            for _ in 1...10 { group.addTask { await bell.wait(after: count) } }
            bell.ring()
        }
        #expect(bell.count == 1)
    }

    @Test("a task that is cancelled waits no longer, and neither does one whose time is over")
    func leaving() async {
        let bell = Bell()
        let count = bell.count
        let task = Task { await bell.wait(after: count) }
        task.cancel()
        await task.value
        await bell.wait(after: count, timeout: .milliseconds(1))
        #expect(bell.count == count)
    }
}
