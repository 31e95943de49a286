import { type ReadonlySignal, signal } from '@preact/signals'
import type { SettingsInput } from '../../schema/bodies/station.ts'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { type ApiClient, needsStaff, type Problem } from '../api/requests.ts'
import { type DeskEvent, type DeskState, initialDesk, movesOn } from './desk-state.ts'
import { type Entry, entryOf, outlasting, requestOf, waiting } from './entries.ts'
import { nextDesk } from './next-desk.ts'
import type { ScanStorage } from './stored-scans.ts'

/** Calls back later; returns how to call it off. */
type After = (milliseconds: number, then: () => void) => () => void

/** The entrance at work: its state, and what users and devices do to it. */
export interface Desk {
  readonly state: ReadonlySignal<DeskState>
  readonly send: (event: DeskEvent) => void
  /** Asks the server whether it is there and what it is set up for. */
  readonly refresh: () => Promise<void>
  /** Takes an admission back. */
  readonly undo: (entry: Entry) => Promise<void>
  /** Changes some of the settings; false when the server would not have it. */
  readonly change: (some: Partial<SettingsInput>) => Promise<boolean>
}

/** Milliseconds that a success fills the screen. */
export const admittedFor = 1500
const undoneFor = 2500
const noticeFor = 6000
/** Milliseconds between two attempts to reach a server that is gone. */
export const probeEvery = 2000
const atOnce = 4
/** The status of scans at a station that was not set up, or no longer is. */
const notSetUp = 409

/** What a save of these settings sends. */
const inputOf = (settings: Settings): SettingsInput => ({
  organizer: settings.organizer,
  event: settings.event,
  list: settings.list,
  direction: settings.direction,
  gate: settings.gate,
  sound: settings.sound,
  camera: settings.camera,
  locale: settings.locale,
  name: settings.name,
})

/**
 * Runs the entrance: after each event, sends the scans that wait (several at once, so that a slow answer
 * holds nobody up), and sets the timers that a state asks for. A scan whose answer is lost is sent again with
 * the same nonce, which the server answers like the first time.
 */
export function openDesk(api: ApiClient, after: After, storage: ScanStorage): Desk {
  const state = signal(initialDesk)
  const inFlight = new Set<string>()
  let hasRecalled = false
  const timers = makeTimers(after)
  const store = keepStored(storage)

  const send = (event: DeskEvent): void => {
    state.value = nextDesk(state.value, event)
    sendWaiting()
    setTimers(timers, state.value, { send, refresh })
    store(state.value)
  }
  const link: DeskLink = { api, state, send }

  function sendWaiting(): void {
    if (state.value.link !== 'reached') return
    for (const entry of waiting(state.value.entries)) {
      if (inFlight.size >= atOnce) return
      if (!inFlight.has(entry.key)) void judge(entry)
    }
  }

  async function judge(entry: Entry): Promise<void> {
    inFlight.add(entry.key)
    const answer = await api.scan(requestOf(entry))
    inFlight.delete(entry.key)
    if (answer.ok) return send({ type: 'judged', key: entry.key, result: answer.value })
    const { problem } = answer
    if (needsStaff(problem)) send({ type: 'withheld', key: entry.key })
    else if (!cutOff(link, problem)) send({ type: 'failed', key: entry.key, detail: problem.detail })
    if (problem.status === notSetUp) void refresh()
  }

  async function refresh(): Promise<void> {
    const answer = await api.station()
    timers.stop('probe')
    if (!answer.ok) {
      if (!cutOff(link, answer.problem)) send({ type: 'linked', link: 'lost' })
      return
    }
    send({ type: 'loaded', station: answer.value })
    if (answer.value.ready && !hasRecalled) await recall()
  }

  /** Shows what was scanned before the page was opened; where that is not answered, the next refresh asks again. */
  async function recall(): Promise<void> {
    hasRecalled = true
    const answer = await api.recentScans()
    hasRecalled = answer.ok
    if (answer.ok) send({ type: 'recalled', results: answer.value.results })
  }

  storage.inherit((entries) => send({ type: 'restored', entries }))
  return {
    state,
    send,
    refresh,
    undo: (entry) => undo(link, entry),
    change: (some) => change(link, some),
  }
}

