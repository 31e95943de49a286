import { everyShortcut, type Shortcut } from './shortcuts.ts'
import { type Burst, hear, quiet, type WedgeScan } from './wedge.ts'

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
  const fields = rememberFields()
  let burst = quiet

  const down = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const inField = takesText(event.target)
    const altGr = event.getModifierState('AltGraph')
    const heard = hear(burst, {
      key: event.key,
      code: event.code,
      shift: event.shiftKey,
      command: hasCommandKey(event) && !altGr,
      at: event.timeStamp,
      inField,
      place: event.target,
    })
    if (heard.burst !== burst) fields.remember(heard.burst, inField ? event.target : null)
    burst = heard.burst
    if (heard.swallow) swallow(event)
    if (heard.scan) {
      fields.giveBack(heard.afterTyping ? 'tail' : 'burst')
      scanned(heard.scan)
    } else if (!event.repeat) press(event, pressed)
  }

  const touch = () => {
    burst = quiet
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

/** Keeps what fields held before the burst, and before its tail. */
function rememberFields() {
  const before = { burst: new Map<Field, string>(), tail: new Map<Field, string>() }
  return {
    remember({ count, tail }: Burst, field: Field | null): void {
      if (count === 1) before.burst = new Map()
      if (tail.count === 1) before.tail = new Map()
      if (!field || count === 0) return
      for (const texts of Object.values(before)) if (!texts.has(field)) texts.set(field, field.value)
    },
    giveBack(part: keyof typeof before): void {
      for (const [field, text] of before[part]) {
        field.value = text
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
    },
  }
}

const hasCommandKey = (event: KeyboardEvent): boolean => event.ctrlKey || event.altKey || event.metaKey

function press(event: KeyboardEvent, pressed: (shortcut: Shortcut) => void): void {
  const found = Object.entries(everyShortcut).find(([, key]) => key === event.key)
  if (!found || hasCommandKey(event)) return
  if (event.key !== 'Escape') swallow(event)
  pressed(found[0] as Shortcut)
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
