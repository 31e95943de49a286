import type { Input, WebContents } from 'electron'

const ALONE = new Set(['F5', 'F11', 'F12', 'BrowserBack', 'BrowserForward', 'BrowserRefresh', 'BrowserHome'])
const WITH_CONTROL = new Set(['r', 'w', 'p', 'n', 't', 'q', 'u', 's', 'o', '+', '=', '-', '_', '0', 'F4'])
const WITH_CONTROL_AND_SHIFT = new Set(['i', 'j', 'c'])
const WITH_ALT = new Set(['ArrowLeft', 'ArrowRight', 'Home'])

/** Whether a key would act on the browser instead of the page: reload, close, print, zoom, full screen, tools. */
export function isBrowserKey(input: Pick<Input, 'key' | 'control' | 'meta' | 'alt' | 'shift'>): boolean {
  const key = input.key.length === 1 ? input.key.toLowerCase() : input.key
  if (ALONE.has(key)) return true
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
