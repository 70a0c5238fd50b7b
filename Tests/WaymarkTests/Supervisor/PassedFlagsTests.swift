import Arguments
import Settings
import TestTools
import Testing

@testable import Supervisor
@testable import Waymark

@Suite("D1 Flags of the services that waymark up takes")
struct PassedFlagsTests {
    private func passed(_ arguments: [String]) throws -> [String: [String]] {
        var parser = ArgumentParser(UpCommand.syntax, environment: [:])
        let passed = PassedFlags(try parser.parse(arguments[...]))
        return Dictionary(uniqueKeysWithValues: ServiceSettings.all.map { ($0.name, passed.flags(of: $0)) })
    }

    @Test("every setting of a service is passed to each service that has it and to no other, or up takes no such flag")
    func all() throws {
        for option in ServiceSettings.all.flatMap(\.options) where option.up == .passes {
            // A value may begin with a dash.
            let argument = option.value == nil ? option.flag : "\(option.flag)=-x"
            let have = ServiceSettings.all.filter { service in service.options.contains { $0.flag == option.flag } }
            let expected = Dictionary(
                uniqueKeysWithValues: ServiceSettings.all.map { service in
                    (service.name, have.contains { $0.name == service.name } ? [argument] : [])
                })
            #expect(try passed([argument]) == expected)
        }
    }

    @Test("a setting that several services have is one that they agree about")
    func agreement() {
        for option in ServiceSettings.all.flatMap(\.options) {
            for other in ServiceSettings.all.flatMap(\.options) where other.flag == option.flag {
                #expect(other.up == option.up && (other.value == nil) == (option.value == nil), "\(option.flag)")
            }
        }
    }

    @Test("no flag of up is two things")
    func own() {
        let flags = UpCommand.syntax.flags.map(\.name)
        #expect(Set(flags).count == flags.count)
    }

    @Test("what up is to set is what it sets, and nothing else, but for what it was given to pass on")
    func set() throws {
        let folder = TemporaryFolder()
        for service in ServiceSettings.all { try folder.write("", to: service.program, isProgram: true) }
        let plan = UpPlan(
            folder: UpFolder(path: "\(folder.path)/data"), programs: try ProgramFolder(folder.path),
            gatewayAddress: "127.0.0.1:0", webAddress: "127.0.0.1:0", isOpen: true, isVerbose: false,
            pictures: folder.path, tokenFile: "tokens", certificate: UpCertificate(certificate: "c", key: "k"))
        let addresses = Dictionary(uniqueKeysWithValues: ServiceSettings.all.map { ($0.program, "127.0.0.1:1") })
        for process in try plan.services() {
            let service = try #require(ServiceSettings.all.first { $0.program == process.name })
            let set = process.commandLine(listening: process.address, process.web, process.admin, addresses)
            #expect(
                Set(set.filter { $0.hasPrefix("--") })
                    == Set(service.options.filter { $0.up == .sets }.map(\.flag)), "\(service.name)")
        }
    }

    @Test("--online stands for the networks that need no key, each at its own address unless one is given")
    func online() throws {
        let passed = try passed(["--online", "a@b.example", "--openstreetmap-url=http://mine.example/api"])
        #expect(
            Set(passed["places"] ?? [])
                == [
                    "--openstreetmap-url=http://mine.example/api",
                    "--streetmap-url=https://tiles.openfreemap.org/planet", "--contact=a@b.example",
                ])
        #expect(
            Set(passed["photos"] ?? []) == [
                "--commons-url=https://commons.wikimedia.org/w/api.php",
                "--panoramax-url=https://api.panoramax.xyz/api", "--contact=a@b.example",
            ])
        #expect(passed["pins"] == [] && passed["gateway"] == [])
    }

    @Test("doctor looks at the networks of places and of photos, and at the contact")
    func doctor() {
        let flags = Set(DoctorCommand.syntax.flags.map(\.name))
        #expect(flags.isSuperset(of: ["openstreetmap-url", "commons-url", "wikidata-url", "contact"]))
    }
}
