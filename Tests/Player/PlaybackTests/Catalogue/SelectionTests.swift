import AirPlayMessages
import AirPlaySender
import Foundation
import Testing
import TuttiSystemIO

@testable import Playback

@Suite("Several selections of outputs in one program")
struct SelectionTests {
    private let root: RouteCatalogue

    init() {
        var system = MachineDevices.System(machine: SystemMachine())
        system.sinks = { [] }
        system.preferred = { throw RouteError("no device") }
        root = RouteCatalogue(
            memory: nil,
            devices: LocalDevices(
                environment: [:], shared: MachineDevices(system: system, machine: SystemMachine())),
            settingsPath: nil, pairings: SpeakerPairings(), machine: SystemMachine())
        root.setWarningHandler(nil)
    }

    @Test("a choice in one selection leaves the queues of another where they are")
    func apart() {
        let selection = root.makeSelection()
        let (queue, other) = (root.makeQueue(), selection.makeQueue())
        selection.selectNothing()
        #expect(other.route is SilentRoute)
        #expect(queue.route is PacketRoute)
        #expect(root.options.first?.isSelected == true)
        #expect(selection.options.first?.isSelected == false)
    }

    @Test("each selection has displays and buttons of its own")
    func hubs() async {
        let (first, second) = (root.makeSelection(), root.makeSelection())
        #expect(first.nowPlaying !== second.nowPlaying && first.nowPlaying !== root.nowPlaying)
        first.selectNothing()
        // A volume button finds the outputs of its own selection: none.
        let outcome = await first.nowPlaying.send(
            .volumeUp, from: RemoteCommandOrigin(surface: "test", route: nil))
        #expect(outcome == .deviceNotFound)
    }

    @Test("the last selection that uses the clock closes it")
    func clock() {
        let services = root.services
        let first = services.clock(RouteCatalogue.Options(), isNewUser: true)
        let second = services.clock(RouteCatalogue.Options(), isNewUser: true)
        #expect(first === second)
        #expect(services.endClockUse() == nil)
        #expect(services.endClockUse() === first)
        #expect(services.clock(RouteCatalogue.Options(), isNewUser: false) !== first)
    }

    @Test("a selection without speakers lets nothing go, and takes no empty list")
    func empty() async {
        let selection = root.makeSelection()
        await selection.release()
        await selection.setSpeakers([])
        #expect(selection.routing.speakers == nil)
    }

    @Test("a stored speaker becomes the same target again, without its password")
    func references() throws {
        var target = SpeakerTarget(
            name: "Left", addresses: [SocketAddress(IPAddress(192, 0, 2, 7), port: 7000)],
            record: AirPlayTXTRecord([(key: "features", value: "0x1C340445F8A00")]),
            raop: RAOPTXTRecord([(key: "tp", value: "UDP")]), password: "secret")
        (target.id, target.pair) = ("AA:BB", "Pair")
        let reference = try #require(SpeakerReference(target))
        let data = try JSONEncoder().encode(reference)
        #expect(!String(decoding: data, as: UTF8.self).contains("secret"))
        let again = try #require(
            root.target(of: try JSONDecoder().decode(SpeakerReference.self, from: data)))
        #expect(again.addresses == target.addresses && again.id == "AA:BB" && again.pair == "Pair")
        #expect(again.record == target.record && again.raop == target.raop && again.password == nil)
    }

    @Test(
        "a stored speaker without a usable address is ignored",
        arguments: [[], ["kitchen.local:7000"], ["192.0.2.1:notaport"]])
    func badReferences(addresses: [String]) {
        #expect(root.target(of: SpeakerReference(name: "X", id: "x", addresses: addresses)) == nil)
    }
}
