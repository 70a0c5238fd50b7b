import KillPlan

/// The file in which the services find which of them is to die, and when.
///
/// Sendable: the C functions behind it use nothing but atomic words, and the moment is written by one test alone.
final class KillPlanFile: @unchecked Sendable {
    struct NotMapped: Error {
        let path: String
    }

    let path: String
    private let plan: OpaquePointer

    init(path: String) throws {
        self.path = path
        guard let plan = kill_plan_open(path) else { throw NotMapped(path: path) }
        self.plan = plan
    }

    deinit { kill_plan_close(plan) }

    /// Plans a kill in place of the one before, unless that has happened since the last `disarm`.
    func arm(_ kill: PlannedKill) {
        var moment = kill_moment()
        Self.copy(kill.moment.service, to: &moment.service)
        Self.copy(kill.moment.text, to: &moment.text)
        moment.event = kill.moment.event.rawValue
        moment.nth = UInt32(kill.nth)
        moment.is_after = kill.side == .after
        _ = kill_plan_arm(plan, &moment)
    }

    /// Takes back what is planned. Says whether a service had found its moment.
    func disarm() -> Bool { kill_plan_disarm(plan) }

    /// Whether a service has killed itself since the last `disarm`.
    var hasFired: Bool { kill_plan_state(plan) == KILL_FIRED.rawValue }

    /// Who has killed itself.
    var victim: Int32 { kill_plan_victim(plan) }

    /// How many events that fit were seen since the last `arm`.
    var seen: UInt32 { kill_plan_seen(plan) }

    private static func copy<Field>(_ text: String, to field: inout Field) {
        withUnsafeMutableBytes(of: &field) { bytes in
            precondition(text.utf8.count < bytes.count, "\(text) is too long for a plan")
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            bytes.copyBytes(from: text.utf8)
        }
    }
}
