import type { Input, Session, WebContents } from 'electron'

/**
 * Whether an address belongs to an origin. Compared as origins: an address that merely begins like the
 * origin (`http://127.0.0.1:80.example.org`) belongs to somebody else.
 */
export function isWithin(origin: string | null, url: string): boolean {
  return origin !== null && URL.canParse(url) && new URL(url).origin === origin
}

/** The one page that a window of its own may show: what the guest in front of a till sees. */
const isCustomerDisplay = (origin: string | null, url: string): boolean =>
  isWithin(origin, url) && new URL(url).pathname === '/display.html'

/** Keeps contents on the origin: no other page, no window but the customer's display, no embedded view, no download. */
export function lockNavigation(contents: WebContents, origin: () => string | null): void {
  const stay = (event: { readonly url: string; preventDefault(): void }) => {
    if (!isWithin(origin(), event.url)) event.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.on('will-frame-navigate', stay)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) =>
    isCustomerDisplay(origin(), url)
      ? {
          action: 'allow',
          overrideBrowserWindowOptions: {
            kiosk: false,
            fullscreen: false,
            show: true,
            autoHideMenuBar: true,
          },
        }
      : { action: 'deny' },
  )
  // It closes with its opener, and is locked as that is.
  contents.on('did-create-window', (window) => {
    lockNavigation(window.webContents, origin)
    blockBrowserKeys(window.webContents)
  })
}

const SINGLE_KEYS = new Set([
  'F5',
  'F11',
  'F12',
  'BrowserBack',
  'BrowserForward',
  'BrowserRefresh',
  'BrowserHome',
])
const WITH_CONTROL = new Set(['r', 'w', 'p', 'n', 't', 'q', 'u', 's', 'o', '+', '=', '-', '_', '0', 'F4'])
const WITH_CONTROL_AND_SHIFT = new Set(['i', 'j', 'c'])
const WITH_ALT = new Set(['ArrowLeft', 'ArrowRight', 'Home'])

/** Whether a key would act on the browser instead of the page: reload, close, print, zoom, full screen, tools. */
export function isBrowserKey(input: Pick<Input, 'key' | 'control' | 'meta' | 'alt' | 'shift'>): boolean {
  const key = input.key.length === 1 ? input.key.toLowerCase() : input.key
  if (SINGLE_KEYS.has(key)) return true
  // AltGr is Control and Alt together and writes characters, so a barcode typed by a scanner must pass.
  if ((input.control || input.meta) && !input.alt) {
    return WITH_CONTROL.has(key) || (input.shift && WITH_CONTROL_AND_SHIFT.has(key))
  }
  return input.alt && !input.control && WITH_ALT.has(key)
}

/** Takes such keys away from a kiosk's window, and keeps its zoom at one. */
export function blockBrowserKeys(contents: WebContents): void {
  contents.on('before-input-event', (event, input) => {
    if (isBrowserKey(input)) event.preventDefault()
  })
  contents.on('zoom-changed', () => contents.setZoomFactor(1))
}

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
