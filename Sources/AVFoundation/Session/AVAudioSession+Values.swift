import Foundation

extension AVAudioSession {
    /// What kind of sound a program makes.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The name, as it is stored.
        public let rawValue: String
        /// The category of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Sound beside other sound, not important.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Sound instead of other sound, not important. What a session begins with.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Playing is what the program is for.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording only.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Recording and playing.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Several streams on several outputs.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// What a category is used for.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name, as it is stored.
        public let rawValue: String
        /// The mode of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing special.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Voice over IP.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Voices in a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Recording a film.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// As little processing as possible.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// A film.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// A video call.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech that goes on where it was interrupted: podcasts, audio books.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Spoken directions.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// Whether a program's long sounds have a route of their own.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// Speakers on the network get seconds ahead, as a device of this machine does.
        case `default` = 0
        /// Music and speech: speakers are filled with minutes, and the route is shared with the user's other programs
        /// of this kind.
        case longFormAudio = 1
        /// Set by the system at Apple.
        case independent = 2
        /// Films; for sound, as ``longFormAudio``.
        case longFormVideo = 3

        /// The first name of ``longFormAudio``.
        @available(*, deprecated, renamed: "longFormAudio")
        public static var longForm: RouteSharingPolicy { .longFormAudio }

        var isLongForm: Bool { self == .longFormAudio || self == .longFormVideo }
    }

    /// How a category behaves beside others; kept, because there is no other sound that this program knows of.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// The options of these bits; bits without a name are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs go on sounding.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Other programs become softer.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Hands-free devices may be used.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
        /// The first name of ``allowBluetoothHFP``.
        @available(*, deprecated, renamed: "allowBluetoothHFP")
        public static var allowBluetooth: CategoryOptions { allowBluetoothHFP }
        /// The speaker instead of the earpiece.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Speech of other programs is interrupted, other sound goes on.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Bluetooth speakers may be used.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// Speakers on the network may be used.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        /// A muted microphone does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    /// What goes with a change of activity.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// The options of these bits; bits without a name are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Programs that were interrupted may go on.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// What goes with ``AVAudioSession/activate(options:completionHandler:)``.
    public struct ActivationOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// The options of these bits; bits without a name are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// Why the route changed.
    public enum RouteChangeReason: UInt, Sendable {
        /// Not known.
        case unknown = 0
        /// An output appeared and is used.
        case newDeviceAvailable = 1
        /// The output that was used has gone; what played is paused.
        case oldDeviceUnavailable = 2
        /// The session's category or policy changed.
        case categoryChange = 3
        /// The user, or the program, chose another output.
        case override = 4
        /// The machine woke up.
        case wakeFromSleep = 6
        /// No output fits the category.
        case noSuitableRouteForCategory = 7
        /// Another set of the same kind of outputs.
        case routeConfigurationChange = 8
    }

    /// Beginning or end of an interruption.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption is over.
        case ended = 0
        /// Playing has stopped.
        case began = 1
    }

    /// What comes with the end of an interruption.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// The options of these bits; bits without a name are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Playing may go on by itself.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// Why an interruption began.
    public enum InterruptionReason: UInt, Sendable {
        /// Another session took over.
        case `default` = 0
        /// The program was suspended.
        case appWasSuspended = 1
        /// The built-in microphone was muted.
        case builtInMicMuted = 2
        /// The route was disconnected.
        case routeDisconnected = 4
    }

    /// Where sound goes after ``AVAudioSession/prepareRouteSelectionForPlayback(completionHandler:)``.
    public enum RouteSelection: Int, Sendable {
        /// Nowhere.
        case none = 0
        /// To this machine.
        case local = 1
        /// To speakers on the network.
        case external = 2
    }

    /// A choice over the category's.
    public enum PortOverride: UInt, Sendable {
        /// None.
        case none = 0
        /// The built-in speaker.
        case speaker = 0x7370_6B72
    }

    /// Other sound that asks for silence.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// It ended.
        case end = 0
        /// It began.
        case begin = 1
    }

    /// A kind of input or output.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// The name, as it is stored.
        public let rawValue: String
        /// The port of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The machine's own speaker; here also a device of which no more is known.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// A telephone's earpiece.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// Headphones with a cable.
        public static let headphones = Port(rawValue: "Headphones")
        /// An analog output.
        public static let lineOut = Port(rawValue: "LineOut")
        /// Speakers on the network.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// Bluetooth, for music.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// Bluetooth, low energy.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// Bluetooth, hands-free.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// HDMI.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// USB.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// A car.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// DisplayPort.
        public static let displayPort = Port(rawValue: "DisplayPort")
        /// Audio video bridging.
        public static let AVB = Port(rawValue: "AVB")
        /// No hardware.
        public static let virtual = Port(rawValue: "Virtual")
        /// A card on the bus.
        public static let PCI = Port(rawValue: "PCI")
        /// FireWire.
        public static let fireWire = Port(rawValue: "FireWire")
        /// Thunderbolt.
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
        /// The machine's microphone.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// A headset's microphone.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// An analog input.
        public static let lineIn = Port(rawValue: "LineIn")
        /// The microphone of another device of the user's.
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
    }

    /// Codes of errors in `NSOSStatusErrorDomain` that a session throws.
    public enum ErrorCode: Int, Sendable {
        /// No error.
        case none = 0
        /// The audio server has gone.
        case mediaServicesFailed = 1_836_282_486
        /// Something still plays.
        case isBusy = 560_030_580
        /// The category does not allow it.
        case incompatibleCategory = 560_161_140
        /// Another session is interrupted by nothing.
        case cannotInterruptOthers = 560_557_684
        /// The program may not.
        case missingEntitlement = 1_701_737_535
        /// A telephone call.
        case siriIsRecording = 1_936_290_409
        /// The program cannot begin to play now.
        case cannotStartPlaying = 561_015_905
        /// The program cannot begin to record now.
        case cannotStartRecording = 561_145_187
        /// A parameter has no meaning.
        case badParam = -50
        /// Sessions of higher priority are active.
        case insufficientPriority = 561_017_449
        /// The hardware has not enough resources.
        case resourceNotAvailable = 561_145_203
        /// Not known.
        case unspecified = 2_003_329_396
        /// The session is not active.
        case expiredSession = 561_210_739
        /// The session is not active.
        case sessionNotActive = 1_768_841_571
    }
}
