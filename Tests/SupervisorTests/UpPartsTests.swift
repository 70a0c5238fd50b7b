import TestTools
import Testing

@testable import Supervisor
@testable import Terminal

@Suite("Parts of waymark up")
struct UpPartsTests {
    @Test("the token of a link is the first of the file, without the roles after it")
    func firstToken() throws {
        let folder = TemporaryFolder()
        for (text, token) in [
            ("# the kitchen\n\n  0123456789abcdef user\nfedcba9876543210\n", "0123456789abcdef"),
            ("0123456789abcdef\tadmin user\r\n", "0123456789abcdef"), ("0123456789abcdef", "0123456789abcdef"),
            ("#0123456789abcdef\n", nil), ("", nil),
        ] {
            #expect(try TokenFile.first(try folder.write(text, to: "tokens")) == token)
        }
    }

    @Test("lines come whole, however the bytes arrive", arguments: [1, 2, 3, 7, 100])
    func lines(size: Int) {
        let bytes = Array("first\n\nthird\nrest".utf8)
        var buffer = LineBuffer()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += buffer.append(bytes[start..<min(start + size, bytes.count)]).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #expect(lines == ["first", "", "third"])
    }

    @Test("a line without an end takes no memory without an end")
    func longLine() {
        var buffer = LineBuffer()
        #expect(buffer.append([UInt8](repeating: 0x61, count: LineBuffer.maximumBytes + 1)) == [])
        #expect(buffer.append("\nnext\n".utf8) == [Array("next".utf8)])
    }

    @Test("the ready line is told from anything else")
    func readyLine() {
        let line = #"{"event":"ready","service":"gateway","address":"127.0.0.1:41234","pid":123}"#
        #expect(ReadyLine(line.utf8)?.address == "127.0.0.1:41234")
        #expect(ReadyLine(#"{"event":"starting","address":"x:1"}"#.utf8) == nil)
        #expect(ReadyLine("ready".utf8) == nil)
        #expect(ReadyLine("".utf8) == nil)
    }

    @Test("a wait status tells the exit status or the signal")
    func processEnd() {
        #expect(ProcessEnd(waitStatus: 0) == .exited(0))
        #expect(ProcessEnd(waitStatus: 3 << 8) == .exited(3))
        #expect(ProcessEnd(waitStatus: 9) == .killed(signal: 9))
        #expect(ProcessEnd(waitStatus: 11 | 0x80) == .killed(signal: 11))
        #expect("\(ProcessEnd.killed(signal: 9))" == "signal 9 (Killed)")
    }

    @Test(
        "the data folder follows XDG, then HOME",
        arguments: [
            (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/waymark"), (["HOME": "/h"], "/h/.local/share/waymark"),
            (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/waymark"), ([:], nil),
        ] as [([String: String], String?)])
    func dataFolder(environment: [String: String], path: String?) {
        #expect(UpFolder.standard(environment) == path)
    }

    private func services(pictures: String? = nil, adminPort: UInt16 = 0) throws -> [ServiceProcess] {
        let folder = TemporaryFolder()
        for name in ["places-service", "pin-service", "photo-service", "gateway"] {
            try folder.write("#!/bin/sh\n", to: name, isProgram: true)
        }
        return try UpPlan(
            folder: UpFolder(path: "/d"), programs: ProgramFolder(folder.path), gatewayAddress: "127.0.0.1:7700",
            webAddress: "127.0.0.1:7780", adminPort: adminPort, isOpen: true, isVerbose: false, pictures: pictures
        ).services()
    }

    @Test("whoever calls others starts after them, and is told where they listen")
    func arguments() throws {
        let services = try services()
        #expect(services.map(\.name) == ["places-service", "photo-service", "pin-service", "gateway"])
        #expect(services.map(\.turn) == [0, 0, 1, 2])
        let addresses = ["places-service": "h:1", "pin-service": "h:2", "photo-service": "h:3"]
        let beat = ["--replicate-beat", "/d/replicated"]
        #expect(services[0].arguments([:]) == ["--key-file", "/d/key", "--data", "/d/places"] + beat)
        #expect(services[1].arguments([:]) == ["--key-file", "/d/key", "--data", "/d/photos"] + beat)
        #expect(
            services[2].arguments(addresses) == [
                "--key-file", "/d/key", "--data", "/d/pins", "--replicate-beat", "/d/replicated", "--places", "h:1",
                "--photos", "h:3",
            ])
        #expect(
            services[3].arguments(addresses) == [
                "--key-file", "/d/key", "--data", "/d/gateway", "--open", "--places", "h:1", "--pins", "h:2",
                "--photos", "h:3",
            ])
        #expect(services[3].logPath == "/d/logs/gateway.log")
    }

    @Test("one port for those who run it gives four in a row, and none gives free ones")
    func adminPorts() throws {
        #expect(try services().allSatisfy { $0.admin == "127.0.0.1:0" })
        let ports = try services(adminPort: 7790).map { ($0.name, $0.admin ?? "") }
        #expect(
            Dictionary(uniqueKeysWithValues: ports) == [
                "gateway": "127.0.0.1:7790", "places-service": "127.0.0.1:7791", "pin-service": "127.0.0.1:7792",
                "photo-service": "127.0.0.1:7793",
            ])
    }

    @Test("the photo service alone is told of the folder of pictures")
    func pictures() throws {
        let services = try services(pictures: "/p")
        #expect(services.filter { $0.arguments([:]).contains("--pictures") }.map(\.name) == ["photo-service"])
        let arguments = services[1].arguments([:])
        #expect(arguments.firstIndex(of: "--pictures").map { arguments[$0 + 1] } == "/p")
    }

    @Test("a folder of pictures is named in full, whatever it is called by")
    func pictureFolder() throws {
        let folder = TemporaryFolder()
        let name = folder.path.split(separator: "/").last ?? ""
        #expect(try ReadableFolder("\(folder.path)/../\(name)", flag: "--pictures").path == folder.path)
    }

    @Test("what is no folder of pictures is told with its reason")
    func noPictureFolder() throws {
        let folder = TemporaryFolder()
        let file = try folder.write("", to: "file")
        #expect(throws: CommandFailure("--pictures \(file) is no folder")) {
            try ReadableFolder(file, flag: "--pictures")
        }
        #expect(throws: CommandFailure("--pictures /nowhere/at/all: No such file or directory")) {
            try ReadableFolder("/nowhere/at/all", flag: "--pictures")
        }
    }
}
