import Glibc

/// The identity of this machine.
package enum MachineIdentity {
    /// Returns the identifier from `/etc/machine-id`, else the host name. Never send it unchanged; derive
    /// other identifiers from it.
    package static func text() -> String {
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
