import Testing

@testable import RPC

@Suite("When a connection writes")
struct WriteScheduleTests {
    @Test("the first frame of a turn asks for a write and a flush, those after it for nothing")
    func once() {
        var schedule = WriteSchedule()
        var requests = [schedule.collected(processors: 2), schedule.collected(processors: 2)]
        let isWorthIt = schedule.writes()
        #expect(isWorthIt)
        schedule.wrote()
        requests.append(schedule.collected(processors: 2))
        schedule.flushes()
        requests.append(schedule.collected(processors: 2))
        let both = WriteSchedule.Request(write: true, flush: .atTurnEnd)
        #expect(requests == [both, .init(), .init(write: true), both])
    }

    @Test("a peer that shares our processor gets many frames at once in the middle of a turn")
    func sharing() {
        var schedule = WriteSchedule()
        schedule.looked(sharesProcessor: true)
        let first = schedule.collected(processors: 2)
        #expect(first.flush == .atTurnEnd)
        var writes = [schedule.writes()]
        for _ in 1..<WriteSchedule.framesWorthInterrupting { _ = schedule.collected(processors: 2) }
        writes.append(schedule.writes())
        schedule.wrote()
        writes.append(schedule.writes())
        #expect(writes == [false, true, false])
    }

    @Test("on the only processor, a peer there too is written to when the loop is idle")
    func alone() {
        var schedule = WriteSchedule()
        schedule.looked(sharesProcessor: true)
        let request = schedule.collected(processors: 1)
        #expect(request.flush == .whenIdle)
    }

    @Test("where the peer runs is looked at now and then")
    func looks() {
        var schedule = WriteSchedule()
        let looks = (0...2 * WriteSchedule.readsBetweenLooks + 1).map { _ in schedule.readsAndLooks() }
        #expect(looks.count { $0 } == 2)
        #expect(looks.first == true)
    }
}
