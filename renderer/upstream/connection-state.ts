import type {
  Alert,
  FirstPage,
  LinkStatus,
  QueueState,
  ShownConflict,
  ShownFact,
} from '../../schema/station-link.ts'
import { needsStaff, type Problem } from '../api/requests.ts'
import { type PairingProblem, pairingProblem } from './pairing-problem.ts'

/** How far somebody has come with connecting this station. */
interface PairingState {
  readonly open: boolean
  readonly camera: boolean
  readonly asking: boolean
  readonly problem: PairingProblem | null
}

/** How far somebody has come with giving the upstream server up. */
interface Leaving {
  readonly step: 'no' | 'sure' | 'running' | 'refused'
  /** What was not sent yet has been saved as a file. */
  readonly exported: boolean
  readonly detail: string
}

/** All that the screens know of the upstream server. */
export interface ConnectionState {
  readonly link: LinkStatus | null
  /** When that was reported, and what time it is now: milliseconds of any clock that does not jump. */
  readonly reportedAt: number
  readonly now: number
  readonly pairing: PairingState
  readonly leaving: Leaving
  readonly tab: QueueState
  readonly queue: FirstPage<ShownFact> | null
  readonly conflicts: FirstPage<ShownConflict> | null
  /** What is being asked of the server: `retry`, or the id of a conflict. */
  readonly busy: ReadonlySet<string>
  /** What the server would not do, in its words or ours; empty where all is well. */
  readonly objection: string
  /** Late contradictions that nobody has acknowledged, newest first. */
  readonly alerts: readonly Alert[]
  /** How many alerts have sounded. */
  readonly alarms: number
}

/** All that can happen between the screens and the upstream server. */
export type ConnectionEvent =
  | { readonly type: 'reported'; readonly link: LinkStatus; readonly at: number }
  | { readonly type: 'ticked'; readonly at: number }
  | { readonly type: 'pairing'; readonly open: boolean }
  | { readonly type: 'looking'; readonly camera: boolean }
  | { readonly type: 'asked' }
  | { readonly type: 'joined'; readonly link: LinkStatus; readonly at: number }
  | { readonly type: 'not-joined'; readonly problem: Problem }
  | { readonly type: 'leaving'; readonly step: 'no' | 'sure' | 'running' }
  | { readonly type: 'exported' }
  | { readonly type: 'left'; readonly link: LinkStatus; readonly at: number }
  | { readonly type: 'not-left'; readonly problem: Problem }
  | { readonly type: 'chosen'; readonly tab: QueueState }
  | { readonly type: 'queued'; readonly tab: QueueState; readonly queue: FirstPage<ShownFact> }
  | { readonly type: 'contradicted'; readonly conflicts: FirstPage<ShownConflict> }
  | { readonly type: 'began'; readonly what: string }
  | { readonly type: 'ended'; readonly what: string; readonly objection: string }
  | { readonly type: 'alerted'; readonly alert: Alert }
  | { readonly type: 'acknowledged'; readonly id: number }
  | { readonly type: 'restored'; readonly alerts: readonly Alert[] }

const notPairing: PairingState = { open: false, camera: false, asking: false, problem: null }
const notLeaving: Leaving = { step: 'no', exported: false, detail: '' }

/** The screens before anything is known. */
export const initialConnection: ConnectionState = {
  link: null,
  reportedAt: 0,
  now: 0,
  pairing: notPairing,
  leaving: notLeaving,
  tab: 'waiting',
  queue: null,
  conflicts: null,
  busy: new Set(),
  objection: '',
  alerts: [],
  alarms: 0,
}

/** Whether an upstream server is known, whether or not it answers. */
export const isJoined = ({ link }: ConnectionState): boolean =>
  link !== null && link.upstream !== null && !link.revoked

/** Whether the first copy of the data is on its way, so that nothing can be scanned yet. */
export const isFirstLoad = (state: ConnectionState): boolean =>
  isJoined(state) && state.link?.data_age === null

const reported = (state: ConnectionState, link: LinkStatus, at: number): ConnectionState => ({
  ...state,
  link,
  reportedAt: at,
  now: at,
})

const without = (busy: ReadonlySet<string>, what: string): ReadonlySet<string> =>
  new Set([...busy].filter((one) => one !== what))

const pairing = (state: ConnectionState, some: Partial<PairingState>): ConnectionState => ({
  ...state,
  pairing: { ...state.pairing, ...some },
})

/** Newest first; the same contradiction sounds once. */
function alerted(state: ConnectionState, alert: Alert): ConnectionState {
  if (state.alerts.some((one) => one.id === alert.id)) return state
  return { ...state, alerts: [alert, ...state.alerts], alarms: state.alarms + 1 }
}

/** The state after something has happened. Pure: moments and answers come with the event. */
export function nextConnection(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'reported':
      return reported(state, event.link, event.at)
    case 'ticked':
      return state.link?.upstream ? { ...state, now: event.at } : state
    case 'pairing':
      return { ...state, pairing: { ...notPairing, open: event.open } }
    case 'looking':
      return pairing(state, { camera: event.camera })
    case 'asked':
      return pairing(state, { asking: true, problem: null })
    case 'joined':
      return { ...reported(state, event.link, event.at), pairing: notPairing, leaving: notLeaving }
    case 'not-joined':
      return pairing(state, { asking: false, camera: false, problem: pairingProblem(event.problem) })
    case 'leaving':
      return { ...state, leaving: { ...state.leaving, step: event.step, detail: '' } }
    case 'exported':
      return { ...state, leaving: { ...state.leaving, exported: true } }
    case 'left':
      return { ...reported(state, event.link, event.at), leaving: notLeaving, queue: null, conflicts: null }
    case 'not-left':
      if (needsStaff(event.problem)) return { ...state, leaving: notLeaving }
      return { ...state, leaving: { ...state.leaving, step: 'refused', detail: event.problem.detail } }
    case 'chosen':
      return event.tab === state.tab ? state : { ...state, tab: event.tab, queue: null }
    case 'queued':
      return event.tab === state.tab ? { ...state, queue: event.queue } : state
    case 'contradicted':
      return { ...state, conflicts: event.conflicts }
    case 'began':
      return { ...state, busy: new Set([...state.busy, event.what]), objection: '' }
    case 'ended':
      return { ...state, busy: without(state.busy, event.what), objection: event.objection }
    case 'alerted':
      return alerted(state, event.alert)
    case 'acknowledged':
      return { ...state, alerts: state.alerts.filter((one) => one.id !== event.id) }
    case 'restored':
      return { ...state, alerts: event.alerts }
    default:
      return event satisfies never
  }
}
