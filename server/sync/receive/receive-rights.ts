import sql, { join } from 'sql-template-tag'
import { siteOf } from '../../../schema/sites.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { entersEvent } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { recordConflict } from '../../services/checkin/conflict-rows.ts'
import { type ReportLimit, reportLimit, unlimited } from '../../services/devices/report-limit.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Applied } from './applier.ts'
import { devicesById, type KnownDevice, type SiteRange } from './senders.ts'

/** Who reports facts, and how far that is believed. */
export interface Sender {
  readonly organizer: number
  /** The device whose credential was shown, or whose file was brought. */
  readonly device: KnownDevice
  /** A person with the right to do so vouches for the facts: they may be of any device of the organizer. */
  readonly isVouchedFor: boolean
  /** A person has chosen these very facts to be taken in: they may be of a device that may not do such a thing. */
  readonly isApproved?: boolean
}

/** What is known of the places and devices that some facts name. */
export interface Surroundings {
  readonly devices: ReadonlyMap<number, KnownDevice>
  readonly events: ReadonlySet<number>
}

/** The devices and events that some facts name. */
export async function surroundingsOf(
  db: Queryable,
  organizer: number,
  facts: readonly SentFact[],
): Promise<Surroundings> {
  const devices = new Set(facts.flatMap(({ device }) => (device === null ? [] : [device])))
  const events = new Set(facts.map(({ event }) => event))
  const found = await db.all<{ id: number }>(
    sql`SELECT id FROM event WHERE organizer = ${organizer} AND id IN (${join([...events])})`,
  )
  return {
    devices: await devicesById(db, organizer, [...devices]),
    events: new Set(found.map(({ id }) => id)),
  }
}

const refusal = (reason: string, detail: string): Applied => ({ status: 'rejected', reason, detail })

const forbidden = refusal('forbidden', 'This device may not report what happened there.')

const unknownDevice: Applied = {
  status: 'retry',
  reason: 'unknown_device',
  detail: 'The device where it happened is not known here yet.',
}

const unknownSite: Applied = {
  status: 'retry',
  reason: 'unknown_site',
  detail: 'The number under which it happened is not known here yet.',
}

/** Whether a hub has given the site to one of its own devices. */
export const isBelow = ({ ranges }: KnownDevice, other: number): boolean =>
  ranges.some(([first, end]) => other > first && other < end)

/** Whether a site is that of a device itself, now or as far as is written down. */
export const isOf = ({ site, ranges }: KnownDevice, other: number): boolean =>
  other === site || ranges.some(([first]) => other === first)

/** How much a sender may still report today; a person who vouches for facts may bring as many as there are. */
export const limitOf = (
  tx: Tx,
  { organizer, device, isVouchedFor, isApproved }: Sender,
): Promise<ReportLimit> =>
  isVouchedFor || isApproved
    ? Promise.resolve(unlimited)
    : reportLimit(tx, tx.now, { organizer, device: device.id, isHub: device.ranges.length > 0 })

/** What is answered to what is more than that. */
export const beyondLimit: Applied = {
  status: 'retry',
  reason: 'report_limit',
  detail: 'This device has reported as much as is taken in a day. The rest follows tomorrow.',
}

/** Records, once for each day, that a device reports more than it can have done, in the first event that it names. */
export async function recordReportLimit(
  tx: Tx,
  { organizer, device }: Sender,
  { day, most }: ReportLimit,
  { events }: Surroundings,
): Promise<void> {
  const [event] = events
  if (event === undefined) return
  await recordConflict(
    tx,
    { organizer, event },
    {
      key: `${device.id}/${day}`,
      kind: 'report_limit',
      severity: 'warning',
      position: null,
      list: null,
      checkin: null,
      other_checkin: null,
      device: device.id,
      other_device: null,
      datetime: tx.now,
      other_datetime: null,
      data: { facts: most.facts, bytes: most.bytes },
    },
  )
}

/** Why a fact is not accepted from its sender, or null. */
export async function refusalOf(
  tx: Tx,
  sender: Sender,
  { devices, events }: Surroundings,
  fact: SentFact,
): Promise<Applied | null> {
  if (fact.event !== 0 && !events.has(fact.event))
    return refusal('unknown_event', 'There is no such event here.')
  const { device } = sender
  if (fact.site === tx.site) return refusal('forbidden', 'It claims to have happened at this server itself.')
  if (sender.isVouchedFor) return fact.device === null || devices.has(fact.device) ? null : unknownDevice
  if (fact.event !== 0 && !entersEvent(device.actor, sender.organizer, fact.event))
    return refusal('forbidden', 'This device may not enter the event.')
  if (fact.device === null || fact.device === device.id) {
    const isOwn = isOf(device, fact.site) || isBelow(device, fact.site)
    if (isOwn || (await isFormerSite(tx, device, fact.site))) return null
    return (await mayBeGiven(tx, fact.site)) ? unknownSite : forbidden
  }
  // One of a hub's own devices: a station below it, or one that only asks the hub and so does things at the hub itself.
  if (!isBelow(device, fact.site) && !isOf(device, fact.site))
    return (await mayBeGiven(tx, fact.site)) ? unknownSite : forbidden
  const other = devices.get(fact.device)
  if (!other) return unknownDevice
  const home = other.site ?? siteOf(other.id)
  return isBelow(device, home) || isOf(device, home) ? null : forbidden
}

/**
 * Whether a site can be one that a device had before it joined anew, as it does when its data was an old copy: it was
 * given out here, and no other device has it. What happened under the former number is still to be reported. A hub that
 * has joined anew itself has given out sites of the ranges that it had then.
 */
async function isFormerSite(db: Queryable, device: KnownDevice, site: number): Promise<boolean> {
  const taken = await db.get(
    sql`SELECT id FROM device WHERE organizer = ${device.organizer} AND id <> ${device.id} AND id NOT IN (SELECT device FROM upstream)
          AND (site = ${site} OR (site < ${site} AND site_end > ${site}))`,
  )
  if (taken) return false
  const rows = await db.all<{ own: number; former_sites: string }>(
    sql`SELECT id IN (SELECT device FROM upstream) AS own, former_sites FROM device
        WHERE organizer = ${device.organizer} AND former_sites IS NOT NULL AND id <> ${device.id}`,
  )
  const isWithin = (isOwn: boolean): boolean =>
    rows
      .filter(({ own }) => Boolean(own) === isOwn)
      .flatMap(({ former_sites }) => JSON.parse(former_sites) as SiteRange[])
      .some(([first, end]) => site >= first && site < end)
  if (isWithin(false)) return false
  const given = await db.get(sql`SELECT id FROM node WHERE id = 1 AND site < ${site} AND next_site > ${site}`)
  return given !== undefined || isWithin(true)
}

/**
 * Whether a hub may have given a site and not know it any more: its disk was put back to before that. Once it has
 * noticed, it has other sites, and all of the former ones may have been given.
 */
const mayBeGiven = async (db: Queryable, site: number): Promise<boolean> =>
  (await db.get(
    sql`SELECT node.id FROM node JOIN upstream ON upstream.id = 1
        WHERE node.id = 1 AND node.next_site <= ${site} AND node.site_end > ${site}`,
  )) !== undefined
