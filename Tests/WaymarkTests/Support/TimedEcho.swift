import Fakes
import Contracts
import EventLoops
import RPC
import TestSupport
import Wire

/// One worker that takes a certain time for each call, first come, first served, in real time. A timer that fires late
/// makes no later call late: each call's end follows from the ends before.
struct TimedEcho: EchoServiceFake {
    private let worker: Worker
    /// Is told of each call.
    var onCall: @Sendable () -> Void = {}

    /// `stall` is how long it stands still once, when it has had so many calls.
    init(_ serviceTime: Duration, on loop: EventLoop, stall: (afterCalls: Int, length: Duration)? = nil) {
        worker = Worker(serviceTime, loop, stall)
    }

    func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        onCall()
        await worker.work()
        return EchoResponse(payload: request.payload)
    }

    private actor Worker: TimerOwner {
        private let loop: EventLoop
        private let serviceTime: Duration
        private let stall: (afterCalls: Int, length: Duration)?
        private var free = MonotonicTime(nanoseconds: 0)
        private var waiting: [UInt32: Waiter<Void>] = [:]
        private var calls: UInt32 = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

        init(_ serviceTime: Duration, _ loop: EventLoop, _ stall: (afterCalls: Int, length: Duration)?) {
            self.serviceTime = serviceTime
            self.loop = loop
            self.stall = stall
        }

        func work() async {
            calls += 1
            free = max(free, .now) + serviceTime
            if let stall, stall.afterCalls == Int(calls) { free = free + stall.length }
            await Waiter.suspend { waiter in
                self.waiting[calls] = waiter
                _ = loop.setTimer(free, owner: self, tag: calls)
            }
        }

        nonisolated func timerFired(_ tag: UInt32) {
            assumeIsolated { $0.waiting.removeValue(forKey: tag)?.resume() }
        }
    }
}
