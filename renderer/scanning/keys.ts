import { type Burst, hear, quiet, type WedgeScan } from './wedge.ts'

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

type Field = HTMLInputElement | HTMLTextAreaElement

const takesText = (target: EventTarget | null): target is Field =>
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
  /** What fields held before the burst, and before its tail. */
  let beforeBurst = new Map<Field, string>()
  let beforeTail = new Map<Field, string>()

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
      place: event.target,
    })
    if (heard.burst !== burst) remember(heard.burst, inField ? event.target : null)
    burst = heard.burst
    if (heard.swallow) swallow(event)
    if (heard.scan) {
      giveBack(heard.afterTyping ? beforeTail : beforeBurst)
      scanned(heard.scan)
    } else if (!event.repeat) press(event)
  }

  function remember({ count, tail }: Burst, field: Field | null): void {
    if (count === 1) beforeBurst = new Map()
    if (tail.count === 1) beforeTail = new Map()
    if (!field || count === 0) return
    for (const before of [beforeBurst, beforeTail]) if (!before.has(field)) before.set(field, field.value)
  }

  function giveBack(before: ReadonlyMap<Field, string>): void {
    for (const [field, text] of before) {
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }

  const touch = () => {
    burst = quiet
  }

  function press(event: KeyboardEvent): void {
    const found = Object.entries(shortcuts).find(([, key]) => key === event.key)
    if (!found || event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key !== 'Escape') swallow(event)
    pressed(found[0] as Shortcut)
  }

  window.addEventListener('keydown', down, { capture: true })
  window.addEventListener('pointerdown', touch, { capture: true })
  window.addEventListener('click', letGo)
  return () => {
    window.removeEventListener('keydown', down, { capture: true })
    window.removeEventListener('pointerdown', touch, { capture: true })
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
