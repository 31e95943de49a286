import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { siteOf } from '../../../schema/sites.ts'
import { blankRow } from '../../resource/defaults.ts'
import { check, isObject } from '../../resource/input.ts'
import { findRow, insertRow, lockRow, storedFields, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Applied, Applier } from './applier.ts'
import { settledMoments } from './reported-row.ts'
import type { SiteRange } from './senders.ts'

const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength }) as const
const moment = { type: 'string', format: 'date-time' } as const
const number = { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const schema = {
  type: 'object',
  required: ['row'],
  properties: {
    row: {
      type: 'object',
      required: ['id', 'device_id', 'unique_serial', 'name', 'created'],
      properties: {
        id: { ...number, type: 'integer' },
        device_id: { ...number, type: 'integer' },
        unique_serial: { type: 'string', maxLength: 190 },
        name: { type: 'string', maxLength: 190 },
        all_events: { type: 'boolean' },
        limit_events: { type: 'array', items: { type: 'string' }, maxItems: 10000 },
        security_profile: device.fields.security_profile,
        gate: number,
        revoked: { type: 'boolean' },
        created: moment,
        initialized: { ...moment, type: ['string', 'null'] },
        hardware_brand: text(190),
        hardware_model: text(190),
        os_name: text(190),
        os_version: text(190),
        software_brand: text(190),
        software_version: text(190),
        update_channel: device.fields.update_channel,
        update_failure: text(190),
        token_hash: text(64),
        site: number,
        site_end: number,
        former_sites: {
          type: ['array', 'null'],
          maxItems: 1000,
          items: { type: 'array', minItems: 2, maxItems: 2, items: { ...number, type: 'integer' } },
        },
      },
    },
  },
} as const

const columns = Object.keys(schema.properties.row.properties)

type DeviceRow = StoredRow<typeof device>

/** A device as its hub reports it: an older program does not know all of its fields. */
type ReportedDevice = Partial<DeviceRow> & Pick<DeviceRow, (typeof schema.properties.row.required)[number]>

/** What a device is recognised by: once it has some, a row that lacks it is from before. */
const access: readonly string[] = ['token_hash', 'initialized', 'site', 'former_sites']

const refused = (detail: string): Applied => ({ status: 'rejected', reason: 'forbidden', detail })

/** Makes a hub's own device known here, or brings it up to date: with its token it can go past the hub. */
export const applyDevice: Applier = async (tx, { place: { organizer }, sender, actor }, fact) => {
  const { row: sent } = fact.payload as { row?: unknown }
  const settled = isObject(sent) ? settledMoments(storedFields(device), sent) : {}
  check(schema, { row: settled })
  const reported = settled as ReportedDevice
  const place = { organizer, event: 0 }
  const hub = await findRow(tx, device, place, { id: sender.device })
  const ranges = hub ? rangesOf(hub) : []
  if (!hub || !ranges.some(([first, end]) => isWithin(siteOf(reported.id), first, end)))
    return refused('A hub may only report its own devices.')
  if (!sitesIn(reported).every((given) => ranges.some((own) => isGivenFrom(given, own))))
    return refused('The site of this device is not one that its hub may give away.')
  const before = await lockRow(tx, device, place, { id: reported.id })
  const row = { ...limited(reported, hub), gate: await knownGate(tx, place, reported.gate) }
  if (before) {
    // Access that was taken away here stays so, whatever the hub says; the number may have been given here anew.
    const { id, device_id, created, ...changes } = row
    await updateRow(tx, device, place, {
      id,
      ...withoutLoss(before, changes),
      revoked: before.revoked || row.revoked === true,
    })
  } else
    await insertRow(tx, device, place, {
      ...blankRow(device),
      ...row,
      device_id: await freeNumber(tx, organizer, reported.device_id),
    })
  tx.audit(place, actor, {
    action: `ticketsvc.device.${before ? 'changed' : 'added'}`,
    resource: device.name,
    row: reported.id,
  })
  return { status: 'applied' }
}

/** The sites that a hub has or had, from the first on and before the second; the first of each is its own. */
function rangesOf({ site, site_end, former_sites }: DeviceRow): readonly SiteRange[] {
  const former = former_sites ?? []
  return site_end === null ? former : [[site ?? 0, site_end], ...former]
}

const isWithin = (site: number, first: number, end: number): boolean => site >= first && site < end

/** Whether some sites are all of a range and none of them the hub's own. */
const isGivenFrom = ([first, end]: SiteRange, [own, ownEnd]: SiteRange): boolean =>
  first > own && end > first && end <= ownEnd

/** The sites that a device has or had itself: one, or a range where it is a hub. */
function sitesIn({ site, site_end, former_sites }: ReportedDevice): readonly SiteRange[] {
  const former = former_sites ?? []
  if (typeof site !== 'number') return former
  return [[site, typeof site_end === 'number' ? site_end : site + 1], ...former]
}

/**
 * Changes without those that take away what a device is recognised by. A hub whose disk was put back reports a device
 * as it was before that was set up; whoever must not be admitted any more is revoked.
 */
function withoutLoss(before: DeviceRow, changes: Partial<DeviceRow>): Partial<DeviceRow> {
  // A hub that becomes a station has a site and no range; one that has no site is from before it had a range.
  const neverCleared = new Set([...access, ...(changes.site === null ? ['site_end'] : [])])
  const cells: JsonObject = before
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => value !== null || cells[name] === null || !neverCleared.has(name),
    ),
  )
}

/** A device of a hub may do no more than the hub itself. */
function limited(reported: ReportedDevice, hub: DeviceRow): ReportedDevice {
  const row = Object.fromEntries(
    Object.entries(reported).filter(([name]) => columns.includes(name)),
  ) as ReportedDevice
  const events = reported.limit_events ?? []
  const ofHub = hub.limit_events
  const isFull = hub.security_profile === 'full'
  return {
    ...row,
    ...(hub.all_events
      ? {}
      : {
          all_events: false,
          limit_events: reported.all_events ? ofHub : events.filter((slug) => ofHub.includes(slug)),
        }),
    ...(isFull ? {} : { security_profile: hub.security_profile }),
  }
}

async function knownGate(
  tx: Tx,
  { organizer }: Place,
  gate: number | null | undefined,
): Promise<number | null> {
  if (gate === null || gate === undefined) return null
  const row = await tx.get<{ id: number }>(
    sql`SELECT id FROM gate WHERE organizer = ${organizer} AND id = ${gate}`,
  )
  return row?.id ?? null
}

/** The number that the hub gave, or the next one where it was given here meanwhile. */
async function freeNumber(tx: Tx, organizer: number, wanted: number): Promise<number> {
  await tx.get(sql`SELECT id FROM organizer WHERE id = ${organizer}${tx.forUpdate}`)
  const taken = await tx.get(
    sql`SELECT id FROM device WHERE organizer = ${organizer} AND device_id = ${wanted}`,
  )
  if (!taken) return wanted
  const last = await tx.get<{ last: number }>(
    sql`SELECT max(device_id) AS last FROM device WHERE organizer = ${organizer}`,
  )
  return (last?.last ?? 0) + 1
}
