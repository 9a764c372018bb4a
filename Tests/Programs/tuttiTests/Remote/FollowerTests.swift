import Foundation
import Testing
import TuttiTestSupport

@testable import tutti

@Suite("Following and asking a service", .tags(.machine))
struct FollowerTests {
    static let head = "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    @Test("a lost connection is told once, and the next one resumes after the last event")
    func resumption() async throws {
        let fake = try FakeService([
            Self.head + "id: a-1\nevent: zone\ndata: 1\n\nevent: depths\ndata: 2\n\n", "", "",
            Self.head + "id: a-2\nevent: zone\ndata: 3\n\n",
        ])
        let service = try RemoteService(host: fake.path, config: nil, environment: [:])
        let steps = Recorder<[ServiceFollower.Step]>([])
        try await ServiceFollower(service: service, pause: { _ in }).run { step in
            steps.update { steps in
                steps.append(step)
                return steps.count < 4
            }
        }
        let found = steps.update { $0 }
        #expect(found.count == 4)
        #expect(found[0] == .event(ServiceEvent(name: "zone", id: "a-1", data: "1")))
        #expect(found[1] == .event(ServiceEvent(name: "depths", id: nil, data: "2")))
        guard case .lost = found[2] else { throw Mistake() }
        #expect(found[3] == .event(ServiceEvent(name: "zone", id: "a-2", data: "3")))
        let requests = fake.requests.update { $0 }
        #expect(!requests[0].contains("Last-Event-ID"))
        #expect(requests.dropFirst().allSatisfy { $0.contains("\r\nLast-Event-ID: a-1\r\n") })
    }

    private struct Mistake: Error {}

    @Test("the first connection must succeed")
    func noService() async throws {
        let service = try RemoteService(host: "/nonexistent/control.sock", config: nil, environment: [:])
        let error = await #expect(throws: RemoteFailure.self) {
            try await ServiceFollower(service: service, pause: { _ in }).run { _ in true }
        }
        #expect(error?.kind == .noService)
    }

    @Test(
        "an answer with an error is a refusal in the house's words; other bytes are no service",
        arguments: [
            (
                "HTTP/1.1 409 C\r\nContent-Length: 26\r\n\r\n{\"detail\":\"Not now, sir.\"}",
                RemoteFailure.Kind.refused, "Not now, sir."
            ),
            ("HTTP/1.1 401 U\r\nContent-Length: 2\r\n\r\n{}", .noAccess, "does not know this user"),
            ("HTTP/1.1 500 U\r\n\r\nOops", .noService, "status 500"),
            ("hello\r\n\r\n", .noService, "is not a Tutti service"),
            ("HTTP/1.1 200 U\r\nContent-Length: 9\r\n\r\n{}", .noService, "is not a Tutti service"),
            ("", .noService, ""),
        ])
    func refusals(answer: String, kind: RemoteFailure.Kind, words: String) async throws {
        let fake = try FakeService([answer])
        let service = try RemoteService(host: fake.path, config: nil, environment: [:])
        let error = await #expect(throws: RemoteFailure.self) { try await service.ask("GET", "/house") }
        #expect(error?.kind == kind)
        #expect(error?.description.contains(words) == true || words.isEmpty)
    }

    @Test("without a name no service is one sentence that says how to start it")
    func noneHere() async throws {
        let environment = ["HOME": "/nonexistent", "TUTTI_WEB_PORT": "1"]
        let service = try RemoteService(host: nil, config: nil, environment: environment)
        let error = await #expect(throws: RemoteFailure.self) { try await service.ask("GET", "/house") }
        #expect(error == .noServiceHere)
        #expect(error?.status == .unavailable)
    }

    @Test("events that wait for a slow reader have a limit of bytes, and room again once they are read")
    func waitingBytes() {
        let waiting = WaitingBytes(limit: 100)
        #expect(waiting.add(60) && !waiting.add(41) && waiting.add(40))
        waiting.remove(60)
        #expect(waiting.add(60) && !waiting.add(1) && !waiting.add(.max))
        let event = ServiceEvent(name: "é", id: "1", data: "abc")
        #expect(event.size == 6 + MemoryLayout<ServiceEvent>.size)
    }
}
