import { type DeskEvent, type DeskState, initialDesk } from '../../renderer/scanning/desk-state.ts'
import type { Read } from '../../renderer/scanning/entries.ts'
import { nextDesk } from '../../renderer/scanning/next-desk.ts'
import type { CheckinQuestion, ScannedPosition, ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Settings, StationState } from '../../schema/bodies/station-state.ts'

/** The settings of the station in these tests. */
export const settings: Settings = {
  organizer: 'demo',
  event: 'festival',
  event_name: 'Festival',
  list: 12,
  list_name: 'Main gate',
  lists: [{ id: 12, name: 'Main gate', event: 'festival', event_name: 'Festival' }],
  missing_lists: [],
  direction: 'entry',
  gate: 3,
  gate_name: 'North',
  sound: true,
  camera: false,
  locale: 'en',
  name: 'Station',
  timezone: 'Europe/Berlin',
  sells: true,
  task: 'entrance',
  asks_staff: false,
  profile: 'full',
}

/** A station that is set up. */
export const station: StationState = {
  ready: true,
  is_kiosk: false,
  version: '0.1.0',
  settings,
  counts: null,
  scanners: [],
}

/** A ticket, changed as the test needs it. */
export const position = (more: Partial<ScannedPosition> = {}): ScannedPosition => ({
  id: 7,
  order: 'ABC12',
  positionid: 2,
  attendee_name: 'Mia Weber',
  item_name: { en: 'Day ticket', de: 'Tagesticket' },
  item_color: null,
  variation_name: null,
  subevent_name: null,
  seat: null,
  secret: 'secret',
  addons: [],
  order_status: 'p',
  checkins: [],
  ...more,
})

/** A result, by default an admission. */
export const result = (more: Partial<ScanResult> = {}): ScanResult => ({
  id: `result-${more.nonce ?? 'a'}`,
  nonce: 'a',
  repeated: false,
  source: 'keyboard',
  code: 'code',
  at: '2026-07-10T16:00:00Z',
  type: 'entry',
  status: 'ok',
  reason: null,
  reason_explanation: null,
  require_attention: false,
  checkin_texts: [],
  list: { id: 12, name: 'Main gate', event: 'festival', subevent: null, include_pending: false },
  can_ignore_unpaid: false,
  owed: null,
  position: position(),
  questions: [],
  can_undo: true,
  ...more,
})

/** A question, by default a required line of text. */
export const question = (more: Partial<CheckinQuestion> = {}): CheckinQuestion => ({
  id: 1,
  question: { en: 'Name of your dog?' },
  help_text: null,
  type: 'S',
  required: true,
  position: 0,
  options: [],
  ...more,
})

/** A scan at the page. */
export const read = (nonce: string, more: Partial<Read> = {}): Read => ({
  nonce,
  at: '2026-07-10T16:00:00Z',
  code: `code-${nonce}`,
  source: 'keyboard',
  ...more,
})

/** The state after these events on a station that is set up. */
export const stateAfter = (...events: readonly DeskEvent[]): DeskState =>
  events.reduce(nextDesk, nextDesk(initialDesk, { type: 'loaded', station }))

/** A scan, as an event. */
export const scanned = (nonce: string, more: Partial<Read> = {}): DeskEvent => ({
  type: 'scanned',
  read: read(nonce, more),
})

/** An answer to a scan, as an event. */
export const judged = (nonce: string, more: Partial<ScanResult> = {}): DeskEvent => ({
  type: 'judged',
  key: nonce,
  result: result({ nonce, ...more }),
})
