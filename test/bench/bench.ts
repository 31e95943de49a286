import { measureBesideAttacks } from './body-attacks.ts'
import { measureBoxOffice } from './box-office.ts'
import { measureClerk } from './clerk.ts'
import { measureDecisions } from './decision.ts'
import { type Figure, printFigures, shownTime } from './figures.ts'
import { measureBesideHeavyRequests } from './heavy-requests.ts'
import { measurePrinting } from './printing.ts'
import { measureRedeeming } from './redeem-http.ts'
import { measureSearch } from './search.ts'
import { measureSeatPlan } from './seat-plan.ts'
import { measureSelling } from './selling.ts'
import { measureSync } from './sync.ts'
import { buildVenue, onPostgres, type Venue } from './venue.ts'

const small = 100_000
const large = 1_000_000

/** Milliseconds within which a scan is answered whatever strangers do. */
const patience = 50

const rate = (perSecond: number): string => `${perSecond.toFixed(0)}/s`

/** Measures everything in one run, each thing in turns with what it is compared with; printed as it comes. */
async function measure(): Promise<Figure[]> {
  const figures: Figure[] = []
  const note = (...more: readonly Figure[]): void => {
    figures.push(...more)
    printFigures(more)
  }
  console.log(`Filling a venue with ${small} tickets …`)
  const venue = await buildVenue(small)
  note(...(await redeemingOnPostgres(venue)))
  console.log('Redeeming over HTTP …')
  note(...redeemFigures('', await measureRedeeming(venue)))
  console.log('Redeeming while a stranger attacks …')
  for (const { attack, quiet, attacked } of await measureBesideAttacks())
    note({
      what: `redeem beside ${attack} bodies from a stranger: p99 against alone`,
      ours: shownTime(attacked),
      against: shownTime(quiet),
      ratio: attacked / patience,
      goal: { atMost: 1 },
    })
  console.log('Redeeming beside heavy requests …')
  for (const { heavy, quiet, beside } of await measureBesideHeavyRequests())
    note({
      what: `redeem, ${heavy}: p99 against alone`,
      ours: shownTime(beside),
      against: shownTime(quiet),
      ratio: beside / patience,
      goal: { atMost: 1 },
    })
  console.log('Searching …')
  const search = await measureSearch(venue)
  note({
    what: `search over HTTP in ${small} tickets: p50, p99`,
    ours: `${shownTime(search.ours.p50)}, ${shownTime(search.ours.p99)}`,
    against: `${shownTime(search.raw.p50)}, ${shownTime(search.raw.p99)}`,
    ratio: search.ours.p99 / 20,
    goal: { atMost: 1 },
  })
  console.log('Deciding …')
  const inSmall = await measureDecisions(venue)
  note(decisionsIn(small, inSmall))
  console.log('Selling …')
  note(...(await measureSelling(venue)))
  console.log('At a till …')
  note(...(await measureBoxOffice(venue)))
  await venue.clean()
  console.log('At the screen of a till …')
  note(...(await measureClerk()))
  note(...(await measureSeatPlan()))
  console.log('At a printer …')
  for (const kind of ['plain', 'with a background'] as const) note(...(await measurePrinting(kind)))
  console.log('Stations, a hub and central …')
  figures.push(...(await measureSync(true)))
  console.log(`Filling a venue with ${large} tickets …`)
  const larger = await buildVenue(large)
  const inLarge = await measureDecisions(larger)
  await larger.clean()
  note(decisionsIn(large, inLarge), {
    what: `decision in ${large} tickets against ${small}: p50`,
    ours: shownTime(inLarge.ours.p50),
    against: shownTime(inSmall.ours.p50),
    ratio: inLarge.ours.p50 / inSmall.ours.p50,
    goal: { atMost: 1.5 },
  })
  return figures
}

/** Lines for redeeming over HTTP, one for each number of clients. */
const redeemFigures = (engine: string, paces: Awaited<ReturnType<typeof measureRedeeming>>): Figure[] =>
  [...paces].map(([clients, { ours, bare, ratio }]) => ({
    what: `redeem over HTTP${engine}, ${clients} client(s): answers, p99`,
    ours: `${rate(ours.perSecond)}, ${shownTime(ours.p99)}`,
    against: `${rate(bare.perSecond)}, ${shownTime(bare.p99)}`,
    ratio,
    goal: engine ? null : { atLeast: clients === 1 ? 0.5 : 1.5 },
  }))

/** The same on the PostgreSQL server of the tests, where there is one; before any ticket of the venue is used. */
async function redeemingOnPostgres(venue: Venue): Promise<Figure[]> {
  const server = process.env.GATEHOUSE_TEST_POSTGRES
  if (!server) return []
  console.log('Redeeming over HTTP on PostgreSQL …')
  const { address, drop } = await onPostgres(venue, server)
  const paces = await measureRedeeming(venue, address)
  await drop()
  return redeemFigures(' on PostgreSQL', paces)
}

const decisionsIn = (count: number, { ours, raw }: Awaited<ReturnType<typeof measureDecisions>>): Figure => ({
  what: `decision in ${count} tickets: p50, p99`,
  ours: `${shownTime(ours.p50)}, ${shownTime(ours.p99)}`,
  against: `${shownTime(raw.p50)}, ${shownTime(raw.p99)}`,
  ratio: ours.p99 / raw.p99,
  goal: { atMost: 5 },
})

const figures = await measure()
console.log('\nAll of it:')
printFigures(figures)
