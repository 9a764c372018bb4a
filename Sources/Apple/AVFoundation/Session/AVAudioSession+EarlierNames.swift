import Foundation

// Names used by Apple's SDKs up to 2017.

/// The former name of `AVAudioSession.Category.ambient`.
@available(*, deprecated, renamed: "AVAudioSession.Category.ambient")
public let AVAudioSessionCategoryAmbient = AVAudioSession.Category.ambient
/// The former name of `AVAudioSession.Category.soloAmbient`.
@available(*, deprecated, renamed: "AVAudioSession.Category.soloAmbient")
public let AVAudioSessionCategorySoloAmbient = AVAudioSession.Category.soloAmbient
/// The former name of `AVAudioSession.Category.playback`.
@available(*, deprecated, renamed: "AVAudioSession.Category.playback")
public let AVAudioSessionCategoryPlayback = AVAudioSession.Category.playback
/// The former name of `AVAudioSession.Category.record`.
@available(*, deprecated, renamed: "AVAudioSession.Category.record")
public let AVAudioSessionCategoryRecord = AVAudioSession.Category.record
/// The former name of `AVAudioSession.Category.playAndRecord`.
@available(*, deprecated, renamed: "AVAudioSession.Category.playAndRecord")
public let AVAudioSessionCategoryPlayAndRecord = AVAudioSession.Category.playAndRecord
/// The former name of `AVAudioSession.Category.multiRoute`.
@available(*, deprecated, renamed: "AVAudioSession.Category.multiRoute")
public let AVAudioSessionCategoryMultiRoute = AVAudioSession.Category.multiRoute
/// The former name of `AVAudioSession.Mode.default`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.default")
public let AVAudioSessionModeDefault = AVAudioSession.Mode.default
/// The former name of `AVAudioSession.Mode.voiceChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.voiceChat")
public let AVAudioSessionModeVoiceChat = AVAudioSession.Mode.voiceChat
/// The former name of `AVAudioSession.Mode.gameChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.gameChat")
public let AVAudioSessionModeGameChat = AVAudioSession.Mode.gameChat
/// The former name of `AVAudioSession.Mode.videoRecording`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.videoRecording")
public let AVAudioSessionModeVideoRecording = AVAudioSession.Mode.videoRecording
/// The former name of `AVAudioSession.Mode.measurement`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.measurement")
public let AVAudioSessionModeMeasurement = AVAudioSession.Mode.measurement
/// The former name of `AVAudioSession.Mode.moviePlayback`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.moviePlayback")
public let AVAudioSessionModeMoviePlayback = AVAudioSession.Mode.moviePlayback
/// The former name of `AVAudioSession.Mode.videoChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.videoChat")
public let AVAudioSessionModeVideoChat = AVAudioSession.Mode.videoChat
/// The former name of `AVAudioSession.Mode.spokenAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.spokenAudio")
public let AVAudioSessionModeSpokenAudio = AVAudioSession.Mode.spokenAudio
/// The former name of `AVAudioSession.Mode.voicePrompt`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.voicePrompt")
public let AVAudioSessionModeVoicePrompt = AVAudioSession.Mode.voicePrompt
/// The former name of `AVAudioSession.Port.builtInSpeaker`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInSpeaker")
public let AVAudioSessionPortBuiltInSpeaker = AVAudioSession.Port.builtInSpeaker
/// The former name of `AVAudioSession.Port.builtInReceiver`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInReceiver")
public let AVAudioSessionPortBuiltInReceiver = AVAudioSession.Port.builtInReceiver
/// The former name of `AVAudioSession.Port.headphones`.
@available(*, deprecated, renamed: "AVAudioSession.Port.headphones")
public let AVAudioSessionPortHeadphones = AVAudioSession.Port.headphones
/// The former name of `AVAudioSession.Port.lineOut`.
@available(*, deprecated, renamed: "AVAudioSession.Port.lineOut")
public let AVAudioSessionPortLineOut = AVAudioSession.Port.lineOut
/// The former name of `AVAudioSession.Port.airPlay`.
@available(*, deprecated, renamed: "AVAudioSession.Port.airPlay")
public let AVAudioSessionPortAirPlay = AVAudioSession.Port.airPlay
/// The former name of `AVAudioSession.Port.bluetoothA2DP`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothA2DP")
public let AVAudioSessionPortBluetoothA2DP = AVAudioSession.Port.bluetoothA2DP
/// The former name of `AVAudioSession.Port.bluetoothLE`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothLE")
public let AVAudioSessionPortBluetoothLE = AVAudioSession.Port.bluetoothLE
/// The former name of `AVAudioSession.Port.bluetoothHFP`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothHFP")
public let AVAudioSessionPortBluetoothHFP = AVAudioSession.Port.bluetoothHFP
/// The former name of `AVAudioSession.Port.HDMI`.
@available(*, deprecated, renamed: "AVAudioSession.Port.HDMI")
public let AVAudioSessionPortHDMI = AVAudioSession.Port.HDMI
/// The former name of `AVAudioSession.Port.usbAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Port.usbAudio")
public let AVAudioSessionPortUSBAudio = AVAudioSession.Port.usbAudio
/// The former name of `AVAudioSession.Port.carAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Port.carAudio")
public let AVAudioSessionPortCarAudio = AVAudioSession.Port.carAudio
/// The former name of `AVAudioSession.Port.builtInMic`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInMic")
public let AVAudioSessionPortBuiltInMic = AVAudioSession.Port.builtInMic
/// The former name of `AVAudioSession.Port.headsetMic`.
@available(*, deprecated, renamed: "AVAudioSession.Port.headsetMic")
public let AVAudioSessionPortHeadsetMic = AVAudioSession.Port.headsetMic
/// The former name of `AVAudioSession.Port.lineIn`.
@available(*, deprecated, renamed: "AVAudioSession.Port.lineIn")
public let AVAudioSessionPortLineIn = AVAudioSession.Port.lineIn
/// The former name of `AVAudioSession.RouteSharingPolicy`.
@available(*, deprecated, renamed: "AVAudioSession.RouteSharingPolicy")
public typealias AVAudioSessionRouteSharingPolicy = AVAudioSession.RouteSharingPolicy
/// The former name of `AVAudioSession.CategoryOptions`.
@available(*, deprecated, renamed: "AVAudioSession.CategoryOptions")
public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions
/// The former name of `AVAudioSession.SetActiveOptions`.
@available(*, deprecated, renamed: "AVAudioSession.SetActiveOptions")
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions
/// The former name of `AVAudioSession.RouteChangeReason`.
@available(*, deprecated, renamed: "AVAudioSession.RouteChangeReason")
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason
/// The former name of `AVAudioSession.InterruptionType`.
@available(*, deprecated, renamed: "AVAudioSession.InterruptionType")
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType
/// The former name of `AVAudioSession.InterruptionOptions`.
@available(*, deprecated, renamed: "AVAudioSession.InterruptionOptions")
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions
/// The former name of `AVAudioSession.PortOverride`.
@available(*, deprecated, renamed: "AVAudioSession.PortOverride")
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride
/// The former name of `AVAudioSession.SilenceSecondaryAudioHintType`.
@available(*, deprecated, renamed: "AVAudioSession.SilenceSecondaryAudioHintType")
public typealias AVAudioSessionSilenceSecondaryAudioHintType = AVAudioSession.SilenceSecondaryAudioHintType

