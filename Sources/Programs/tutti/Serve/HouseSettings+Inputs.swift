import Foundation
import Playback
import TuttiHouse
import TuttiServiceHost

extension HouseSettings {
    /// The mistake in a text of the configuration file that the service cannot start with; `nil` if there is none.
    var mistake: String? { outputMistake ?? inputMistake }

    /// The mistake in the spelling of an input; `nil` if there is none.
    var inputMistake: String? {
        for text in inputs.pipes {
            do throws(PipeInput.Mistake) { _ = try PipeInput(text) } catch {
                return "[inputs] pipes: \(error.description)"
            }
        }
        return nil
    }

    /// Returns the maker of the zones' inputs; the service has checked the pipes' spelling by ``inputMistake``.
    func makeInputs(log: ServiceLog) -> HouseInputMaking {
        let pipes = inputs.pipes.compactMap { try? PipeInput($0) }
        let (desktop, server) = (inputs.desktop, inputs.server)
        return { id, zone in
            var made: [HouseInput] = []
            if desktop.contains("*") || desktop.contains(zone) {
                let source = DesktopSource(
                    name: "tutti.\(id)", title: zone, server: server,
                    onReady: { log.write(.info, "\(zone) is an output of \($0)", kind: "input") },
                    onLost: {
                        log.write(.notice, "\(zone) is not an output of the desktop: \($0)", kind: "input")
                    })
                made.append(HouseInput(InputSnapshot(name: "Desktop", kind: .desktop), source: source))
            }
            for pipe in pipes where pipe.zone.map({ $0 == zone }) ?? (id == ZoneID(rawValue: 1)) {
                let source = LivePipe(path: pipe.path, format: pipe.format)
                var name = pipe.name
                // Names are unique in a zone.
                while made.contains(where: { $0.snapshot.name == name }) { name += "'" }
                made.append(HouseInput(InputSnapshot(name: name, kind: .pipe), source: source))
            }
            return made
        }
    }
}

/// A named pipe in the configuration: `/run/tutti/radio?zone=Kitchen&name=Radio&format=s16le/44100/2`.
struct PipeInput: Equatable, Sendable {
    /// A misspelled pipe.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    /// The name that surfaces show; the file's name unless set.
    let name: String
    /// The zone by its name; `nil` for the first.
    let zone: String?
    let format: LiveFormat

    init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let path = parts[0].hasPrefix("pipe://") ? String(parts[0].dropFirst(7)) : parts[0]
        guard path.hasPrefix("/"), let last = path.split(separator: "/").last else {
            throw Mistake(description: "'\(text)' must begin with an absolute path, such as /run/tutti/radio")
        }
        var (name, zone, format) = (String(last), String?.none, LiveFormat.standard)
        for field in parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : [] {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            guard pair.count == 2, let value = pair[1].removingPercentEncoding, !value.isEmpty else {
                throw Mistake(description: "'\(field)' in '\(text)' must be zone=…, name=… or format=…")
            }
            switch pair[0] {
            case "name": name = value
            case "zone": zone = value
            case "format", "sampleformat":
                do throws(LiveFormatError) { format = try LiveFormat(value) } catch {
                    throw Mistake(description: error.description)
                }
            default: throw Mistake(description: "'\(field)' in '\(text)' must be zone=…, name=… or format=…")
            }
        }
        (self.path, self.name, self.zone, self.format) = (path, name, zone, format)
    }
}
