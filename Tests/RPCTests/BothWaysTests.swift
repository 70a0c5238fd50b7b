import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Streams both ways", .timeLimit(.minutes(3)))
struct BothWaysTests {
    @Test("answer each request before the next one is sent")
    func inTurns() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                let count = try await EchoServiceClient(client).echoEach { writer, answers in
                    let reader = answers.makeAsyncIterator()
                    for index in UInt32(0)..<100 {
                        try await writer.write(EchoEachRequest(payload: [UInt8(index)]))
                        #expect(try await reader.next() == EchoEachResponse(payload: [UInt8(index)], index: index))
                    }
                    await writer.finish()
                    #expect(try await reader.next() == nil)
                    return 100
                }
                #expect(count == 100)
            }
        }
    }

    @Test("hold neither side up while the other one is slow")
    func independent() async throws {
        var limits = Limits()
        limits.streamCredit = 2000
        try await TestServer.with(.echo(), limits: limits) { server in
            try await server.withClient(limits: limits) { client in
                try await EchoServiceClient(client).echoEach { writer, answers in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            for _ in 0..<1000 { try await writer.write(EchoEachRequest(payload: [1, 2, 3])) }
                            await writer.finish()
                        }
                        var count = 0
                        for try await _ in answers { count += 1 }
                        #expect(count == 1000)
                        try await group.waitForAll()
                    }
                }
            }
        }
    }

    @Test("a reader that stands still stalls its own call only")
    func stalled() async throws {
        var limits = Limits()
        limits.streamCredit = 1000
        let answered = Tally()
        let service = ScriptedEcho(each: { requests, responses, _ in
            for try await _ in requests {
                try await responses.write(EchoEachResponse(payload: [UInt8](repeating: 1, count: 200)))
                answered.add()
            }
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient(limits: limits) { client in
                let echo = EchoServiceClient(client)
                try await echo.echoEach { writer, _ in
                    // Far fewer than fit the window, so that the handler, not the client, has to wait.
                    for _ in 0..<20 { try await writer.write(EchoEachRequest()) }
                    try await answered.wait(for: 4)
                    for _ in 0..<100 { _ = try await echo.echo(EchoRequest()) }
                    #expect(answered.count <= 1000 / 212 + 2)
                    let other = try await echo.echoEach { writer, answers in
                        try await writer.write(EchoEachRequest())
                        return try await answers.makeAsyncIterator().next()
                    }
                    #expect(other?.payload.count == 200)
                }
            }
        }
    }

    @Test("are cancelled when the caller leaves them")
    func left() async throws {
        let ended = Tally()
        let service = ScriptedEcho(each: { requests, _, _ in
            defer { ended.add() }
            for try await _ in requests {}
            Issue.record("the handler saw an end that the client did not send")
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                try await EchoServiceClient(client).echoEach { writer, _ in
                    try await writer.write(EchoEachRequest())
                }
                try await ended.wait()
                #expect(await eventually { server.server.callsInFlight == 0 })
            }
        }
    }

    @Test("tell the handler's error after the answers that came before it")
    func failing() async throws {
        let service = ScriptedEcho(each: { requests, responses, _ in
            for try await request in requests {
                try await responses.write(EchoEachResponse(payload: request.payload))
                throw RPCError(.dataLoss, "the rest is gone")
            }
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                try await EchoServiceClient(client).echoEach { writer, answers in
                    let reader = answers.makeAsyncIterator()
                    try await writer.write(EchoEachRequest(payload: [5]))
                    #expect(try await reader.next()?.payload == [5])
                    #expect(try await errorOf { try await reader.next() }?.code == .dataLoss)
                    let late = try await errorOf { try await writer.write(EchoEachRequest()) }
                    #expect(late?.code == .cancelled)
                }
            }
        }
    }

    @Test("pass through a server in between, both ways, with their error and their cancellation")
    func forwarded() async throws {
        let ended = Tally()
        let service = ScriptedEcho(each: { requests, responses, _ in
            defer { ended.add() }
            for try await request in requests {
                if request.payload == [0] { throw RPCError(.notFound, "no 0 here") }
                try await responses.write(EchoEachResponse(payload: request.payload))
            }
        })
        try await TestServer.with(.echo(service)) { behind in
            try await behind.withClient { client in
                var router = Router()
                for method in EchoServiceMethods.all { router.forward(method, to: client) }
                try await TestServer.with(router) { server in
                    try await server.withClient { client in
                        let echo = EchoServiceClient(client)
                        let joined = try await echo.echoJoined { writer in
                            for byte in UInt8(1)...3 { try await writer.write(EchoJoinedRequest(payload: [byte])) }
                        }
                        #expect(joined == EchoJoinedResponse(payload: [1, 2, 3], count: 3))
                        try await echo.echoEach { writer, answers in
                            let reader = answers.makeAsyncIterator()
                            try await writer.write(EchoEachRequest(payload: [9]))
                            #expect(try await reader.next()?.payload == [9])
                            await writer.finish()
                            #expect(try await reader.next() == nil)
                        }
                        let error = try await errorOf {
                            try await echo.echoEach { writer, answers in
                                try await writer.write(EchoEachRequest(payload: [0]))
                                for try await _ in answers {}
                            }
                        }
                        #expect(error?.message == "no 0 here")
                        try await ended.wait(for: 2)
                        try await echo.echoEach { writer, answers in
                            try await writer.write(EchoEachRequest(payload: [9]))
                            _ = try await answers.makeAsyncIterator().next()
                        }
                        try await ended.wait(for: 3)
                    }
                }
            }
        }
    }
}
