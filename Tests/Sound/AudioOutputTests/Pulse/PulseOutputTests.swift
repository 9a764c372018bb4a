import Foundation
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiAudioOutput

/// Tests with a real server in real time, only on request.
@Suite(
    "PulseOutput", .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["TUTTI_SOUND_TESTS"] != nil && PulseServerProcess.isInstalled),
    .tags(.machine))
struct PulseOutputTests {
    @Test("sinks are listed, the default first")
    func sinks() throws {
        let server = try PulseServerProcess()
        let sinks = try PulseServer.sinks(of: server.address)
        #expect(Set(sinks.map(\.name)) == ["first", "second"])
        #expect(sinks.map(\.isDefault) == [true, false])
        #expect(sinks.first { $0.name == "first" }?.hertz == 48_000)
        #expect(sinks.first { $0.name == "second" }?.hertz == 44_100)
    }

    @Test(
        "the output uses the sink's rate, asks in order, and not after stop", arguments: ["first", "second"])
    func plays(sink: String) throws {
        let server = try PulseServerProcess()
        let output = try PulseOutput(sink: sink, server: server.address)
        #expect(output.format.sampleRate == (sink == "first" ? .hz48000 : .hz44100))
        let source = RampSource(callCount: 100)
        try output.start(source)
        #expect(source.waitForCalls())
        output.stop()
        output.stop()
        let times = source.times
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.frame < $1.frame && $0.playTime < $1.playTime })
        // The play time is ahead of the sink by no more than the buffers.
        #expect(times.allSatisfy { abs($0.rateRatio - 1) < 0.005 })
        #expect(source.times.count == times.count)
        #expect(source.states.isEmpty)
    }

    @Test("a lost server is reported and awaited, and frames continue")
    func reconnects() throws {
        let server = try PulseServerProcess()
        let output = try PulseOutput(sink: "first", server: server.address)
        let source = RampSource(callCount: 10)
        try output.start(source)
        #expect(source.waitForCalls())
        server.stop()
        #expect(source.waitForChange())
        guard case .lost(let reason) = source.states.first else {
            Issue.record("not lost but \(source.states)")
            return
        }
        #expect(reason.hasPrefix("PulseAudio: "))
        try server.start()
        #expect(source.waitForChange())
        #expect(source.states.last == .running)
        output.stop()
        #expect(zip(source.times, source.times.dropFirst()).allSatisfy { $0.frame < $1.frame })
    }

    @Test("a missing sink is reported")
    func missingSink() throws {
        let server = try PulseServerProcess()
        let error = #expect(throws: OutputError.self) {
            try PulseOutput(sink: "attic", server: server.address)
        }
        #expect(
            error?.description == "PulseAudio has no sink attic; 'tutti outputs' lists the sinks")
    }
}

@Suite("PulseServer", .tags(.machine))
struct PulseServerTests {
    @Test("without a server, the error gives advice")
    func none() {
        let error = #expect(throws: OutputError.self) {
            try PulseOutput(server: "unix:/nowhere/socket")
        }
        #expect(
            error?.description.hasPrefix("PulseAudio: Connection refused; is a sound server running") == true)
    }
}
