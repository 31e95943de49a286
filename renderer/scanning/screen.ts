import type { DeskState } from './desk-state.ts'
import { type Entry, entryOf, lookOf } from './entries.ts'
import { offersUnpaid } from './result-kind.ts'

/** What fills the screen. The names are also what `data-state` on the page says. */
export type Screen =
  | {
      readonly name:
        | 'starting'
        | 'locked'
        | 'unreachable'
        | 'setup'
        | 'station'
        | 'statistics'
        | 'search'
        | 'ready'
    }
  | { readonly name: 'guest'; readonly position: number }
  | {
      readonly name:
        | 'deciding'
        | 'admitted'
        | 'refused'
        | 'asking'
        | 'unpaid'
        | 'undo-asked'
        | 'undone'
        | 'failed'
      readonly entry: Entry
    }

/** Whether tickets can be judged: this station is set up and answers. */
export const works = (state: DeskState): boolean => state.link === 'reached' && state.station?.ready === true

/** The one screen that a state shows. */
export function screenOf(state: DeskState): Screen {
  if (state.link === 'starting') return { name: 'starting' }
  if (state.link === 'denied') return { name: 'locked' }
  if (state.link === 'lost') return { name: 'unreachable' }
  if (!state.station?.ready) return { name: state.atStation ? 'station' : 'setup' }
  const entry = entryOf(state.entries, state.view.key)
  if (entry) return { name: state.view.asksUndo ? 'undo-asked' : nameOf(entry), entry }
  const guest = state.guests.at(-1)
  if (guest) return { name: 'guest', position: guest.position }
  if (state.atStation) return { name: 'station' }
  if (state.atStatistics) return { name: 'statistics' }
  if (state.settingUp) return { name: 'setup' }
  return { name: state.searching ? 'search' : 'ready' }
}

function nameOf(entry: Entry): Extract<Screen, { entry: Entry }>['name'] {
  const look = lookOf(entry)
  switch (look) {
    case 'waiting':
      return 'deciding'
    case 'ok':
    case 'attention':
      return 'admitted'
    case 'question':
      return entry.result && offersUnpaid(entry.result) ? 'unpaid' : 'asking'
    default:
      return look
  }
}