extension NSNotification.Name {
    /// The former name of ``AVAudioSession/routeChangeNotification``.
    @available(*, deprecated, renamed: "AVAudioSession.routeChangeNotification")
    public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
    /// The former name of ``AVAudioSession/interruptionNotification``.
    @available(*, deprecated, renamed: "AVAudioSession.interruptionNotification")
    public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
    /// The former name of ``AVAudioSession/mediaServicesWereResetNotification``.
    @available(*, deprecated, renamed: "AVAudioSession.mediaServicesWereResetNotification")
    public static let AVAudioSessionMediaServicesWereReset = AVAudioSession.mediaServicesWereResetNotification
    /// The former name of ``AVAudioSession/mediaServicesWereLostNotification``.
    @available(*, deprecated, renamed: "AVAudioSession.mediaServicesWereLostNotification")
    public static let AVAudioSessionMediaServicesWereLost = AVAudioSession.mediaServicesWereLostNotification
    /// The former name of ``AVAudioSession/silenceSecondaryAudioHintNotification``.
    @available(*, deprecated, renamed: "AVAudioSession.silenceSecondaryAudioHintNotification")
    public static let AVAudioSessionSilenceSecondaryAudioHint =
        AVAudioSession.silenceSecondaryAudioHintNotification
}

extension AVAudioSession {
    /// The former spelling of ``setCategory(_:mode:policy:options:)``.
    @available(*, deprecated, renamed: "setCategory(_:mode:policy:options:)")
    public func setCategory(
        _ category: Category, mode: Mode, routeSharingPolicy: RouteSharingPolicy,
        options: CategoryOptions = []
    ) throws {
        try setCategory(category, mode: mode, policy: routeSharingPolicy, options: options)
    }

    /// The former spelling of ``setCategory(_:options:)``.
    @available(*, deprecated, renamed: "setCategory(_:options:)")
    public func setCategory(_ category: Category, with options: CategoryOptions) throws {
        try setCategory(category, options: options)
    }
}
