import sql, { join } from 'sql-template-tag'
import type {
  CheckinQuestion,
  EarlierCheckin,
  ScannedPosition,
  ScanOutcome,
} from '../../schema/bodies/scan-result.ts'
import { readInstant } from '../../schema/instants.ts'
import type { Multilingual } from '../../schema/multilingual.ts'
import { checkin } from '../../schema/resources/checkin/checkin.ts'
import { siteOf } from '../../schema/sites.ts'
import type { Reason, ScanType } from '../domain/rules/facts.ts'
import { colorOf, type MetaData } from '../domain/text/meta-data.ts'
import { insertRow } from '../resource/store.ts'
import type { Tx } from '../resource/transactions.ts'
import { type ListedScan, outcomeOf } from '../services/checkin/redeem-input.ts'
import { scanColumns } from '../services/checkin/redeem-records.ts'
import { selectPositions } from '../services/orders/positions.ts'
import { viewScan } from './scan-view.ts'

/** A check-in as the answer to a scan shows it. */
interface ReportedCheckin {
  readonly id: number
  readonly datetime: string
  readonly type: ScanType
  readonly gate: number | null
  readonly device: number | null
  readonly auto_checked_in: boolean
}

interface Named {
  readonly id: number
  readonly name?: Multilingual
  readonly value?: Multilingual
  readonly meta_data?: MetaData
}

interface ReportedPosition {
  readonly id: number
  readonly order: string
  readonly positionid: number
  readonly attendee_name: string | null
  readonly item: Named | number
  readonly variation: Named | number | null
  readonly subevent: Named | number | null
  readonly seat: ScannedPosition['seat']
  readonly secret: string
  readonly order__status?: string
  readonly checkins: readonly ReportedCheckin[]
}

/** What the server upstream says of a scan: the answer of its redeeming endpoint. */
export interface UpstreamAnswer {
  readonly status: ScanOutcome['status']
  readonly reason?: Reason
  readonly reason_explanation?: string | null
  readonly require_attention?: boolean
  readonly checkin_texts?: readonly string[]
  /** The list that it was decided on. */
  readonly list?: { readonly id: number }
  readonly position?: ReportedPosition
  readonly questions?: readonly CheckinQuestion[]
}

/** A scan that was decided upstream. */
type AskedScan = Omit<ListedScan, 'at'>

/**
 * What the server upstream has decided, as the screens of a station show it. An entry is recorded here under the number
 * that it has there, as the changes will bring it, so that the next scan knows of it at once.
 */
export async function viewUpstreamAnswer(
  tx: Tx,
  scan: AskedScan,
  answer: UpstreamAnswer,
): Promise<ScanOutcome> {
  const { status, position: reported } = answer
  const { organizer } = scan.place
  const [position] = reported
    ? await selectPositions(tx, sql`p.organizer = ${organizer} AND p.id = ${reported.id}`, sql`p.id`)
    : []
  const entered = status === 'ok' && reported ? ownCheckin(reported, scan) : undefined
  if (entered && position) await recordReported(tx, scan, position.id, entered)
  const outcome = outcomeOf({
    status,
    reason: status === 'error' ? (answer.reason ?? 'error') : null,
    explanation: answer.reason_explanation ?? null,
    list: scan.list,
    position: position ?? null,
    questions: answer.questions ?? [],
    checkin: entered?.id ?? null,
  })
  const view = await viewScan(tx, organizer, outcome)
  if (!reported) return view
  const checkins = await viewCheckins(
    tx,
    organizer,
    reported.checkins.filter(({ id }) => id !== entered?.id),
  )
  if (view.position) return { ...view, position: { ...view.position, checkins } }
  return {
    ...view,
    require_attention: answer.require_attention === true,
    checkin_texts: answer.checkin_texts ?? [],
    position: { ...viewReported(reported), checkins },
  }
}

/** The check-in that the scan itself has made. */
const ownCheckin = ({ checkins }: ReportedPosition, { actor, input }: AskedScan) =>
  checkins
    .filter((one) => one.device === (actor.device?.id ?? null) && one.type === input.type)
    .toSorted((a, b) => b.id - a.id)[0]

async function recordReported(
  tx: Tx,
  scan: AskedScan,
  position: number,
  { id, datetime }: ReportedCheckin,
): Promise<void> {
  const { place } = scan
  const known = await tx.get(
    sql`SELECT id FROM checkin WHERE organizer = ${place.organizer} AND (id = ${id} OR nonce = ${scan.input.nonce})`,
  )
  if (known) return
  await insertRow(tx, checkin, place, {
    ...scanColumns(tx, scan),
    datetime: readInstant(datetime) ?? tx.now,
    id,
    position,
    site: siteOf(id),
  })
}

/** Check-ins with the names of gates and devices, as far as they are known here. */
async function viewCheckins(
  tx: Tx,
  organizer: number,
  checkins: readonly ReportedCheckin[],
): Promise<EarlierCheckin[]> {
  const names = async (table: 'gate' | 'device', ids: readonly (number | null)[]) => {
    const wanted = ids.filter((id) => id !== null)
    if (wanted.length === 0) return new Map<number, string>()
    const rows = await tx.all<{ id: number; name: string }>(
      table === 'gate'
        ? sql`SELECT id, name FROM gate WHERE organizer = ${organizer} AND id IN (${join(wanted)})`
        : sql`SELECT id, name FROM device WHERE organizer = ${organizer} AND id IN (${join(wanted)})`,
    )
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const gates = await names(
    'gate',
    checkins.map(({ gate }) => gate),
  )
  const devices = await names(
    'device',
    checkins.map(({ device }) => device),
  )
  return checkins.map(({ datetime, type, gate, device, auto_checked_in }) => ({
    datetime,
    type,
    gate: gates.get(gate ?? 0) ?? null,
    device: devices.get(device ?? 0) ?? null,
    auto_checked_in,
  }))
}

/** A ticket that is not known here yet. */
const viewReported = (reported: ReportedPosition): Omit<ScannedPosition, 'checkins'> => {
  const nameOf = (one: Named | number | null): Multilingual | null =>
    typeof one === 'object' && one !== null ? (one.name ?? one.value ?? null) : null
  return {
    id: reported.id,
    order: reported.order,
    positionid: reported.positionid,
    attendee_name: reported.attendee_name,
    item_name: nameOf(reported.item) ?? {},
    item_color: colorOf((typeof reported.item === 'object' && reported.item.meta_data) || {}),
    variation_name: nameOf(reported.variation),
    subevent_name: nameOf(reported.subevent),
    seat: reported.seat,
    secret: reported.secret,
    addons: [],
    order_status: reported.order__status ?? 'p',
  }
}
