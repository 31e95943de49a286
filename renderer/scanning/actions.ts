import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { FoundPosition } from '../../schema/bodies/guests.ts'
import type { Direction, ScanSource } from '../../schema/bodies/station.ts'
import type { Language } from '../../schema/texts/translate.ts'
import type { Desk } from './desk.ts'
import { type Entry, type Read, undoable } from './entries.ts'

/** Makes ids and tells the time, for what is read at this page. */
interface PageTools {
  readonly newId: () => string
  readonly now: () => string
  /** What this page remembers for itself. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Has the till of this page look up a code. */
  readonly lookUpAtTill: (code: string) => void
}

/** All that can be done at the entrance screen by a person. */
export interface Actions {
  readonly read: (code: string, source: ScanSource, more?: Partial<Read>) => void
  /** Admits tickets that were found by name; those of one press belong together. */
  readonly admit: (tickets: readonly Pick<FoundPosition, 'id' | 'secret'>[]) => void
  readonly answer: (entry: Entry, answers: Readonly<Record<string, string>>) => void
  readonly waive: (entry: Entry) => void
  /** Turns this station into a till that looks at the order of a ticket, for every way of paying. */
  readonly payAtTill: (entry: Entry) => Promise<void>
  readonly retry: (entry: Entry) => void
  readonly turn: (direction: Direction) => void
  readonly undoLast: () => void
  readonly search: () => void
  /** Opens the page of whose ticket this is. */
  readonly openGuest: (position: number) => void
  readonly close: () => void
  readonly speak: (language: Language) => void
  readonly setSound: (on: boolean) => void
  readonly setCamera: (on: boolean) => void
  /** Forgets this page's own choices, so that the station's hold again. */
  readonly followStation: () => void
  readonly soundOn: () => boolean
  readonly cameraOn: () => boolean
  /** What is being searched for. */
  readonly sought: Signal<string>
  readonly language: ReadonlySignal<Language | null>
  readonly helping: Signal<boolean>
}

const soundKey = 'gatehouse.sound'
const cameraKey = 'gatehouse.camera-on'

/** What a person does at the entrance, ready to be bound to buttons and keys. */
export function actionsAt(desk: Desk, { newId, now, memory, lookUpAtTill }: PageTools): Actions {
  const sought = signal('')
  const language = signal<Language | null>(null)
  const helping = signal(false)
  const ownSound = ownSwitch(memory, soundKey)
  const ownCamera = ownSwitch(memory, cameraKey)
  const settings = () => desk.state.value.station?.settings
  const ask = (entry: Entry, more: Entry['asked']) => desk.send({ type: 'asked', key: entry.key, ask: more })

  const read: Actions['read'] = (code, source, more = {}) => {
    const text = code.trim()
    if (text !== '')
      desk.send({ type: 'scanned', read: { nonce: newId(), at: now(), code: text, source, ...more } })
  }

  return {
    read,
    admit(tickets) {
      const group = tickets.length > 1 ? newId() : undefined
      for (const { id: position, secret } of tickets)
        read(secret, 'hand', { position, ...(group ? { group } : {}) })
    },
    answer: (entry, answers) => ask(entry, { answers: { ...entry.asked.answers, ...answers } }),
    waive: (entry) => ask(entry, { ignore_unpaid: true }),
    async payAtTill(entry) {
      if (!(await desk.change({ task: 'box-office' }))) return
      desk.send({ type: 'closed' })
      lookUpAtTill(entry.result?.position?.secret ?? entry.read.code)
    },
    retry: (entry) => ask(entry, {}),
    turn: (direction) => void desk.change({ direction }),
    undoLast() {
      const { entries } = desk.state.value
      const entry = undoable(entries)
      if (!entry) return
      // What was just scanned is what is meant. Behind that, or from before, it may be somebody else.
      if (entry === entries[0] && !entry.isRecalled) void desk.undo(entry)
      else desk.send({ type: 'undo-asked', key: entry.key })
    },
    openGuest: (position) => desk.send({ type: 'guest-opened', position }),
    search() {
      sought.value = ''
      desk.send({ type: 'searching', open: true })
    },
    close() {
      const { view, searching, guests, settingUp, atStation, atStatistics } = desk.state.value
      if (helping.value) helping.value = false
      else if (view.key !== null) desk.send({ type: 'closed' })
      else if (guests.length > 0) desk.send({ type: 'guest-closed' })
      else if (atStation) desk.send({ type: 'at-station', open: false })
      else if (atStatistics) desk.send({ type: 'at-statistics', open: false })
      else if (settingUp) desk.send({ type: 'setting-up', open: false })
      else if (searching) desk.send({ type: 'searching', open: false })
    },
    speak(chosen) {
      language.value = chosen
      if (settings()) void desk.change({ locale: chosen })
    },
    setSound: ownSound.set,
    setCamera: ownCamera.set,
    followStation() {
      ownSound.set(null)
      ownCamera.set(null)
    },
    soundOn: () => ownSound.own.value ?? settings()?.sound ?? true,
    cameraOn: () => ownCamera.own.value ?? settings()?.camera ?? false,
    sought,
    language,
    helping,
  }
}

/** A switch that this page may have set for itself. */
function ownSwitch(memory: PageTools['memory'], key: string) {
  const stored = memory.getItem(key)
  const own = signal<boolean | null>(stored === null ? null : stored === 'on')
  const set = (on: boolean | null) => {
    own.value = on
    if (on === null) memory.removeItem(key)
    else memory.setItem(key, on ? 'on' : 'off')
  }
  return { own, set }
}
