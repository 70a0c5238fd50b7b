import EventLoops
import Wire

extension Channel {
    /// Less than this is chance, and not a slow address.
    private static let shortestPatience: Duration = .milliseconds(1)

    private enum Ending: Sendable {
        case ended(Result<[UInt8], RPCError>)
        case isLate
    }

    /// Whether there is a second address.
    var mayHedge: Bool { pool.onLoop { $0.links.hasSeveral } }

    /// Calls a method that may be repeated, and a second address too when the first is later than usual, if the budget
    /// of retries has one: the first answer counts, and the other call is cancelled ("hedged requests", Dean and
    /// Barroso, The Tail at Scale, 2013).
    func hedged(_ call: Call, _ deadline: MonotonicTime, _ note: CallNote?) async throws(RPCError) -> [UInt8] {
        guard mayHedge else { return try await unary(call, repeatable: true, deadline, note) }
        let start = loop.now
        let answer: [UInt8]
        if let usual = usual[call.method]?.duration {
            let first = note ?? CallNote()
            answer = try await race(call, deadline, first, patience: max(usual, Self.shortestPatience)).get()
        } else {
            answer = try await unary(call, repeatable: true, deadline, note)
        }
        usual[call.method, default: UsualLatency()].add(loop.now.nanoseconds(since: start))
        return answer
    }

    private func race(
        _ call: Call, _ deadline: MonotonicTime, _ note: CallNote, patience: Duration
    ) async -> Result<[UInt8], RPCError> {
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { .ended(await self.attempt(call, deadline, note)) }
            group.addTask { await Self.late(after: patience) }
            var underway = 1
            var failure = RPCError(.cancelled, "the call was cancelled")
            while let ending = await group.next() {
                switch ending {
                case .isLate where note.replica == nil && !Task.isCancelled:
                    // It was not sent yet, so no address is late.
                    group.addTask { await Self.late(after: patience) }
                case .isLate:
                    guard let slot = slotBesideOthers(note), budget.takeRetry(at: loop.now)
                    else { continue }
                    underway += 1
                    group.addTask { .ended(await self.attempt(call, deadline, note, tried: [slot])) }
                case .ended(.success(let answer)):
                    group.cancelAll()
                    return .success(answer)
                case .ended(.failure(let error)):
                    underway -= 1
                    failure = error
                    if underway > 0 { continue }
                    group.cancelAll()
                    return .failure(failure)
                }
            }
            return .failure(failure)
        }
    }

    private static func late(after patience: Duration) async -> Ending {
        try? await Task.sleep(for: patience)
        return .isLate
    }

    /// Where a call was sent, if there is another address.
    private func slotBesideOthers(_ note: CallNote) -> Balancer.Slot? {
        guard let number = note.replica?.number else { return nil }
        return pool.onLoop { pool in
            pool.links.slot(number: number).flatMap { pool.links.hasOther(than: [$0]) ? $0 : nil }
        }
    }

    private func attempt(
        _ call: Call, _ deadline: MonotonicTime, _ note: CallNote, tried: [Balancer.Slot] = []
    ) async -> Result<[UInt8], RPCError> {
        do throws(RPCError) {
            return .success(try await unary(call, repeatable: true, deadline, note, tried: tried))
        } catch {
            return .failure(error)
        }
    }
}
