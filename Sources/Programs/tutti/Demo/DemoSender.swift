import Foundation
import Synchronization

/// A `tutti play` child process with its events and commands.
final class DemoSender: Sendable {
    struct Event: Sendable {
        let name: String
        /// The host time of reading the event, in seconds.
        let time: Double
        let position: Double?
        /// Seconds held by each speaker.
        let ahead: [String: Double]
        let text: String
    }

    let started: Double
    private let process: Mutex<Process>
    private let commands: FileHandle
    /// All events until the process closes its output.
    let events: AsyncStream<Event>

    init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        commands = input.fileHandleForWriting
        let (events, emit) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(4096))
        self.events = events
        started = Self.now
        try process.run()
        self.process = Mutex(process)
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while true {
                let piece = reading.availableData
                if piece.isEmpty { break }
                rest.append(piece)
                while let end = rest.firstIndex(of: 10) {
                    if let event = Self.event(rest[rest.startIndex..<end]) { emit.yield(event) }
                    rest = Data(rest[(end + 1)...])
                }
            }
            emit.finish()
        }
    }

    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    func send(_ command: String) {
        // If the sender has ended, its events show it.
        try? commands.write(contentsOf: Data((command + "\n").utf8))
    }

    /// Blocks until the process ends; returns its exit status.
    func wait() -> Int32 {
        process.withLock { process in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    func terminate() {
        process.withLock { if $0.isRunning { $0.terminate() } }
    }

    private static func event(_ line: Data) -> Event? {
        guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
            let name = object["event"] as? String
        else { return nil }
        var ahead: [String: Double] = [:]
        for (speaker, seconds) in object["ahead"] as? [String: Any] ?? [:] {
            ahead[speaker] = (seconds as? NSNumber)?.doubleValue
        }
        return Event(
            name: name, time: now, position: (object["position"] as? NSNumber)?.doubleValue, ahead: ahead,
            text: object["message"] as? String ?? "")
    }
}
