import MediaTime

/// For how long a choice of a language is meant.
public enum MPChangeLanguageOptionSetting: Int, Sendable {
    case none = 0
    case nowPlayingItemOnly = 1
    case permanent = 2
}

/// A language was chosen, or is to be left.
open class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    public let languageOption: MPNowPlayingInfoLanguageOption
    public let setting: MPChangeLanguageOptionSetting

    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption, at time: HostTime) {
        languageOption = option
        setting = .nowPlayingItemOnly
        super.init(command, at: time)
    }
}
