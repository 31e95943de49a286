/** What the lock looks at of an event of the page: of a key, a button of the mouse, or its wheel. */
interface PageEvent {
  readonly key: string
  readonly button: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  getModifierState(name: string): boolean
  preventDefault(): void
}

/** The page that is locked. */
interface LockedPage {
  readonly navigator: { readonly platform: string }
  addEventListener(
    name: string,
    listener: (event: PageEvent) => void,
    options: { readonly capture: boolean; readonly passive: boolean },
  ): void
}

/**
 * Takes from the browser what it would do by itself with keys, buttons of the mouse and files that are dropped: open
 * windows, tabs and dialogues, print, save, zoom, go back, show its tools. The page still hears of all of it. In a window
 * of `--app` no key is the browser's alone. Runs in the page, and so uses nothing from outside of itself.
 */
export function lockPage(page: LockedPage): void {
  const editing = ['a', 'c', 'v', 'x', 'y', 'z']
  const isMac = page.navigator.platform.startsWith('Mac')
  const isBrowserKey = (event: PageEvent): boolean => {
    // Writes a character, as scanners do that type.
    if (event.getModifierState('AltGraph')) return false
    if (event.ctrlKey || event.metaKey)
      return event.altKey || event.shiftKey || !editing.includes(event.key.toLowerCase())
    if (event.altKey) return !isMac || event.key.length > 1
    return (
      /^(F\d+|Browser.*|Launch.*|ContextMenu)$/.test(event.key) || (event.key === 'Escape' && event.shiftKey)
    )
  }
  const take = (names: readonly string[], isTaken: (event: PageEvent) => boolean): void => {
    for (const name of names)
      page.addEventListener(name, (event) => isTaken(event) && event.preventDefault(), {
        ...{ capture: true, passive: false },
      })
  }
  take(['keydown'], isBrowserKey)
  take(['wheel'], ({ ctrlKey }) => ctrlKey)
  take(['contextmenu', 'auxclick', 'dragover', 'drop'], () => true)
  // The buttons that go back and forward.
  take(['mousedown', 'mouseup', 'pointerdown'], ({ button }) => button > 2)
}

/** The script that locks a page, to be run before its own. */
export const pageLock = `(${lockPage.toString()})(globalThis)`
