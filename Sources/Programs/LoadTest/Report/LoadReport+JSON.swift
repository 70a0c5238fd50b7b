import EventLoops
import RPC
import Terminal

extension LoadReport {
    /// The report for a program; all times in milliseconds.
    package func json() throws -> String { try OneLineJSON.of(Answer(self)) }

    private struct Answer: Encodable {
        let method: String
        let target: String
        let requests: String
        let pace: String
        let askedRate: Double?
        let rate: Double
        let concurrency: Int
        let connections: Int
        let warmUpSeconds: Double
        let seconds: Double
        let isCutShort: Bool
        let isValid: Bool
        let doubts: [String]
        let calls: UInt64
        let answered: UInt64
        let unsent: UInt64
        let cutOff: UInt64
        let latency: Latency
        let uncorrected: Latency?
        let errors: [String: Failure]
        let branches: [String: BranchReport]?
        let incomplete: UInt64?
        let hitsPerQuery: Hits?
        let client: Client
        let check: Check?
        let knee: Knee?

        init(_ report: LoadReport) {
            let (plan, tally) = (report.plan, report.tally)
            method = report.method
            target = report.target
            requests = report.requests
            pace = plan.rate == nil ? "closed" : "open"
            askedRate = plan.rate
            rate = tally.rate
            concurrency = plan.outstanding
            connections = report.load.connections
            warmUpSeconds = plan.warmUp / .seconds(1)
            seconds = tally.length / .seconds(1)
            isCutShort = report.isCutShort
            isValid = report.doubts.isEmpty
            doubts = report.doubts.map(\.text)
            calls = tally.latency.count
            answered = tally.answered
            unsent = tally.unsent
            cutOff = tally.cutOff
            latency = Latency(tally.latency)
            uncorrected = report.load.showsUncorrected ? Latency(tally.uncorrected) : nil
            errors = Dictionary(
                uniqueKeysWithValues: tally.failures.map { ($0.key.description, Failure($0.value)) })
            let hasBranches = !tally.branches.isEmpty
            branches =
                hasBranches
                ? Dictionary(uniqueKeysWithValues: tally.branches.map { ($0.name, BranchReport($0)) }) : nil
            incomplete = hasBranches ? tally.incomplete : nil
            hitsPerQuery = tally.things.answers > 0 ? Hits(tally.things) : nil
            client = Client(tally)
            check = report.check.map { Check(against: $0.against, checked: $0.checked, wrong: $0.wrong) }
            knee = report.knee.map { Knee($0, goal: plan.goal) }
        }
    }

    private struct Latency: Encodable {
        let mean: Double
        let min: Double
        let percentiles: [String: Double]

        init(_ histogram: LatencyHistogram) {
            mean = histogram.mean / 1e6
            min = Double(histogram.smallest) / 1e6
            percentiles = Dictionary(
                uniqueKeysWithValues: LoadReport.shares.map {
                    ($0.name, Double(histogram.percentile($0.share)) / 1e6)
                })
        }
    }

    private struct Failure: Encodable {
        let count: UInt64
        let firstMessage: String
        let latency: Latency

        init(_ failures: LoadTally.Failures) {
            count = failures.latency.count
            firstMessage = failures.message
            latency = Latency(failures.latency)
        }
    }

    private struct BranchReport: Encodable {
        let answers: UInt64
        let codes: [String: UInt64]
        let latency: Latency

        init(_ branch: BranchTally) {
            answers = branch.latency.count
            codes = Dictionary(uniqueKeysWithValues: branch.codes.map { ($0.key.description, $0.value) })
            latency = Latency(branch.latency)
        }
    }

    private struct Hits: Encodable {
        let mean: Double
        let min: Int
        let max: Int
        let countedAnswers: Int

        init(_ things: LoadTally.Things) {
            mean = Double(things.sum) / Double(things.answers)
            min = things.least
            max = things.most
            countedAnswers = things.answers
        }
    }

    private struct Client: Encodable {
        let userSeconds: Double
        let systemSeconds: Double
        let shareOfOneCore: Double
        let lateP99: Double

        init(_ tally: LoadTally) {
            userSeconds = tally.processor.user
            systemSeconds = tally.processor.system
            shareOfOneCore = Doubt.share(tally)
            lateP99 = Double(tally.lag.percentile(0.99)) / 1e6
        }
    }

    private struct Check: Encodable {
        let against: String
        let checked: Int
        let wrong: [String]
    }

    private struct Knee: Encodable {
        struct Step: Encodable {
            let rate: Double
            let p99: Double
            let verdict: String
            let isConfirmation: Bool
        }

        let goal: Double?
        let rate: Double?
        let doubt: String?
        let steps: [Step]

        init(_ result: KneeRun.Result, goal: Duration?) {
            self.goal = goal.map { $0 / .milliseconds(1) }
            rate = result.rate
            doubt = result.doubt
            steps = result.probes.map {
                Step(
                    rate: $0.plan.rate ?? 0, p99: Double($0.tally.latency.percentile(0.99)) / 1e6,
                    verdict: $0.verdict.rawValue, isConfirmation: $0.isConfirmation)
            }
        }
    }
}
