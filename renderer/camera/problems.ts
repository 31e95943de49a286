/** Why the camera gives no picture. */
export type CameraProblem = 'denied' | 'none' | 'in-use' | 'insecure' | 'ended' | 'decoder' | 'other'

/** The problem behind an exception of getUserMedia, by its name. */
export function problemNamed(name: string): CameraProblem {
  switch (name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      return 'denied'
    case 'NotFoundError':
    case 'DevicesNotFoundError':
    case 'OverconstrainedError':
      return 'none'
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'in-use'
    case 'SecurityError':
      return 'insecure'
    default:
      return 'other'
  }
}
