import sql from 'sql-template-tag'
import { permissions } from '../../../schema/permissions.ts'
import { event } from '../../../schema/resources/events/event.ts'
import type { Language } from '../../../schema/texts/translate.ts'
import { demoPlan } from '../../domain/demo/demo-plan.ts'
import type { DemoPlan } from '../../domain/demo/plan.ts'
import { type SampleTicket, sampleTickets } from '../../domain/demo/samples.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { commandActor, createOrganizer, createTeam, createTeamToken } from '../accounts/accounts.ts'
import { eventById } from '../events/events.ts'
import { createOrders } from '../orders/order-drafts.ts'
import { makeDemoCatalogue } from './demo-catalogue.ts'
import { demoOrderDraft } from './demo-orders.ts'

/** The tickets to try out, in English, in German, and in the language in which the demo was made. */
type Samples = Readonly<Partial<Record<Language, readonly SampleTicket[]>>> & {
  readonly en: readonly SampleTicket[]
  readonly de: readonly SampleTicket[]
}

/** The demo event as it stands in the database. */
export interface Demo {
  readonly organizer: string
  readonly event: string
  readonly place: Place
  readonly samples: Samples
}

/** Tells how many of all orders are made. */
export type Progress = (done: number, total: number) => void

/** Few enough that other requests are answered in between. */
const ordersAtOnce = 50

/**
 * The demo event, made with all its orders where it is missing. Until it is complete it is called unfinished; one that
 * was left like this is not used.
 */
export async function makeDemo(
  transactions: Transactions,
  random: () => number,
  progress: Progress = () => {},
  language: Language = 'en',
): Promise<Demo> {
  const { database } = transactions
  const known = await findDemo(transactions)
  if (known) return known
  const plan = await transactions.write(async (tx) => demoPlan(random, tx.now, language))
  const made = await transactions.write((tx) => begin(tx, plan))
  const { place } = made
  const facts = await eventById(database, place.organizer, place.event)
  if (!facts) throw new Error('The demo event was deleted while it was being made.')
  for (let first = 0; first < plan.orders.length; first += ordersAtOnce) {
    progress(first, plan.orders.length)
    const part = plan.orders.slice(first, first + ordersAtOnce)
    const drafts = part.map((order) => demoOrderDraft(order, plan, made))
    await transactions.write((tx) => createOrders(tx, { actor: commandActor, place, event: facts }, drafts))
  }
  const demo = await transactions.write((tx) => finish(tx, place, plan))
  progress(plan.orders.length, plan.orders.length)
  return demo
}

async function begin(tx: Tx, plan: DemoPlan) {
  const { slug, name } = plan.organizer
  const known = await tx.get<{ id: number }>(sql`SELECT id FROM organizer WHERE slug = ${slug}`)
  const organizer = known?.id ?? (await createOrganizer(tx, slug, name)).id
  const { en, de, ...others } = plan.event.name
  return makeDemoCatalogue(tx, organizer, plan, {
    slug: await freeSlug(tx, organizer, `${plan.event.slug}-unfinished`),
    name: { ...others, en: `${en} (unfinished)`, de: `${de} (unfertig)` },
  })
}

async function finish(tx: Tx, place: Place, plan: DemoPlan): Promise<Demo> {
  const { organizer } = place
  const { language } = plan
  const samples = {
    [language]: sampleTickets(plan, language),
    en: sampleTickets(plan, 'en'),
    de: sampleTickets(plan, 'de'),
  }
  const slug = await freeSlug(tx, organizer, plan.event.slug)
  const mark: Mark = { event: place.event, samples }
  await updateRow(
    tx,
    event,
    { organizer, event: 0 },
    {
      id: place.event,
      slug,
      name: { ...plan.event.name },
      live: true,
      settings: { ...plan.event.settings, demo: mark },
    },
  )
  return { organizer: plan.organizer.slug, event: slug, place, samples }
}

async function freeSlug(tx: Tx, organizer: number, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`
    if (!(await tx.get(sql`SELECT id FROM event WHERE organizer = ${organizer} AND slug = ${slug}`)))
      return slug
  }
}

/** What the settings of a complete demo event keep; those of its copies have it too, so it says of which event it is. */
interface Mark {
  readonly event: number
  readonly samples: Samples
}

/** The demo event that is there and complete, or undefined. */
export async function findDemo({ database }: { readonly database: Queryable }): Promise<Demo | undefined> {
  const rows = await database.all<{ organizer: number; id: number; slug: string; settings: string }>(
    sql`SELECT event.organizer, event.id, event.slug, event.settings FROM event
        JOIN organizer ON organizer.id = event.organizer WHERE organizer.slug = 'demo' ORDER BY event.id DESC`,
  )
  for (const { organizer, id, slug, settings } of rows) {
    const { demo }: { demo?: Mark } = JSON.parse(settings)
    if (demo?.event === id)
      return { organizer: 'demo', event: slug, place: { organizer, event: id }, samples: demo.samples }
  }
  return undefined
}

const demoTeam = 'Demo'

/** A fresh token that may do everything with the demo. */
export const demoToken = (transactions: Transactions, demo: Demo) =>
  transactions.write(async (tx) => {
    const { organizer } = demo.place
    const known = await tx.get<{ id: number }>(
      sql`SELECT id FROM team WHERE organizer = ${organizer} AND name = ${demoTeam} ORDER BY id`,
    )
    const rights = { permissions, allEvents: true, events: [] }
    const team = known?.id ?? (await createTeam(tx, organizer, demoTeam, rights)).id
    return createTeamToken(tx, organizer, team, 'demo')
  })
