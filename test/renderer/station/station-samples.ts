import {
  type ConnectionState,
  initialConnection,
  nextConnection,
} from '../../../renderer/upstream/connection-state.ts'
import type { Alert, LinkStatus, Readiness, ShownFact } from '../../../schema/station-link.ts'

/** How the link of a station is, by default online and with nothing to be done. */
export const link = (more: Partial<LinkStatus> = {}): LinkStatus => ({
  role: 'station',
  state: 'online',
  since: '2026-07-10T16:00:00Z',
  upstream: {
    url: 'https://tickets.example',
    organizer: 'acme',
    device_name: 'North',
    security_profile: 'full',
  },
  data_age: 2,
  queue: 0,
  parked: 0,
  conflicts: 0,
  clock: { offset: 0, uncertainty: 3, skewed: false },
  loading: null,
  revoked: false,
  readiness: [],
  problem: null,
  trouble: null,
  ...more,
})

/** A station without an upstream server. */
export const byItself: Partial<LinkStatus> = {
  role: 'alone_by_choice',
  state: 'alone',
  upstream: null,
  data_age: null,
}

/** The state after the server has reported how the link is, at a moment of the page's clock. */
export const reportedLink = (more: Partial<LinkStatus> = {}, at = 0): ConnectionState =>
  nextConnection(initialConnection, { type: 'reported', link: link(more), at })

/** A late contradiction. */
export const alert = (id: number, more: Partial<Alert> = {}): Alert => ({
  id,
  kind: 'double_entry',
  name: 'Mia Weber',
  code: 'ABC12',
  list: 'Doors',
  gate: 'North',
  device: 'Station 1',
  other_device: 'Station 2',
  other_gate: 'South',
  datetime: '2026-07-10T16:05:00Z',
  other_datetime: '2026-07-10T16:04:00Z',
  text: 'The same ticket was let in at South as well.',
  ...more,
})

/** Something that is to be sent. */
export const fact = (more: Partial<ShownFact> = {}): ShownFact => ({
  nonce: 'a',
  kind: 'checkin',
  what: 'entry',
  subject: 'abc',
  state: 'waiting',
  at: '2026-07-10T16:05:00Z',
  text: 'Entry, ticket abc',
  attempts: 0,
  reason: null,
  detail: null,
  retry_at: null,
  ...more,
})

/** A line of the readiness list. */
export const line = (name: Readiness['name'], ok: boolean, value: number | null): Readiness => ({
  name,
  ok,
  value,
  text: 'as the server says',
})
