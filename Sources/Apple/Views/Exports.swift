// Programs with views need these modules as well.
@_exported import Foundation
@_exported import TuttiKeyValueObserving