/** The desk's state and its way to the server. */
interface DeskLink extends Pick<Desk, 'state' | 'send'> {
  readonly api: ApiClient
}

/** Takes note of a server that is gone or does not know us; false for any other problem. */
function cutOff({ send }: DeskLink, problem: Problem): boolean {
  const { standstill } = problem
  if (standstill) send({ type: 'linked', link: 'lost', standstill })
  else if (problem.kind === 'unreachable') send({ type: 'linked', link: 'lost' })
  else if (problem.kind === 'denied' && !needsStaff(problem)) send({ type: 'linked', link: 'denied' })
  else return false
  return true
}

async function undo(link: DeskLink, entry: Entry): Promise<void> {
  const { api, send } = link
  if (!entry.result || entry.undo !== 'none') return
  send({ type: 'undoing', key: entry.key })
  const { nonce } = entry.result
  const first = await api.undo(nonce)
  // It may have been done and only the answer be late: asked once more, the server says which.
  const isSilent = !first.ok && first.problem.kind === 'unreachable'
  const answer = isSilent ? await api.undo(nonce) : first
  if (answer.ok) return send({ type: 'undone', key: entry.key })
  send({ type: 'undo-failed', key: entry.key, detail: answer.problem.detail })
  cutOff(link, answer.problem)
}

async function change(link: DeskLink, some: Partial<SettingsInput>): Promise<boolean> {
  const { api, state, send } = link
  const settings = state.value.station?.settings
  if (!settings) return false
  const answer = await api.save({ ...inputOf(settings), ...some })
  if (answer.ok) send({ type: 'loaded', station: answer.value })
  else if (!cutOff(link, answer.problem))
    send({ type: 'noticed', kind: 'settings-failed', text: answer.problem.detail })
  return answer.ok
}

type TimerName = 'pass' | 'notice' | 'probe'

/** A timer to run; `of` names what it is for. */
interface Timer {
  readonly of: string
  readonly milliseconds: number
  readonly act: () => void
}

interface Timers {
  /** Sets it anew when it is for something else than before, stops it when there is nothing to wait for. */
  readonly set: (name: TimerName, timer: Timer | null) => void
  readonly stop: (name: TimerName) => void
}

function makeTimers(after: After): Timers {
  const running = new Map<TimerName, { readonly of: string; readonly stop: () => void }>()
  function stop(name: TimerName): void {
    running.get(name)?.stop()
    running.delete(name)
  }
  return {
    set(name, timer) {
      if (running.get(name)?.of === timer?.of) return
      stop(name)
      if (timer) running.set(name, { of: timer.of, stop: after(timer.milliseconds, timer.act) })
    },
    stop,
  }
}

function setTimers(
  timers: Timers,
  state: DeskState,
  { send, refresh }: Pick<Desk, 'send' | 'refresh'>,
): void {
  const { view, notice, link, entries } = state
  const milliseconds = entryOf(entries, view.key)?.undo === 'done' ? undoneFor : admittedFor
  const passes = () => send({ type: 'passed', turn: view.turn })
  timers.set('pass', movesOn(state) ? { of: `${view.turn}`, milliseconds, act: passes } : null)
  timers.set(
    'notice',
    notice && {
      of: `${notice.turn}`,
      milliseconds: noticeFor,
      act: () => send({ type: 'notice-over', turn: notice.turn }),
    },
  )
  const probe = { of: link, milliseconds: probeEvery, act: () => void refresh() }
  timers.set('probe', link === 'lost' ? probe : null)
}

/** Writes what outlives the page, whenever that has changed. */
function keepStored(storage: ScanStorage): (state: DeskState) => void {
  let last: readonly Entry[] = []
  return ({ entries, station }) => {
    // A station that was revoked or set up anew keeps no names of those that it admitted.
    const now = station?.ready === false ? waiting(entries) : outlasting(entries)
    if (now.length === last.length && now.every((entry, index) => entry === last[index])) return
    last = now
    storage.write(now)
  }
}
