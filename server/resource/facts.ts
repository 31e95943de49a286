import sql, { bulk } from 'sql-template-tag'
import type { Queryable } from '../storage/database.ts'

/** Something that happened here and is reported to the upstream server as it was; see schema/sync.ts for its kinds. */
export interface Fact {
  readonly kind: string
  readonly payload: unknown
}

/** When a fact happened, by everything that this machine can say about it. */
export interface Stamp {
  /** The machine's own clock: 27 characters, UTC. */
  readonly deviceTime: string
  /** Milliseconds since the machine's program was started, never going back. */
  readonly mono: number
  /** Which start of the program `mono` counts from. */
  readonly boot: string
  /** What was added to the machine's clock for the time of the transaction, or null while the time is not known. */
  readonly clockOffset: number | null
}

/** A fact, where it happened and at which device; what becomes of it upstream is found by its nonce. */
export interface PlacedFact {
  readonly nonce: string
  readonly place: { readonly organizer: number; readonly event: number }
  readonly device: number | null
  readonly fact: Fact
}

const unknownTime: Stamp = {
  deviceTime: '1970-01-01T00:00:00.000000Z',
  mono: 0,
  boot: '',
  clockOffset: null,
}

/**
 * What the text of a payload says. A row that was damaged on the disk has no readable one: it then holds its text, which
 * nobody takes in but users may look at.
 */
export function payloadOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // What it is then is said below.
  }
  return { unreadable: text }
}

/** Appends facts to what is reported to the upstream server, in the transaction that made them. */
export async function queueFacts(
  tx: Queryable,
  world: { readonly stamp?: () => Stamp },
  site: number,
  facts: readonly PlacedFact[],
): Promise<void> {
  const { deviceTime, mono, boot, clockOffset } = world.stamp?.() ?? unknownTime
  const last = await tx.get<{ seq: number; site_seq: number }>(
    sql`SELECT coalesce((SELECT max(seq) FROM outbox), 0) AS seq,
          coalesce((SELECT max(site_seq) FROM outbox WHERE site = ${site}), 0) AS site_seq`,
  )
  const rows = facts.map(({ nonce, place, device, fact }, index) => [
    (last?.seq ?? 0) + index + 1,
    nonce,
    place.organizer,
    place.event,
    fact.kind,
    JSON.stringify(fact.payload),
    site,
    (last?.site_seq ?? 0) + index + 1,
    device,
    deviceTime,
    boot,
    Math.round(mono),
    clockOffset,
    'waiting',
    0,
  ])
  await tx.run(
    sql`INSERT INTO outbox (seq, nonce, organizer, event, kind, payload, site, site_seq, device, device_time, boot, mono, clock_offset, state, attempts)
        VALUES ${bulk(rows)}`,
  )
}
