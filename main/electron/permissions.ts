import type { Session } from 'electron'
import { isWithin } from './navigation-lock.ts'

/**
 * Allows the station's own page the camera, and nobody anything else. Asking and checking are separate
 * questions to the shell, and a check may come without a page. Downloads, which would open a file dialogue
 * over the kiosk, are refused as well.
 */
export function restrictSession(session: Session, origin: () => string | null, kiosk: boolean): void {
  session.setPermissionRequestHandler((contents, permission, answer, details) => {
    const types = 'mediaTypes' in details ? (details.mediaTypes ?? []) : []
    const isCamera = permission === 'media' && types.length > 0 && types.every((type) => type === 'video')
    answer(isCamera && details.isMainFrame && isWithin(origin(), details.requestingUrl ?? contents.getURL()))
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) => {
    return permission === 'media' && details.mediaType === 'video' && isWithin(origin(), requestingOrigin)
  })
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => {
    if (kiosk) event.preventDefault()
  })
}
