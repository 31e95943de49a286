import sql, { join } from 'sql-template-tag'
import { readInstant } from '../../schema/instants.ts'
import { checkin } from '../../schema/resources/checkin/checkin.ts'
import { siteOf } from '../../schema/sites.ts'
import type { Reason } from '../domain/checkin/checkin.ts'
import type { Actor } from '../resource/actor.ts'
import type { RowData } from '../resource/codec.ts'
import { blankRow } from '../resource/defaults.ts'
import { insertRow } from '../resource/store.ts'
import type { Tx } from '../resource/transactions.ts'
import type { ListAt } from '../services/checkin/checkin-lists.ts'
import type { RedeemInput } from '../services/checkin/redeem-input.ts'
import { type PositionCells, selectPositions } from '../services/orders/positions.ts'
import { scanShown } from './scan-view.ts'

/** A check-in as the answer to a scan shows it. */
interface ToldPass {
  readonly id: number
  readonly datetime: string
  readonly type: string
  readonly gate: number | null
  readonly device: number | null
  readonly auto_checked_in: boolean
}

interface Named {
  readonly id: number
  readonly name?: unknown
  readonly value?: unknown
}

interface ToldPosition {
  readonly id: number
  readonly order: string
  readonly positionid: number
  readonly attendee_name: string | null
  readonly item: Named | number
  readonly variation: Named | number | null
  readonly subevent: Named | number | null
  readonly seat: unknown
  readonly secret: string
  readonly order__status?: string
  readonly checkins: readonly ToldPass[]
}

/** What the server above says of a scan: the answer of its redeeming endpoint. */
export interface Ruling {
  readonly status: 'ok' | 'incomplete' | 'error'
  readonly reason?: Reason
  readonly reason_explanation?: string | null
  readonly require_attention?: boolean
  readonly checkin_texts?: readonly string[]
  readonly position?: ToldPosition
  readonly questions?: readonly RowData[]
}

/**
 * What the server above has decided, as the screens of a station show it. An entry is noted here under the number that
 * it has there, as the changes will bring it, so that the next scan knows of it at once.
 */
export async function rulingShown(
  tx: Tx,
  actor: Actor,
  organizer: number,
  list: ListAt,
  input: RedeemInput,
  ruling: Ruling,
): Promise<RowData> {
  const { status, position: told } = ruling
  const [position] = told
    ? await selectPositions(tx, sql`p.organizer = ${organizer} AND p.id = ${told.id}`, sql`p.id`)
    : []
  const entered = status === 'ok' && told ? ownPass(told, actor, input) : undefined
  if (entered && position) await notePass(tx, actor, organizer, list, position, input, entered)
  const shown = await scanShown(tx, organizer, {
    status,
    reason: status === 'error' ? (ruling.reason ?? 'error') : status === 'incomplete' ? 'incomplete' : null,
    explanation: ruling.reason_explanation ?? null,
    list,
    position: position ?? null,
    questions: ruling.questions ?? [],
    checkin: entered?.id ?? null,
    fact: null,
  })
  if (!told) return shown
  const checkins = await passesShown(tx, organizer, told.checkins, entered?.id)
  if (position) return { ...shown, position: { ...(shown.position as RowData), checkins } }
  return {
    ...shown,
    require_attention: ruling.require_attention === true,
    checkin_texts: ruling.checkin_texts ?? [],
    position: { ...positionShown(told), checkins },
  }
}

/** The check-in that the scan itself has made. */
const ownPass = ({ checkins }: ToldPosition, { device }: Actor, { type }: RedeemInput) =>
  checkins
    .filter((one) => one.device === (device?.id ?? null) && one.type === type)
    .toSorted((a, b) => b.id - a.id)[0]

async function notePass(
  tx: Tx,
  actor: Actor,
  organizer: number,
  list: ListAt,
  position: PositionCells,
  input: RedeemInput,
  { id, datetime }: ToldPass,
): Promise<void> {
  const known = await tx.get(
    sql`SELECT id FROM checkin WHERE organizer = ${organizer} AND (id = ${id} OR nonce = ${input.nonce})`,
  )
  if (known) return
  await insertRow(
    tx,
    checkin,
    { organizer, event: list.facts.event },
    {
      ...blankRow(checkin),
      id,
      position: position.id,
      list: list.facts.id,
      datetime: readInstant(datetime) ?? tx.now,
      created: tx.now,
      gate: actor.device?.gate ?? null,
      device: actor.device?.id ?? null,
      type: input.type,
      nonce: input.nonce,
      force_sent: input.force,
      raw_barcode: input.code,
      raw_source_type: input.source_type,
      site: siteOf(id),
    },
  )
}

/** Check-ins with the names of gates and devices, as far as they are known here; newest first. */
async function passesShown(
  tx: Tx,
  organizer: number,
  passes: readonly ToldPass[],
  except: number | undefined,
): Promise<RowData[]> {
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
    passes.map(({ gate }) => gate),
  )
  const devices = await names(
    'device',
    passes.map(({ device }) => device),
  )
  return passes
    .filter(({ id }) => id !== except)
    .map(({ datetime, type, gate, device, auto_checked_in }) => ({
      datetime,
      type,
      gate: gates.get(gate ?? 0) ?? null,
      device: devices.get(device ?? 0) ?? null,
      auto_checked_in,
    }))
}

/** A ticket that is not known here yet. */
const positionShown = (told: ToldPosition): RowData => {
  const nameOf = (one: Named | number | null): unknown =>
    typeof one === 'object' && one !== null ? (one.name ?? one.value ?? null) : null
  return {
    id: told.id,
    order: told.order,
    positionid: told.positionid,
    attendee_name: told.attendee_name,
    item_name: nameOf(told.item) ?? {},
    variation_name: nameOf(told.variation),
    subevent_name: nameOf(told.subevent),
    seat: told.seat,
    secret: told.secret,
    addons: [],
    order_status: told.order__status ?? 'p',
  }
}
