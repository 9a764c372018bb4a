// Importing MediaPlayer also imports AVFoundation, Foundation, the views and the images.
@_exported import AVFoundation
@_exported import Foundation
@_exported import TuttiKeyValueObserving
@_exported import TuttiViews
