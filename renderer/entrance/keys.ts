import { hear, quiet, type WedgeScan } from './wedge.ts'

/** The keys that work anywhere on the entrance screen; none of them is one that a scanner types. */
export const shortcuts = {
  help: 'F1',
  search: 'F2',
  direction: 'F4',
  camera: 'F6',
  undo: 'F8',
  sound: 'F9',
  close: 'Escape',
} as const

/** What a shortcut does. */
export type Shortcut = keyof typeof shortcuts

const takesText = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)) ||
  target instanceof HTMLTextAreaElement

/**
 * Listens to all keys before anything on the page does. A scanner's burst becomes a scan wherever the focus is:
 * a field in its way gets back what it held before, and no button or form sees the closing Enter.
 */
export function listenToKeys(
  scanned: (scan: WedgeScan) => void,
  pressed: (shortcut: Shortcut) => void,
): () => void {
  let burst = quiet
  let field: { readonly element: HTMLInputElement | HTMLTextAreaElement; readonly before: string } | null =
    null

  const down = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const inField = takesText(event.target)
    const altGr = event.getModifierState('AltGraph')
    const heard = hear(burst, {
      key: event.key,
      code: event.code,
      shift: event.shiftKey,
      command: (event.ctrlKey || event.altKey || event.metaKey) && !altGr,
      at: event.timeStamp,
      inField,
    })
    if (heard.burst.count === 1 && inField) field = { element: event.target, before: event.target.value }
    else if (heard.burst.count === 1) field = null
    burst = heard.burst
    if (heard.swallow) swallow(event)
    if (heard.scan) {
      giveBack()
      scanned(heard.scan)
    } else if (!event.repeat) press(event)
  }

  function giveBack(): void {
    if (!field) return
    field.element.value = field.before
    field.element.dispatchEvent(new Event('input', { bubbles: true }))
    field = null
  }

  function press(event: KeyboardEvent): void {
    const found = Object.entries(shortcuts).find(([, key]) => key === event.key)
    if (!found || event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key !== 'Escape') swallow(event)
    pressed(found[0] as Shortcut)
  }

  window.addEventListener('keydown', down, { capture: true })
  window.addEventListener('click', letGo)
  return () => {
    window.removeEventListener('keydown', down, { capture: true })
    window.removeEventListener('click', letGo)
  }
}

/** A button pressed by finger or mouse does not keep the focus, where the next scan's keys would find it. */
function letGo(event: MouseEvent): void {
  const { activeElement } = document
  if (event.detail > 0 && activeElement instanceof HTMLButtonElement) activeElement.blur()
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
