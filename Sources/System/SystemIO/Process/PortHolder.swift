import Glibc

/// The program that holds a UDP port.
public struct PortHolder: Hashable, Sendable, CustomStringConvertible {
    /// The process ID.
    public let processID: Int32
    /// The program's name, e.g. `nqptp`.
    public let program: String

    /// Creates a description of a program.
    public init(processID: Int32, program: String) {
        self.processID = processID
        self.program = program
    }

    /// The program's name and process id, for messages.
    public var description: String { "\(program) (pid \(processID))" }

    /// Returns the program that holds `udpPort` on this machine, according to `/proc`; `nil` if unknown.
    /// Other users' programs stay hidden without privilege. Reads many small files: for error messages only.
    public static func whoHolds(udpPort: UInt16) -> PortHolder? {
        var inodes: Set<String> = []
        for table in ["/proc/net/udp", "/proc/net/udp6"] {
            inodes.formUnion(socketInodes(ofPort: udpPort, inTable: fileText(table) ?? ""))
        }
        guard !inodes.isEmpty else { return nil }
        let targets = Set(inodes.map { "socket:[\($0)]" })
        for process in entries(of: "/proc").compactMap({ Int32($0) }) {
            let folder = "/proc/\(process)/fd"
            guard
                entries(of: folder).contains(where: { targets.contains(linkTarget("\(folder)/\($0)") ?? "") })
            else { continue }
            let name = fileText("/proc/\(process)/comm")?.split(separator: "\n").first
            return PortHolder(processID: process, program: name.map(String.init) ?? "a program")
        }
        return nil
    }

    /// Returns the program with this process ID, according to `/proc`.
    public static func program(_ processID: Int32) -> PortHolder? {
        guard processID > 0,
            let name = fileText("/proc/\(processID)/comm")?.split(separator: "\n").first
        else { return nil }
        return PortHolder(processID: processID, program: String(name))
    }

    /// Returns whether any program holds `udpPort` in this network namespace.
    public static func isTaken(udpPort: UInt16) -> Bool {
        ["/proc/net/udp", "/proc/net/udp6"].contains {
            !socketInodes(ofPort: udpPort, inTable: fileText($0) ?? "").isEmpty
        }
    }

    /// Returns the inodes of the sockets at `port` in a table with the layout of `/proc/net/udp`.
    static func socketInodes(ofPort port: UInt16, inTable table: String) -> Set<String> {
        var inodes: Set<String> = []
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 9, let colon = fields[1].lastIndex(of: ":"),
                UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { continue }
            inodes.insert(String(fields[9]))
        }
        return inodes
    }
}

extension PortHolder {
    /// Maximum bytes read from a file; the kernel's tables are shorter.
    private static let longestFile = 1 << 20

    private static func fileText(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while bytes.count < longestFile {
            let count = fread(&block, 1, block.count, file)
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { raw in
                    String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    private static func linkTarget(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
