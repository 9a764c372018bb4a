import AirPlayMessages
import Testing

@Suite("DACP remote commands")
struct DACPCommandTests {
    static let both: [(String, DACPCommand)] = [
        ("play", .play), ("pause", .pause), ("discrete-pause", .discretePause), ("playpause", .playPause),
        ("playresume", .playResume), ("stop", .stop), ("nextitem", .nextItem), ("previtem", .previousItem),
        ("beginff", .beginFastForward), ("beginrew", .beginRewind), ("volumeup", .volumeUp),
        ("volumedown", .volumeDown), ("mutetoggle", .toggleMute), ("shuffle_songs", .toggleShuffle),
        ("setproperty?dmcp.device-volume=-14.5", .volume(Volume(decibels: -14.5))),
        ("setproperty?dmcp.device-volume=-144.0", .volume(.mute)),
        ("setproperty?dacp.shufflestate=1", .shuffle(true)),
        ("setproperty?dacp.shufflestate=0", .shuffle(false)),
        ("setproperty?dacp.repeatstate=2", .repeatMode(2)),
        ("setproperty?dacp.playingtime=61500", .playingTime(61_500)),
        ("setproperty?dmcp.device-prevent-playback=1", .preventPlayback(true)),
        ("setproperty?dmcp.device-busy=0", .busy(false)),
        ("getproperty?properties=dmcp.volume", .other("getproperty?properties=dmcp.volume")),
    ]

    @Test("commands round-trip", arguments: both)
    func roundTrip(text: String, command: DACPCommand) {
        #expect(DACPCommand(target: "/ctrl-int/1/" + text) == command)
        #expect(command.target == "/ctrl-int/1/" + text)
    }

    static let read: [(String, DACPCommand?)] = [
        ("/ctrl-int/1/setproperty?dmcp.volume=50.000000", .volume(Volume(percent: 50))),
        ("/ctrl-int/1/setproperty?dmcp.device-volume=-15.000000", .volume(Volume(decibels: -15))),
        ("/ctrl-int/1/setproperty?what=1&dacp.repeatstate=1&x=2", .repeatMode(1)),
        ("/ctrl-int/1/setproperty?dacp.repeatstate=7", .other("setproperty?dacp.repeatstate=7")),
        ("/ctrl-int/1/setproperty?dmcp.volume=nan", .other("setproperty?dmcp.volume=nan")),
        ("/ctrl-int/1/setproperty?dacp.playingtime=-4", .other("setproperty?dacp.playingtime=-4")),
        ("/ctrl-int/1/setproperty?dacp.playingtime=1e300", .other("setproperty?dacp.playingtime=1e300")),
        ("/ctrl-int/1/setproperty?", .other("setproperty?")),
        ("/ctrl-int/1/setproperty?=&&=", .other("setproperty?=&&=")),
        ("/ctrl-int/1/playpause?session-id=1", .playPause),
        ("/ctrl-int/1/", .other("")),
        ("/ctrl-int/1/PLAY", .other("PLAY")),
        ("/ctrl-int/2/play", nil), ("/info", nil), ("", nil),
    ]

    @Test("variants that other programs write are read", arguments: read)
    func reading(target: String, command: DACPCommand?) {
        #expect(DACPCommand(target: target) == command)
    }

    @Test(
        "a volume near 0 dB is written without an exponent, and read again",
        arguments: [-0.000_000_1, -0.000_03, -0.000_1, -0.000_17, -0.1, -29.999_999_999_999])
    func smallVolume(decibels: Double) throws {
        let target = DACPCommand.volume(Volume(decibels: decibels)).target
        #expect(!target.dropFirst("/ctrl-int/1/setproperty?dmcp.device-volume=".count).contains("e"))
        guard case .volume(let volume)? = DACPCommand(target: target) else {
            Issue.record("\(target) is no volume")
            return
        }
        #expect(abs(volume.decibels - decibels) < 0.000_1)
    }

    @Test("a value with letters around it is no value")
    func oddValues() {
        for text in [
            "dacp.shufflestate=true", "dacp.repeatstate=1.5", "dacp.repeatstate=-1", "dacp.repeatstate",
            "dacp.playingtime=4294967296", "dmcp.device-busy=", "dmcp.volume=50%", "DMCP.VOLUME=50",
        ] {
            let rest = "setproperty?" + text
            #expect(DACPCommand(target: "/ctrl-int/1/" + rest) == .other(rest), "\(text)")
        }
        #expect(
            DACPCommand(target: "/ctrl-int/1/setproperty?dacp.playingtime=4294967295") == .playingTime(.max))
        #expect(DACPCommand(target: "/ctrl-int/1/setproperty") == .other("setproperty"))
    }
}
