import Foundation
import Testing
import TuttiSystemIO

@testable import AVFoundation
@testable import Playback

@Suite("Preferences and outputs of the audio session")
struct SessionPreferenceTests {
    private let session: AVAudioSession

    init() {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("session-\(UUID().uuidString)")
        let catalogue = RouteCatalogue(
            memory: RouteMemory(environment: ["XDG_STATE_HOME": folder.path], machine: SystemMachine()),
            pairings: SpeakerPairings(), machine: SystemMachine())
        catalogue.selectNothing()
        session = AVAudioSession(catalogue: catalogue)
    }

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do { try body() } catch {
            let error = error as NSError
            return error.domain == NSOSStatusErrorDomain
                && error.code == AVAudioSession.ErrorCode.badParam.rawValue
        }
        return false
    }

    @Test("a rate and a duration are kept as they were set; impossible ones leave them")
    func numbers() throws {
        #expect(session.preferredSampleRate == 44_100 && session.preferredIOBufferDuration == 0.01)
        try session.setPreferredSampleRate(96_000)
        try session.setPreferredIOBufferDuration(0.005)
        for wrong in [0, -1, .nan, .infinity, -.infinity] as [Double] {
            #expect(isRefused { try session.setPreferredSampleRate(wrong) })
            #expect(isRefused { try session.setPreferredIOBufferDuration(wrong) })
        }
        #expect(session.sampleRate == 96_000 && session.preferredSampleRate == 96_000)
        #expect(session.ioBufferDuration == 0.005 && session.preferredIOBufferDuration == 0.005)
    }

    @Test(
        "channels are one or two",
        arguments: [(0, false), (1, true), (2, true), (3, false), (.min, false), (.max, false)]
            as [(Int, Bool)])
    func channels(count: Int, isAllowed: Bool) {
        #expect(isRefused { try session.setPreferredOutputNumberOfChannels(count) } != isAllowed)
        #expect(session.preferredOutputNumberOfChannels == (isAllowed ? count : 2))
        #expect(session.outputNumberOfChannels == 2)
    }

    @Test("switches without effect are kept")
    func switches() throws {
        #expect(!session.supportsMultichannelContent && !session.prefersNoInterruptionsFromSystemAlerts)
        #expect(!session.prefersInterruptionOnRouteDisconnect)
        try session.setSupportsMultichannelContent(true)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        try session.setPrefersInterruptionOnRouteDisconnect(true)
        try session.setAggregatedIOPreference(.aggregated)
        try session.setOutputDataSource(nil)
        try session.overrideOutputAudioPort(.speaker)
        #expect(session.supportsMultichannelContent && session.prefersNoInterruptionsFromSystemAlerts)
        #expect(session.prefersInterruptionOnRouteDisconnect && session.outputDataSources == nil)
    }

    @Test("a refused category keeps everything of the one before, options included")
    func refusedCategory() throws {
        try session.setCategory(.playback, mode: .moviePlayback, options: [.duckOthers])
        #expect(
            isRefused {
                try session.setCategory(.ambient, mode: .default, policy: .longFormAudio, options: [])
            })
        #expect(session.category == .playback && session.mode == .moviePlayback)
        #expect(session.categoryOptions == .duckOthers && session.routeSharingPolicy == .default)
        try session.setCategory(.ambient)
        #expect(session.mode == .default && session.categoryOptions.isEmpty)
    }

    @Test("the session works without a microphone: nothing is recorded, and no such category is offered")
    func noInput() {
        #expect(session.currentRoute.inputs.isEmpty && session.inputLatency == 0)
        #expect(
            !session.availableCategories.contains(.record)
                && !session.availableCategories.contains(.playAndRecord))
        #expect(session.availableModes.contains(.default) && !session.availableModes.contains(.voiceChat))
    }

    static let ports: [(id: String, name: String, kind: RouteOption.Kind, port: AVAudioSession.Port)] = [
        ("02:00:00:00:00:01", "Kitchen USB", .airPlay, .airPlay),
        ("sink", "HDMI Headphones", .bluetooth, .bluetoothA2DP),
        ("local", "alsa:hw:0", .local, .builtInSpeaker), ("alsa_output.usb-DAC", "DAC", .local, .usbAudio),
        ("local", "Monitor (HDMI 2)", .local, .HDMI), ("local", "null", .local, .virtual),
        ("local", "wave:/tmp/a.wav", .local, .virtual), ("local", "", .local, .builtInSpeaker),
    ]

    @Test("an output has the port of its technology; a local one is guessed by its name", arguments: ports)
    func port(id: String, name: String, kind: RouteOption.Kind, port: AVAudioSession.Port) {
        let output = AVAudioSessionPortDescription(RouteOption(id: id, name: name, kind: kind))
        #expect(output.portType == port && output.portName == name && output.uid == id)
        #expect(output.channels?.map(\.channelNumber) == [1, 2])
        #expect(output.channels?.map(\.channelLabel) == [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        #expect(output.channels?.allSatisfy { $0.owningPortUID == id } == true)
        #expect(output.channels?.first?.channelName == "\(name) 1")
        #expect(
            output.dataSources == nil && output.selectedDataSource == nil
                && !output.hasHardwareVoiceCallProcessing)
    }

    @Test("a route names the selected outputs only, in their order")
    func route() {
        let options = [
            RouteOption(id: "1", name: "Küche", kind: .airPlay, isSelected: true),
            RouteOption(id: "2", name: "Bad", kind: .airPlay),
            RouteOption(id: "3", name: "A, B", kind: .airPlay, isSelected: true),
        ]
        let route = AVAudioSessionRouteDescription(options)
        #expect(route.outputs.map(\.uid) == ["1", "3"])
        #expect(route.description == "<AVAudioSessionRouteDescription, outputs: Küche, A, B>")
        #expect(AVAudioSessionRouteDescription([]).outputs.isEmpty)
    }
}
