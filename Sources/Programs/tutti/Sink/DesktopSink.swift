import AirPlaySender
import Playback
import Synchronization

/// One `tutti sink` that runs: takes the speakers when sound comes, and lets them go after a minute of
/// silence.
final class DesktopSink: Sendable {
    private enum Event: Sendable {
        case live(LiveEvent)
        case volume(Double)
    }

    private let targets: [SpeakerTarget]
    private let options: RouteCatalogue.Options
    private let source: any LiveSource
    private let report: SinkReport
    private let routes: RouteCatalogue
    private let player: LivePlayer
    private let events: AsyncStream<Event>
    private let tell: AsyncStream<Event>.Continuation
    /// The volumes that outlast the speakers, which leave when it is silent.
    private let volumes: Mutex<SinkVolumes>

    init(
        _ targets: [SpeakerTarget], _ options: RouteCatalogue.Options, source: any LiveSource,
        report: SinkReport
    ) {
        (self.targets, self.options, self.source, self.report) = (targets, options, source, report)
        let (events, tell) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(256))
        (self.events, self.tell) = (events, tell)
        volumes = Mutex(SinkVolumes(targets, common: options.volume))
        routes = RouteCatalogue.shared.makeSelection()
        routes.selectNothing()
        player = LivePlayer(routes: routes) { tell.yield(.live($0)) }
    }

    /// Opens the source.
    func open() throws {
        // Clients of a sound server take long to follow a change of the latency (*observed*, PulseAudio 16.1).
        if let latency = Self.expectedLatency(of: targets) { source.setLatency(latency) }
        try source.open(player) { [tell] in tell.yield(.volume($0)) }
        source.setVolume(volumes.withLock { $0.shown })
    }

    /// Returns the latency that the speakers' announcements promise, in seconds; `nil` without announcements. The first
    /// session shows the true one.
    private static func expectedLatency(of targets: [SpeakerTarget]) -> Double? {
        let known = targets.filter { $0.record != nil }
        guard !known.isEmpty, known.count == targets.count else { return nil }
        return known.map { target in
            ReceiverDescription(airPlay: target.record, raop: target.raop).quirks.liveLatency / .seconds(1)
        }.max()
    }

    /// Carries out what happens, until the end.
    func run() async {
        let speakers = Task { [weak self, routes] in
            for await event in routes.events { self?.show(event) }
        }
        for await event in events {
            switch event {
            case .live(let event): await carryOut(event)
            case .volume(let percent):
                volumes.withLock { $0.setAll(percent) }
                routes.setVolume(percent)
                report.volume(percent)
            }
        }
        speakers.cancel()
    }

    private func carryOut(_ event: LiveEvent) async {
        switch event {
        case .soundArrived:
            let volumes = volumes.withLock { $0 }
            var options = options
            options.volume = volumes.common
            await routes.setSpeakers(volumes.applied(to: targets), options: options)
            player.start()
        case .running:
            source.phaseDidChange()
            report.playing(latency: player.latency)
        case .latency(let seconds):
            source.setLatency(seconds)
            report.latency(seconds)
        case .idle, .halted:
            source.phaseDidChange()
            let counts = player.counts
            report.idle(
                "silences \(counts.silences), jumps \(counts.jumps), dropped \(counts.droppedFrames)")
            await routes.release()
        }
    }

    func close() async {
        await source.close()
        player.stop()
        tell.finish()
        await routes.deselect()
    }

    private func show(_ event: RouteCatalogue.Event) {
        switch event {
        case .speaker(.state(let speaker, .lost(let failure))):
            report.speaker(speaker, "lost", failure.message)
        case .speaker(.state(let speaker, let state)): report.speaker(speaker, "\(state)", nil)
        case .speaker(.warning(let speaker, let code, let message)): report.speaker(speaker, code, message)
        case .volume(let speaker, let percent):
            volumes.withLock { $0.note(percent, of: speaker.id) }
            if let volume = routes.volume { source.setVolume(volume) }
        default: break
        }
    }
}
