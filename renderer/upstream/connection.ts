import { type ReadonlySignal, signal } from '@preact/signals'
import type { Alert, LinkStatus, QueueState } from '../../schema/station-link.ts'
import type { LinkApi } from '../api/link-api.ts'
import type { ApiAnswer } from '../api/requests.ts'
import {
  type ConnectionEvent,
  type ConnectionState,
  initialConnection,
  nextConnection,
} from './connection-state.ts'
import { type OwnUpdate, openOwnUpdate } from './own-update.ts'

/** What a connection needs of the page. */
interface ConnectionTools {
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number
  /** What this page remembers for itself. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** The station's dealings with the upstream server, as the screens see and work them. */
export interface StationConnection extends OwnUpdate {
  readonly state: ReadonlySignal<ConnectionState>
  readonly send: (event: ConnectionEvent) => void
  /** The server has reported how things are. */
  readonly heard: (link: LinkStatus) => void
  readonly alerted: (alert: Alert) => void
  /** Asks how things are. */
  readonly refresh: () => Promise<void>
  /** Asks for what the station page lists. */
  readonly look: () => Promise<void>
  readonly join: (code: string, url?: string) => Promise<void>
  /** Something else was scanned where a pairing code is waited for. */
  readonly mistook: () => void
  readonly leave: () => Promise<void>
  readonly choose: (tab: QueueState) => void
  /** Sends these again now, or everything. */
  readonly retry: (nonces: readonly string[] | null) => Promise<void>
  readonly resolve: (id: number, note: string) => Promise<void>
}

const key = 'gatehouse.alerts'

/** Opens it; alerts that nobody has acknowledged outlive a reload of the page. */
export function openConnection(api: LinkApi, { now, memory }: ConnectionTools): StationConnection {
  const state = signal<ConnectionState>(initialConnection)
  const send = (event: ConnectionEvent): void => {
    const before = state.value
    state.value = nextConnection(before, event)
    if (state.value.alerts !== before.alerts) keepAlerts(memory, state.value.alerts)
  }

  async function refresh(): Promise<void> {
    const answer = await api.link()
    if (answer.ok) send({ type: 'reported', link: answer.value, at: now() })
    else send({ type: 'ticked', at: now() })
  }

  async function look(): Promise<void> {
    const { tab } = state.value
    const [queue, conflicts] = await Promise.all([api.queue(tab), api.conflicts()])
    if (queue.ok) send({ type: 'queued', tab, queue: queue.value })
    if (conflicts.ok) send({ type: 'contradicted', conflicts: conflicts.value })
  }

  /** Asks for something, says what the server says against it, and looks what has become of it. */
  async function ask(what: string, asking: () => Promise<ApiAnswer<unknown>>): Promise<void> {
    send({ type: 'began', what })
    const answer = await asking()
    send({ type: 'ended', what, objection: answer.ok ? '' : answer.problem.detail || answer.problem.kind })
    await Promise.all([look(), refresh()])
  }

  const stored = readAlerts(memory.getItem(key))
  if (stored.length > 0) send({ type: 'restored', alerts: stored })

  return {
    state,
    send,
    heard: (link) => send({ type: 'reported', link, at: now() }),
    alerted: (alert) => send({ type: 'alerted', alert }),
    ...openOwnUpdate(api, memory),
    refresh,
    look,
    ...membership({ api, now, state, send }),
    mistook: () =>
      send({
        type: 'not-joined',
        problem: { kind: 'refused', status: 400, detail: '', reason: 'no_code' },
      }),
    choose(tab) {
      send({ type: 'chosen', tab })
      void look()
    },
    retry: (nonces) => ask('retry', () => api.retry(nonces)),
    async resolve(id, note) {
      const organizer = state.value.link?.upstream?.organizer
      if (organizer) await ask(String(id), () => api.resolve(organizer, id, note))
    },
  }
}

interface MembershipTools extends Pick<StationConnection, 'state' | 'send'>, Pick<ConnectionTools, 'now'> {
  readonly api: LinkApi
}

/** How the station joins an upstream server and leaves it. */
function membership({ api, now, state, send }: MembershipTools): Pick<StationConnection, 'join' | 'leave'> {
  return {
    async join(code, url = '') {
      if (state.value.pairing.asking) return
      send({ type: 'asked' })
      const answer = await api.join(code.trim(), url.trim())
      if (answer.ok) send({ type: 'joined', link: answer.value, at: now() })
      else send({ type: 'not-joined', problem: answer.problem })
    },
    async leave() {
      send({ type: 'leaving', step: 'running' })
      const answer = await api.leave(state.value.leaving.exported)
      if (answer.ok) send({ type: 'left', link: answer.value, at: now() })
      else send({ type: 'not-left', problem: answer.problem })
    },
  }
}

function keepAlerts(memory: ConnectionTools['memory'], alerts: readonly Alert[]): void {
  if (alerts.length === 0) memory.removeItem(key)
  else memory.setItem(key, JSON.stringify(alerts))
}

function readAlerts(text: string | null): readonly Alert[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}
