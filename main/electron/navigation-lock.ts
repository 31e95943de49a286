import type { WebContents } from 'electron'

/**
 * Whether an address belongs to an origin. Compared as origins: an address that merely begins like the
 * origin (`http://127.0.0.1:80.example.org`) belongs to somebody else.
 */
export function isWithin(origin: string | null, url: string): boolean {
  return origin !== null && URL.canParse(url) && new URL(url).origin === origin
}

/** Keeps contents on the origin: no other page, no new window, no embedded view, no download. */
export function lockNavigation(contents: WebContents, origin: () => string | null): void {
  const stay = (event: { readonly url: string; preventDefault(): void }) => {
    if (!isWithin(origin(), event.url)) event.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.on('will-frame-navigate', stay)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}
