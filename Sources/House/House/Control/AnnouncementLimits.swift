/// The limits of announcements.
public enum AnnouncementLimits {
    /// The most announcements that wait or are heard.
    public static let count = 16
    /// The most bytes of an announcement that is sent to the house.
    public static let byteCount = 32 << 20
    /// The most bytes of decoded sound of all announcements but the first, which is heard.
    public static let waitingByteCount = 96 << 20
}
