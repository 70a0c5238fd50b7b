import AccountContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 making accounts", .timeLimit(.minutes(2)))
struct SignUpTests {
    private static func request(_ email: String, invitation: String = "") -> SignUpRequest {
        SignUpRequest(
            email: email, password: RunningAccounts.password, firstName: " Ann ", lastName: "Smith",
            invitation: invitation)
    }

    @Test("keeps the names, and asks for what is allowed")
    func names() async throws {
        try await RunningAccounts.with { service in
            let session = try await service.accounts.signUp(Self.request("ann@example.org"), service.from()).session
            let account = try #require(session?.account)
            #expect(account.firstName == "Ann" && account.lastName == "Smith")
            let options = service.of(account.id)
            let update = UpdateProfileRequest(firstName: "Anna", lastName: "")
            _ = try await service.accounts.updateProfile(update, options)
            let profile = try await service.accounts.getProfile(GetProfileRequest(), options).account
            #expect(profile?.firstName == "Anna" && profile?.lastName == "" && profile?.email == "ann@example.org")
            for (request, words) in [
                (
                    SignUpRequest(email: "b@b.org", password: "short12"),
                    "password: 7 characters are not allowed; 8 to 200"
                ),
                (SignUpRequest(email: "long@b.org", password: "Long@b.org"), "password: the e-mail address"),
                (
                    SignUpRequest(
                        email: "b@b.org", password: RunningAccounts.password,
                        firstName: String(repeating: "a", count: 101)), "first_name: 101 characters"
                ),
                (
                    SignUpRequest(email: "b@b.org", password: RunningAccounts.password, lastName: "a\u{1b}b"),
                    "last_name: a control character"
                ),
            ] {
                let error = try await errorOf { try await service.accounts.signUp(request, service.from()) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test("for an address that has one is refused, and logs in with its password: an answer may have been lost")
    func again() async throws {
        try await RunningAccounts.with { service in
            let first = try await service.signUp("ann@example.org")
            let again = try await service.signUp("ANN@example.org")
            #expect(first.account?.id == again.account?.id && first.token != again.token)
            let other = SignUpRequest(email: "ann@example.org", password: "another one")
            let error = try await errorOf { try await service.accounts.signUp(other, service.from()) }
            #expect(error?.code == .alreadyExists && error?.message.contains("ann@example.org") == true)
        }
    }

    @Test("at once for one address makes one account")
    func race() async throws {
        try await RunningAccounts.with { service in
            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<6 { group.addTask { try await service.signUp("ann@example.org").account?.id } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
    }

    @Test("by invitation takes a code once; where they are closed, none")
    func invitations() async throws {
        try await RunningAccounts.with(signUp: .invitation) { service in
            let options = try await service.accounts.getAccountOptions(GetAccountOptionsRequest(), service.from())
            #expect(options.signUp == .invitation && options.needsAdministrator)
            let missing = try await errorOf { try await service.signUp("a@example.org") }
            #expect(missing?.message.contains("invitation: it is missing") == true)
            let code = try await service.administration.createInvitation(
                CreateInvitationRequest(), service.ofAdministrator
            ).code
            #expect(code.count == 23)
            let wrong = try await errorOf {
                try await service.accounts.signUp(Self.request("a@example.org", invitation: "ABCDE"), service.from())
            }
            #expect(wrong?.message.contains("invitation: it is not known") == true)
            // As people type it.
            let typed = code.lowercased().replacing("-", with: " ")
            _ = try await service.accounts.signUp(Self.request("a@example.org", invitation: typed), service.from())
            let used = try await errorOf {
                try await service.accounts.signUp(Self.request("b@example.org", invitation: code), service.from())
            }
            #expect(used?.message.contains("invitation: it is not known, was used, or is too old") == true)
        }
        try await RunningAccounts.with(signUp: .closed) { service in
            let error = try await errorOf { try await service.signUp("a@example.org") }
            #expect(error?.code == .failedPrecondition && error?.message.contains("not made here") == true)
        }
    }

    @Test("of an administrator takes the printed code, and nothing else makes one")
    func administrator() async throws {
        try await RunningAccounts.with { service in
            let codes = [
                try #require(try await service.store.administratorCode()),
                try #require(try await service.store.administratorCode()),
            ]
            var request = CreateAdministratorRequest(
                code: "AAAAA-AAAAA-AAAAA-AAAAA", email: "root@example.org", password: RunningAccounts.password,
                takeOverLocal: true)
            let wrong = try await errorOf { try await service.accounts.createAdministrator(request, service.from()) }
            #expect(wrong?.code == .invalidArgument)
            request.code = codes[1]
            let session = try await service.accounts.createAdministrator(request, service.from()).session
            #expect(session?.account?.id == "local" && session?.account?.roles == [.user, .admin])
            #expect(try await service.check(session?.token ?? "")?.roles == [.user, .admin])
            request.code = codes[0]
            request.email = "other@example.org"
            let used = try await errorOf { try await service.accounts.createAdministrator(request, service.from()) }
            #expect(used?.code == .invalidArgument, "the first one ends the others")
            #expect(try await service.store.administratorCode() == nil)
            let options = try await service.accounts.getAccountOptions(GetAccountOptionsRequest(), service.from())
            #expect(!options.needsAdministrator)
        }
    }
}
