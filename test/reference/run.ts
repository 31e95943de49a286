import sql from 'sql-template-tag'
import { type Env, realEnv } from '../../server/env.ts'
import { pick, seeded } from '../fuzz/invent.ts'
import {
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../support/servers/servers.ts'
import { openAccount, refuse, statement } from './back-office.ts'
import { create, touch } from './crud.ts'
import { alter, cart, counter, look, open, pay, scan, sell, transition } from './evening.ts'
import { asking } from './exchange.ts'
import { admit, seatHall, sitDown, wristband } from './hall.ts'
import type { Source } from './made-up.ts'
import { audit, employ, label, settle } from './office.ts'
import { firstId, Pairs } from './pairs.ts'
import { bill, report, typeset, upload } from './printed.ts'
import { catalogue, type Described, entrance, organizer, series } from './resources.ts'
import { club, enrol, serve } from './staff.ts'
import { Diverged, Stage } from './stage.ts'

/** A sequence of requests about one subject. */
export type Subject =
  | 'catalogue'
  | 'entrance'
  | 'organizer'
  | 'series'
  | 'evening'
  | 'hall'
  | 'doors'
  | 'paper'
  | 'staff'
  | 'settings'
  | 'books'
  | 'bank'

/** In the order of their turns. */
export const subjects: readonly Subject[] = [
  'evening',
  'catalogue',
  'evening',
  'entrance',
  'organizer',
  'evening',
  'series',
  'hall',
  'doors',
  'paper',
  'staff',
  'settings',
  'books',
  'bank',
]

const gala = {
  name: { en: 'Gala' },
  slug: 'gala',
  date_from: '2030-06-01T18:00:00Z',
  currency: 'EUR',
  timezone: 'UTC',
  plugins: [],
}

const plugins = ['autocheckin', 'badges', 'ticketoutputpdf'].map((name) => `pretix.plugins.${name}`)

/** Everything that happens to resources of some kinds: they are created, read, listed, changed and deleted. */
async function tend(source: Source, resources: readonly Described[], times: number): Promise<void> {
  for (const resource of resources) {
    await create(source, resource, 0)
    await create(source, resource, 0)
  }
  for (let time = 0; time < times; time += 1) {
    const resource = pick(source.draw, resources)
    await (source.draw() < 0.35 ? create(source, resource, 0.25) : touch(source, resource))
  }
}

const steps = [sell, sell, sell, transition, pay, alter, scan, scan, scan, look, look, look, cart, counter]

async function evening(source: Source, times: number): Promise<void> {
  await open(source)
  for (const resource of [...entrance, ...organizer.slice(0, 3)].filter(
    ({ kind }) => kind !== 'checkin_list',
  ))
    await create(source, resource, 0)
  await sell(source)
  for (let time = 0; time < times; time += 1) await pick(source.draw, steps)(source)
}

type Step = (source: Source) => Promise<void>

/** Sequences that begin with the catalogue of an evening and what belongs to the organizer. */
const afterOpening: Readonly<Partial<Record<Subject, { first: readonly Step[]; steps: readonly Step[] }>>> = {
  hall: { first: [seatHall], steps: [sitDown] },
  doors: { first: [sell, sell, sell], steps: [admit, admit, wristband, sell] },
  paper: { first: [sell, sell], steps: [typeset, upload, bill, bill, report, sell] },
  staff: { first: [enrol], steps: [serve, serve, club, club, enrol] },
  settings: { first: [employ], steps: [settle, settle, label] },
  bank: {
    first: [openAccount, sell, sell, sell],
    steps: [statement, statement, refuse, sell, transition, pay],
  },
  books: { first: [sell, sell], steps: [audit, audit, audit, sell, transition, pay, alter] },
}

/** Plays one sequence until it ends or the servers hold different things. */
export async function play(stage: Stage, subject: Subject, seed: number, times: number): Promise<void> {
  const source: Source = { draw: seeded(seed), stage }
  try {
    if (subject !== 'organizer')
      await stage.ask(
        'POST',
        'events/',
        subject === 'series'
          ? { ...gala, slug: 'tour', has_subevents: true }
          : { ...gala, plugins: subject in afterOpening ? plugins : [] },
      )
    const opened = afterOpening[subject]
    if (opened) {
      await open(source)
      for (const resource of organizer.slice(0, 4)) await create(source, resource, 0)
      for (const step of opened.first) await step(source)
      for (let time = 0; time < times; time += 1) await pick(source.draw, opened.steps)(source)
    } else if (subject === 'evening') await evening(source, times)
    else if (subject === 'catalogue') await tend(source, catalogue, times)
    else if (subject === 'series') await tend(source, series, times)
    else if (subject === 'organizer') {
      await stage.ask('POST', 'events/', gala)
      await tend(source, organizer, times)
    } else {
      await open(source)
      await tend(source, entrance, times)
    }
  } catch (error) {
    if (!(error instanceof Diverged)) throw error
  }
}

/** Our server, with ids that no other number is taken for. */
export async function startOurs(env: Env = realEnv): Promise<TestServer> {
  const server = await startTestServer(undefined, null, { env })
  const { transactions } = server.running
  await transactions.database.run(sql`UPDATE node SET next_id = next_id + ${2000 * firstId}`)
  // The ids that were handed out in advance are used up first.
  while ((await transactions.write(async (tx) => tx.nextId())) < firstId);
  return server
}

/** Adds an organizer to our server, whose token is its name; its team is called as the reference's. */
export const addOurs = (server: TestServer, slug: string): Promise<void> =>
  server.running.transactions.write(async (tx) =>
    addToken(tx, await addOrganizer(tx, slug), slug, { ...allRights, name: 'all' }),
  )

/** Plays sequences on both servers until they were asked so many requests; calls back after each. */
export async function runAgainst(
  url: string,
  {
    requests,
    seed,
    first,
    only,
    times = 60,
  }: { requests: number; seed: number; first: number; only?: Subject; times?: number },
  each: (stage: Stage, subject: Subject, seed: number) => void,
): Promise<void> {
  const server = await startOurs()
  try {
    let asked = 0
    for (let number = 0; asked < requests; number += 1) {
      const slug = `reference-${first + number}`
      await addOurs(server, slug)
      const stage = new Stage(slug, {
        ours: asking(server.url, slug),
        theirs: asking(url, slug),
        pairs: new Pairs(),
      })
      const subject = only ?? subjects[number % subjects.length] ?? 'evening'
      await play(stage, subject, seed + number, times)
      asked += stage.exchanges.length
      each(stage, subject, seed + number)
    }
  } finally {
    await server.close()
  }
}
