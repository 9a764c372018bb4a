import AVFoundation
import Foundation
import TuttiSystemIO

/// The outside world of a scan; tests replace it.
struct ScanEnvironment: Sendable {
    /// Reads a sound file.
    var read: @Sendable (String) throws(AVError) -> SoundFacts = { path throws(AVError) in
        try SoundFacts(reading: path)
    }
    /// The Unix time in seconds.
    var time: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    /// The most pages of the database; `nil` for no limit but the disk's.
    var pageLimit: Int?
    /// The time after which a scan that failed is tried again, such as one that found the disk full.
    var retryDelay = Duration.seconds(60)
    /// Called on the scan's thread after each scan, successful or not.
    var didScan: @Sendable () -> Void = {}
}

/// The background scan: a thread of low priority, and the ways to it. Thread-safe.
final class LibraryScanner: Sendable {
    let requests: ScanRequests
    let publisher: StatePublisher
    private let configuration: LibraryConfiguration
    private let reader: LibraryReader
    private let environment: ScanEnvironment

    init(
        _ configuration: LibraryConfiguration, requests: ScanRequests, state: LibraryState,
        reader: LibraryReader, environment: ScanEnvironment
    ) {
        (self.configuration, self.requests) = (configuration, requests)
        (self.reader, self.environment) = (reader, environment)
        publisher = StatePublisher(state)
    }

    func start() throws(LibraryError) {
        do {
            // The closure keeps nothing of the library's, so that the library's release ends the thread.
            try RealtimeThread.start(name: "tutti-library", priority: 0) {
                [configuration, requests, publisher, reader, environment] _ in
                Self.lowerPriority()
                let worker = ScanWorker(
                    configuration, requests: requests, publisher: publisher, environment: environment
                ) { reader.replaceIndex(isOpen: $0) }
                worker.run()
            }
        } catch {
            throw LibraryError(.unavailable, "The library cannot start its scan (\(error)).")
        }
    }

    func close() {
        requests.stop()
        publisher.finish()
    }

    /// Lets all other threads of the machine go first. On Linux, 0 means the calling thread.
    private static func lowerPriority() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
}
