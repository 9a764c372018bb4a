import AirPlaySender
import Synchronization
import TuttiAudioOutput
import TuttiSystemIO

/// Several zones in one program, each a selection of outputs with its own players: what plays in one room while something
/// else plays in another.
extension RouteCatalogue {
    /// Makes a further selection: a catalogue that shares the search for speakers, their settings and pairings,
    /// the devices of this machine and the clock with this one, and has its own speakers, volumes, events and ``nowPlaying``
    /// hub. One device of this machine plays at most 16 players at once, those of all selections together.
    ///
    /// `AVPlayer(tuttiRoutes:)` makes a player for it. A speaker belongs to one selection at a time, which the
    /// program must ensure. A further selection is not stored as the user's route. Playback begins to be long-form.
    public func makeSelection() -> RouteCatalogue {
        let (owner, machine) = (WeakOwner(), services.machine)
        let hub = NowPlayingHub(machine: machine, routes: { owner.catalogue })
        let selection = RouteCatalogue(
            services: services, devices: devices.makeSelection(), memory: nil, nowPlaying: hub,
            speakers: SpeakerSurface(hub: hub, machine: machine, routes: { owner.catalogue }),
            missingOutput: MissingOutput(machine: machine), notifier: RouteNotifier(machine: machine))
        owner.set(selection)
        selection.setLongForm(true)
        return selection
    }

    /// Returns an output of ``options`` as targets for ``setSpeakers(_:options:)``: two for a stereo pair, one for
    /// any other speaker, and one for a device of this machine, which then plays as a member of a group of this selection.
    ///
    /// Prompts for a password or a PIN as ``choose(_:)`` does.
    ///
    /// - Throws: If the output is not there, or its password is missing.
    public func targets(of id: RouteOption.ID) async throws(RouteError) -> [SpeakerTarget] {
        if let option = devices.options.first(where: { $0.id == id }) {
            return [localTarget(option) { [devices] in try devices.device(id) }]
        }
        return try await chooser.targets(of: id)
    }

    /// Returns one of this machine's outputs as a target of this selection, whether or not it is there.
    ///
    /// - Parameter output: An output as in `tutti outputs`.
    public func target(of output: OutputSpecification) -> SpeakerTarget {
        let option = RouteOption(id: "\(output)", name: "\(output)", kind: .local)
        return localTarget(option) { [devices] in try devices.device(output) }
    }

    private func localTarget(
        _ option: RouteOption, device: @escaping @Sendable () throws -> LocalDevice
    ) -> SpeakerTarget {
        var target = SpeakerTarget(name: option.name, addresses: [])
        target.id = option.id
        target.local = GroupedDevice(machine: services.machine, device: device)
        return target
    }

    /// Makes these the speakers of this selection. Speakers that stay play on without a change, new ones join the running
    /// line, others leave. Returns when the sessions of the leaving speakers are closed, so that another selection may
    /// have them.
    ///
    /// - Parameters:
    ///   - targets: At least one; ``release()`` releases all speakers.
    ///   - options: For a selection that had no speakers before.
    public func setSpeakers(_ targets: [SpeakerTarget], options: Options = Options()) async {
        guard !targets.isEmpty else { return }
        await choices.inTurn { [self] in
            let speakers = targets.map { ChosenSpeaker($0) }
            guard routing.speakers != nil else {
                return chooser.select(speakers, options: options, fallsBack: false)
            }
            members.setVolumes(ofNew: targets)
            await withCheckedContinuation { continuation in
                members.regroup(speakers) { continuation.resume() }
            }
        }
    }

    /// Releases all speakers of this selection, and returns when their sessions are closed. Time then stands still for
    /// players that are paused, and runs silently for others. The clock stays, for the next ``setSpeakers(_:options:)``.
    public func release() async {
        await choices.inTurn { [self] in
            var old: SpeakerGroup?
            notifier.changeRoute(.chosen) { old = routing.choose(.nothing) }
            await chooser.leave(old)
        }
    }
}

/// A catalogue that has nothing of the program's own machine.
extension RouteCatalogue {
    /// Makes a catalogue with its own ``nowPlaying`` hub. Its local output plays nowhere, in the machine's time; choices,
    /// settings and pairings are not stored.
    ///
    /// - Parameter machine: Time, queues and sockets.
    package convenience init(machine: any Machine) {
        var system = MachineDevices.System(machine: machine)
        system.sinks = { [] }
        system.preferred = { OutputSpecification(.null) }
        let owner = WeakOwner()
        let hub = NowPlayingHub(machine: machine, routes: { owner.catalogue })
        self.init(
            memory: nil,
            devices: LocalDevices(
                environment: [:], shared: MachineDevices(system: system, machine: machine)),
            nowPlaying: hub,
            speakers: SpeakerSurface(hub: hub, machine: machine, routes: { owner.catalogue }),
            settingsPath: nil, pairings: SpeakerPairings(machine: machine), machine: machine)
        owner.set(self)
    }
}

/// A weak reference to a catalogue that is not made yet.
private final class WeakOwner: Sendable {
    private let reference = Mutex(WeakReference<RouteCatalogue>(nil))

    var catalogue: RouteCatalogue? { reference.withLock { $0 }.object }

    func set(_ catalogue: RouteCatalogue) { reference.withLock { $0 = WeakReference(catalogue) } }
}
