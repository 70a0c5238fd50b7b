import Settings
import Supervisor
import Terminal

/// What `up` reports: to a person in sentences, to a program a JSON line for each event.
struct UpReport: Sendable {
    let session: Session
    let folder: UpFolder
    /// The folder of pictures; nil when there is none.
    var pictures: String?
    /// Which clients are let in; nil when that is not shown.
    var access: UpAccess?
    /// What browsers are shown; nil for plain HTTP.
    var certificate: UpCertificate?
    /// How browsers reach it by way of a proxy; nil when there is none.
    var publicURL: String?
    /// The networks that are asked; nil when there are none but those that flags name.
    var online: OnlineNetworks?

    private struct Event: Encodable {
        var event: String
        var gateway: String?
        var http: String?
        var services: [String: String]?
        var admin: [String: String]?
        var pids: [String: Int32]?
        var pid: Int32?
        var data: String?
        var pictures: String?
        var tokenFile: String?
        var reachedBy: [String: [String]]?
        var link: String?
        var fingerprint: String?
        var service: String?
        var reason: String?
        var attempt: Int?
        var delayMilliseconds: Int64?
    }

    /// Opens the entrance when all is ready: tells other commands of it, and makes a link that logs a phone in. Nil
    /// when there is none to be made. Blocks.
    func link(_ event: SupervisorEvent) -> String? {
        guard case .ready(let services) = event, let access else { return nil }
        let web = services.first { $0.name == ServiceSettings.gateway.program }?.web
        guard let entrance = UpEntrance(access, web: web, scheme: scheme, publicURL: publicURL) else { return nil }
        do {
            try entrance.write(to: folder)
            return try entrance.makeLink(in: folder, at: LoginLinkCommand.now)
        } catch {
            // Everything else works without.
            session.console.remark("No link that logs a phone in: \(error)")
            return nil
        }
    }

    /// - Parameters:
    ///   - link: logs a browser in once; nil when there is none.
    ///   - processID: this process's own.
    func show(_ event: SupervisorEvent, link: String? = nil, processID: Int32) {
        if session.wantsJSON {
            var event = json(event, processID)
            event.link = link
            // Strings and numbers can always be encoded.
            if let line = try? OneLineJSON.of(event) { session.console.print(line) }
        } else if case .ready(let services) = event {
            readyLines(services, link).forEach(session.console.print)
        } else {
            session.console.remark(sentence(event))
        }
    }

    private func json(_ event: SupervisorEvent, _ processID: Int32) -> Event {
        switch event {
        case .ready(let services):
            let backends = services.filter { $0.name != ServiceSettings.gateway.program }
            return Event(
                event: "ready", gateway: services.first { $0.name == ServiceSettings.gateway.program }?.address,
                http: services.first { $0.name == ServiceSettings.gateway.program }?.webURL(scheme),
                services: Dictionary(backends.map { ($0.shortName, $0.address) }) { first, _ in first },
                admin: Dictionary(services.compactMap { service in service.admin.map { (service.shortName, $0) } }) {
                    first, _ in first
                },
                pids: Dictionary(services.map { ($0.shortName, $0.processID) }) { first, _ in first }, pid: processID,
                data: folder.path, pictures: pictures, tokenFile: access?.tokenFile,
                reachedBy: reachedBy(services), fingerprint: certificate?.fingerprint)
        case .ended(let service, let end, let delay, let attempt):
            return Event(
                event: "ended", service: service.name, reason: "\(end)", attempt: attempt,
                delayMilliseconds: Int64(delay / .milliseconds(1)))
        case .restarted(let service, let attempt):
            return Event(event: "restarted", pid: service.processID, service: service.name, attempt: attempt)
        case .stopping: return Event(event: "stopping")
        }
    }

    /// The addresses at which other machines reach the gateway; nil when none does.
    private func reachedBy(_ services: [ServiceSummary]) -> [String: [String]]? {
        guard access?.isForOthers == true,
            let gateway = services.first(where: { $0.name == ServiceSettings.gateway.program })
        else {
            return nil
        }
        let maps = gateway.web.map { UpAccess.reached($0).map { "\(scheme)://\($0)/" } } ?? []
        return ["map": maps, "gateway": UpAccess.reached(gateway.address)]
    }

    private func readyLines(_ services: [ServiceSummary], _ link: String?) -> [String] {
        let sink = session.console.output
        let gateway = services.first { $0.name == ServiceSettings.gateway.program }
        var table = Table(columns: [.init(title: "", style: .faint), .init(title: "")])
        table.rows = gateway?.webURL(scheme).map { [[.init("map"), .init("\($0)/")]] } ?? []
        table.rows += services.reversed().map { [.init($0.shortName), .init($0.address)] }
        table.rows += services.reversed().compactMap { service in
            service.admin.map { [.init("\(service.shortName) admin"), .init("http://\($0)/metrics")] }
        }
        table.rows += [[.init("data"), .init(folder.path)], [.init("logs"), .init(folder.logs)]]
        if let pictures { table.rows.append([.init("pictures"), .init(pictures)]) }
        let invitation = Invitation(
            gateway?.address ?? "", gateway?.web, access, certificate, publicURL, link: linkLines(link))
        return [Style.green.paint("Waymark is ready.", on: sink), ""]
            + table.lines(on: sink).dropFirst().map { "  \($0)" } + invitation.lines
            + (online?.notice ?? []) + ["Ctrl-C stops it."]
    }

    private var scheme: String { certificate == nil ? "http" : "https" }

    private func linkLines(_ link: String?) -> [String] {
        guard let link else { return [] }
        let isUsual = UpFolder.standard(session.environment) == folder.path
        let another = "waymark login-link" + (isUsual ? "" : " --data \(Invitation.quoted(folder.path))")
        return [""] + LoginLinkView(link: link, sink: session.console.output).lines
            + ["", "Another one: \(another)"]
    }

    private func sentence(_ event: SupervisorEvent) -> String {
        let sink = session.console.messages
        switch event {
        case .ended(let service, let end, let delay, let attempt):
            let line = "\(service.name) ended with \(end); restart \(attempt) in \(Quantity.duration(delay))"
            return Style.yellow.paint(line, on: sink)
        case .restarted(let service, _): return "\(service.name) is back at \(service.address)"
        case .stopping: return "Stopping; Ctrl-C again stops at once."
        case .ready: return ""
        }
    }
}
