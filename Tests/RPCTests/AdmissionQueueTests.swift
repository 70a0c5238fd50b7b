import Budgets
import EventLoops
import Testing

@testable import RPC

@Suite("The queue before a method", .timeLimit(.minutes(3)))
struct AdmissionQueueTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func time(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

    @Test("gives calls in the order in which they came, those aside that left")
    func order() {
        var queue = AdmissionQueue<String>(now: start)
        for (id, name) in ["a", "b", "c"].enumerated() {
            _ = queue.append(name, UInt64(id), time(0), timeout: .seconds(1))
        }
        #expect(queue.remove(1) == "b")
        #expect(queue.remove(1) == nil)
        #expect(queue.next(time(1)) == "a")
        #expect(queue.next(time(1)) == "c")
        #expect(queue.next(time(1)) == nil)
    }

    @Test("gives clients their turn, and refuses the longest waiting first")
    func turns() {
        var queue = AdmissionQueue<String>(now: start)
        let (one, other) = (Sharer(ClientKey("10.0.0.1"), .known), Sharer(ClientKey("10.0.0.2"), .known))
        for (id, name) in ["a0", "a1", "a2"].enumerated() {
            _ = queue.append(name, UInt64(id), time(id), timeout: .seconds(1), for: one)
        }
        _ = queue.append("b", 9, time(9), timeout: .seconds(1), for: other)
        #expect(queue.isHopeless(time(500), latency: .zero, rate: 20, timeout: .seconds(1), for: one.client))
        #expect(!queue.isHopeless(time(500), latency: .zero, rate: 60, timeout: .seconds(1), for: other.client))
        #expect(queue.next(time(10)) == "a0")
        #expect(queue.first?.id == 1)
        let first = queue.removeFirst(time(10))
        #expect(first == "a1")
        #expect(queue.next(time(10)) == "b")
        #expect(queue.next(time(10)) == "a2")
        #expect(queue.isEmpty && queue.first == nil)
    }

    @Test("keeps its order over many calls")
    func many() {
        var queue = AdmissionQueue<Int>(now: start)
        var (appended, taken) = (0, 0)
        for round in 0..<1000 {
            for _ in 0..<round % 7 {
                _ = queue.append(appended, UInt64(appended), time(round), timeout: .seconds(1))
                appended += 1
            }
            for _ in 0..<round % 5 {
                guard let entry = queue.next(time(round)) else { break }
                #expect(entry == taken)
                taken += 1
            }
        }
        #expect(queue.count == appended - taken)
    }

    @Test("lets a burst wait for a quarter of its time, and has less patience once it has not been empty for a while")
    func patience() {
        var queue = AdmissionQueue<Int>(now: start)
        func patience(_ milliseconds: Int, latency: Duration, timeout: Duration = .seconds(1)) -> Duration {
            queue.patience(time(milliseconds), latency: latency, timeout: timeout)
        }
        _ = queue.append(1, 1, time(0), timeout: .seconds(1))
        #expect(patience(50, latency: .milliseconds(5)) == .milliseconds(250))
        #expect(patience(101, latency: .milliseconds(5)) == .milliseconds(100))
        #expect(patience(101, latency: .milliseconds(80)) == .milliseconds(160), "twice what a call takes")
        #expect(patience(101, latency: .seconds(20)) == .milliseconds(500), "half is for the call itself")
        #expect(patience(101, latency: .zero, timeout: .milliseconds(1)) == .milliseconds(10))
        #expect(patience(101, latency: .zero, timeout: .seconds(30)) == .seconds(3))
        _ = queue.next(time(200))
        #expect(patience(250, latency: .milliseconds(5)) == .milliseconds(250), "it was empty just now")
    }

    @Test("knows when its first call has waited for too long")
    func expired() {
        var queue = AdmissionQueue<Int>(now: start)
        #expect(!queue.isExpired(time(1000), latency: .zero))
        _ = queue.append(1, 1, time(0), timeout: .seconds(1))
        _ = queue.append(2, 2, time(140), timeout: .seconds(1))
        #expect(!queue.isExpired(time(100), latency: .zero))
        #expect(queue.isExpired(time(141), latency: .zero))
        _ = queue.next(time(141))
        #expect(!queue.isExpired(time(145), latency: .zero))
    }

    @Test("is hopeless when what is before a call takes longer than it may wait")
    func hopeless() {
        var queue = AdmissionQueue<Int>(now: start)
        for id in 0..<100 { _ = queue.append(id, UInt64(id), time(0), timeout: .seconds(1)) }
        func isHopeless(_ milliseconds: Int, rate: Double) -> Bool {
            queue.isHopeless(time(milliseconds), latency: .milliseconds(5), rate: rate, timeout: .seconds(1))
        }
        #expect(!isHopeless(50, rate: 800), "a burst: 125 ms of 250")
        #expect(isHopeless(500, rate: 800), "125 ms of 100")
        #expect(!isHopeless(500, rate: 0), "nothing is known")
    }
}
