import type { DeskEvent, DeskState } from './desk-state.ts'
import { entryOf } from './entries.ts'

/** The screen filled by the entry of a key, or by none; `stays` where somebody has opened it by hand. */
export const withView = (state: DeskState, key: string | null, stays = false): DeskState => ({
  ...state,
  view: { key, stays, asksUndo: false, turn: state.view.turn + 1 },
})

function guestOpened(state: DeskState, position: number): DeskState {
  const { key } = state.view
  const isOpen = state.guests.at(-1)?.position === position
  return withView(isOpen ? state : { ...state, guests: [...state.guests, { position, from: key }] }, null)
}

function guestClosed(state: DeskState): DeskState {
  const left = state.guests.at(-1)
  const from = entryOf(state.entries, left?.from ?? null)
  return withView({ ...state, guests: state.guests.slice(0, -1) }, from?.key ?? null, from !== undefined)
}

type PageEvent = Extract<
  DeskEvent,
  {
    readonly type:
      | 'searching'
      | 'guest-opened'
      | 'guest-closed'
      | 'setting-up'
      | 'at-station'
      | 'at-statistics'
  }
>

/** The screen after a page was opened or left. */
export function nextPage(state: DeskState, event: PageEvent): DeskState {
  switch (event.type) {
    case 'guest-opened':
      return guestOpened(state, event.position)
    case 'guest-closed':
      return guestClosed(state)
    case 'searching':
      return event.open
        ? withView({ ...state, searching: true, guests: [] }, null)
        : { ...state, searching: false }
    case 'setting-up':
      return event.open
        ? withView({ ...state, settingUp: true, guests: [] }, null)
        : { ...state, settingUp: false }
    case 'at-station':
      return event.open ? withView({ ...state, atStation: true }, null) : { ...state, atStation: false }
    case 'at-statistics':
      return event.open ? withView({ ...state, atStatistics: true }, null) : { ...state, atStatistics: false }
  }
}
