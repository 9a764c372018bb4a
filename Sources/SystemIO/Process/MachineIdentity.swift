internal import Glibc

/// What tells this machine from others.
public enum MachineIdentity {
    /// The system's own identifier from `/etc/machine-id`, else the host's name. Never to be sent
    /// as it is: derive from it.
    public static func text() -> String {
        if let file = fopen("/etc/machine-id", "re") {
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = fread(&bytes, 1, bytes.count, file)
            let text = bytes.prefix(count).prefix { $0 > 0x20 }
            if !text.isEmpty { return String(decoding: text, as: UTF8.self) }
        }
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
