internal import Glibc

/// The program that has a UDP port.
public struct PortHolder: Hashable, Sendable, CustomStringConvertible {
    public let processID: Int32
    /// E.g. `nqptp`.
    public let program: String

    public init(processID: Int32, program: String) {
        self.processID = processID
        self.program = program
    }

    public var description: String { "\(program) (pid \(processID))" }

    /// Who has `udpPort` on this machine, as far as `/proc` tells; other users' programs stay
    /// hidden without privilege. Reads many small files: for error messages only.
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

    /// The program with this number, as far as `/proc` tells.
    public static func program(_ processID: Int32) -> PortHolder? {
        guard processID > 0,
            let name = fileText("/proc/\(processID)/comm")?.split(separator: "\n").first
        else { return nil }
        return PortHolder(processID: processID, program: String(name))
    }

    /// Whether any program has `udpPort` in this network namespace.
    public static func isTaken(udpPort: UInt16) -> Bool {
        ["/proc/net/udp", "/proc/net/udp6"].contains {
            !socketInodes(ofPort: udpPort, inTable: fileText($0) ?? "").isEmpty
        }
    }

    /// The inodes of the sockets at `port` in a table as `/proc/net/udp` has it.
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
    /// Tables of the kernel are short; more than this is not read.
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
