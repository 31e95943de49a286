import assert from 'node:assert/strict'
import { lockPage } from '../../../main/browser/page-lock.ts'

type Listener = Parameters<Parameters<typeof lockPage>[0]['addEventListener']>[1]
type PageEvent = Parameters<Listener>[0]

/** Whether the lock of a page takes an event from the browser. */
function isTaken(name: string, event: Partial<PageEvent>, platform = 'Linux x86_64'): boolean {
  const listeners = new Map<string, Listener>()
  lockPage({
    navigator: { platform },
    addEventListener: (of, listener, options) => {
      assert.deepEqual(options, { capture: true, passive: false })
      listeners.set(of, listener)
    },
  })
  let taken = false
  const keys = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  listeners.get(name)?.({
    ...{ key: '', button: 0, ...keys, getModifierState: () => false },
    ...event,
    preventDefault() {
      taken = true
    },
  })
  return taken
}

const ctrl = (key: string, more: Partial<PageEvent> = {}) => ({ key, ctrlKey: true, ...more })
const alt = (key: string, more: Partial<PageEvent> = {}) => ({ key, altKey: true, ...more })

describe('a locked page', () => {
  const combinations: readonly (readonly [what: string, event: Partial<PageEvent>])[] = [
    ...[...'tnowlpsuhjdefgkr0+-='].map((key) => [`Ctrl+${key}`, ctrl(key)] as const),
    ...[...'NTIJCWQBOM'].map((key) => [`Ctrl+Shift+${key}`, ctrl(key, { shiftKey: true })] as const),
    ['Ctrl+Tab', ctrl('Tab')],
    ['Ctrl+F4', ctrl('F4')],
    ['Command+T', { key: 't', metaKey: true }],
    ['Alt+Left', alt('ArrowLeft')],
    ['Alt+D', alt('d')],
    ['Shift+Escape', { key: 'Escape', shiftKey: true }],
    ...['F1', 'F5', 'F6', 'F11', 'F12', 'BrowserHome', 'LaunchMail', 'ContextMenu'].map(
      (key) => [key, { key }] as const,
    ),
  ]
  for (const [what, event] of combinations)
    it(`has the browser do nothing at ${what}`, () => assert.equal(isTaken('keydown', event), true))

  const taken: readonly (readonly [what: string, name: string, event: Partial<PageEvent>])[] = [
    ['zooming by the wheel', 'wheel', { ctrlKey: true }],
    ['the menu of the mouse', 'contextmenu', {}],
    ['a file that is dropped', 'drop', {}],
    ['the button that goes back', 'mousedown', { button: 3 }],
  ]
  for (const [what, name, event] of taken)
    it(`has the browser do nothing at ${what}`, () => assert.equal(isTaken(name, event), true))

  const left: readonly [what: string, name: string, event: Partial<PageEvent>, platform?: string][] = [
    ['a letter', 'keydown', { key: 'a' }],
    ['Enter', 'keydown', { key: 'Enter' }],
    ['Escape', 'keydown', { key: 'Escape' }],
    ['Tab', 'keydown', { key: 'Tab' }],
    ['copying', 'keydown', ctrl('c')],
    ['pasting', 'keydown', ctrl('V')],
    ['a character of AltGr', 'keydown', ctrl('@', { altKey: true, getModifierState: () => true })],
    ['a character of a Mac', 'keydown', alt('@'), 'MacIntel'],
    ['scrolling', 'wheel', {}],
    ['pressing', 'mousedown', {}],
  ]
  for (const [what, name, event, platform] of left)
    it(`leaves ${what} alone`, () => assert.equal(isTaken(name, event, platform), false))
})
