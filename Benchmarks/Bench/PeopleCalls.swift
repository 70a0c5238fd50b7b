import Arguments
import Contracts
import Crypto
import EventLoops
import RPC
import Synchronization
import Wire

/// Calls with the sessions of many accounts, in turn, through a gateway.
struct PeopleCalls: Sendable {
    static let names = ["get-pin", "list-pins", "pins-near", "bounds", "list-page", "sessions", "events", "log-in"]
    private static let timeout: Duration = .seconds(60)
    /// The list that the bench's rows have, of the profile of open mode.
    private static let list = "00000000-0000-7000-8000-000000000001"

    private struct Person: Sendable {
        /// Empty for the profile of open mode.
        let token: String
        let pins: [String]
    }

    private let people: [Person]
    private let client: RPCClient

    /// `people` has a line for each account: the token of a session, and its pins' ids.
    init(_ client: RPCClient, people path: String) throws(UsageError) {
        people = try BenchFile.rows(path).map { columns in
            Person(token: String(columns[0]), pins: columns.dropFirst().map(String.init))
        }
        guard people.allSatisfy({ !$0.pins.isEmpty }), !people.isEmpty else {
            throw UsageError("\(path) has an account without pins")
        }
        self.client = client
    }

    /// The call of that name. It throws when the answer is not what it must be.
    func call(_ arguments: ParsedArguments) throws -> Cases.Call {
        let (pins, accounts) = (PinServiceClient(client), AccountServiceClient(client))
        switch arguments.name {
        case "get-pin":
            return { turn in
                let (person, id) = pin(turn)
                let answer = try await pins.getPin(GetPinRequest(id: id), options(person))
                if answer.pin?.id != id { throw WrongAnswer("not the pin that was asked for") }
            }
        case "list-pins":
            return { turn in
                let answer = try await pins.listPins(ListPinsRequest(pageSize: 50), options(pin(turn).0))
                if answer.pins.isEmpty { throw WrongAnswer("no pins") }
            }
        case "pins-near":
            return { turn in
                let centre = Coordinate(latitude: -60 + Double(turn % 30) / 10, longitude: -140)
                let request = PinsNearRequest(centre: centre, radiusM: 20_000, limit: 20)
                let answer = try await pins.pinsNear(request, options(pin(turn).0))
                if answer.pins.isEmpty { throw WrongAnswer("no pins") }
            }
        case "bounds":
            return { turn in _ = try await pins.getBounds(GetBoundsRequest(), options(pin(turn).0)) }
        case "list-page":
            // From one end to the other, again and again.
            let (lists, place) = (ListServiceClient(client), PageTurn())
            return { turn in
                let request = ListPinsOfListRequest(id: Self.list, pageToken: place.token.withLock { $0 })
                let answer = try await lists.listPinsOfList(request, options(pin(turn).0))
                if answer.pins.isEmpty { throw WrongAnswer("no pins") }
                place.token.withLock { $0 = answer.nextPageToken }
            }
        case "sessions":
            return { turn in _ = try await accounts.listSessions(ListSessionsRequest(), options(pin(turn).0)) }
        case "events":
            return { turn in
                _ = try await accounts.listSecurityEvents(ListSecurityEventsRequest(), options(pin(turn).0))
            }
        default:
            let password = try arguments.required("password")
            return { turn in
                let request = LogInRequest(email: "account-\(turn % people.count)@example.org", password: password)
                let answer = try await accounts.logIn(request, CallOptions(timeout: Self.timeout))
                if answer.session == nil { throw WrongAnswer("no session") }
            }
        }
    }

    /// Another account each time, and of all its pins in turn.
    private func pin(_ turn: Int) -> (Person, String) {
        let person = people[turn % people.count]
        return (person, person.pins[turn / people.count % person.pins.count])
    }

    private func options(_ person: Person) -> CallOptions {
        var options = CallOptions(timeout: Self.timeout)
        options.token = person.token
        return options
    }
}

/// Where in a list the next page begins.
private final class PageTurn: Sendable {
    let token = Mutex("")
}

/// How many passwords a thread checks that does nothing else.
struct PasswordChecks {
    private let password = Array("a password for the bench".utf8)
    private let hash: String

    init() throws {
        guard let hash = Argon2id.hash(password) else { throw WrongAnswer("there is no memory for a hash") }
        self.hash = hash
    }

    func run(seconds: Double) throws -> Window {
        let (start, before, samples) = (MonotonicTime.now, ProcessorTime.own, Samples())
        let end = start + .seconds(seconds)
        var began = start
        while began < end {
            guard Argon2id.isHash(hash, of: password) else { throw WrongAnswer("the password is not its own") }
            let now = MonotonicTime.now
            samples.add(now.nanoseconds - began.nanoseconds)
            began = now
        }
        // The last one ends behind the end.
        let taken = Double(began.nanoseconds(since: start)) / 1e9
        return samples.window(seconds: taken, (client: ProcessorTime.own - before, server: 0))
    }
}
