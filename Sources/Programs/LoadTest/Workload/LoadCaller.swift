import EventLoops
import RPC
import Synchronization

/// Makes a workload's calls, and looks into some of the answers.
package struct LoadCaller: Sendable {
    let workload: Workload
    let transport: any Transport
    /// Keeps some answers for later.
    let samples: AnswerSamples

    package init(workload: Workload, transport: any Transport, samples: AnswerSamples) {
        self.workload = workload
        self.transport = transport
        self.samples = samples
    }

    /// One answer in so many is unpacked to count what is in it: unpacking all would take longer than calling.
    static let countedAnswers = 16

    package func call(_ turn: Int) async -> CallOutcome {
        let request = workload.request(of: turn)
        do {
            let answer = try await transport.call(workload.method, workload.requests[request], turn: turn)
            samples.offer(answer, to: request, turn: turn)
            let branches = try workload.branches?(answer) ?? []
            guard turn % Self.countedAnswers == 0, let things = workload.things else {
                return .answered(things: nil, branches: branches)
            }
            return .answered(things: try things(answer), branches: branches)
        } catch let error as RPCError {
            return .failed(error.code, message: error.message)
        } catch {
            return .failed(.internalError, message: "the answer can't be read: \(error)")
        }
    }

    /// One call whose failure is an error: a load of wrong requests measures nothing.
    package func tryOnce() async throws {
        guard case .failed(let code, let message) = await call(0), code != .resourceExhausted else { return }
        throw RPCError(code, message)
    }
}

/// Answers that are kept to be checked when the load is over.
package final class AnswerSamples: Sendable {
    package struct Sample: Sendable {
        let request: Int
        let answer: [UInt8]
    }

    /// One answer in so many is kept; nil for none.
    let interval: Int?
    private let kept = Mutex<[Sample]>([])

    /// How many are kept at most.
    static let maximum = 500

    package init(interval: Int?) { self.interval = interval }

    func offer(_ answer: [UInt8], to request: Int, turn: Int) {
        guard let interval, turn % interval == 0 else { return }
        kept.withLock { kept in
            if kept.count < Self.maximum { kept.append(Sample(request: request, answer: answer)) }
        }
    }

    package var all: [Sample] { kept.withLock { $0 } }
}
