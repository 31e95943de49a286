import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import type { Actor } from '../../server/resource/actor.ts'
import { listsById } from '../../server/services/checkin/checkin-lists.ts'
import { redeem } from '../../server/services/checkin/redeem.ts'
import type { RedeemInput } from '../../server/services/checkin/redeem-input.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { plainScan } from '../support/ticketing/scans.ts'
import { crowdSecret } from '../support/ticketing/ticket-crowd.ts'
import { median, percentile } from './figures.ts'
import { openRaw, overheard, type Sample } from './statements.ts'
import type { Venue } from './venue.ts'

const rounds = 6
const scansPerRound = 400

/** Times of single transactions in milliseconds: the middle one, and the one that 99 of 100 do not exceed. */
export interface Times {
  readonly p50: number
  readonly p99: number
}

/** What a decision costs, and the same statements run by the database library alone. */
interface DecisionTimes {
  readonly ours: Times
  readonly raw: Times
  readonly statements: readonly string[]
}

const actor: Actor = {
  kind: 'token',
  id: 1,
  name: 'bench',
  organizer: null,
  permissions: new Set(),
  allEvents: true,
  events: new Set(),
  device: null,
}

const scanOf = (code: string): RedeemInput => ({ ...plainScan, code, nonce: `nonce-${code}` })

const timesOf = (measured: readonly (readonly number[])[]): Times => ({
  p50: median(measured.map((round) => percentile(round, 0.5))),
  p99: median(measured.map((round) => percentile(round, 0.99))),
})

/** Measures decisions one after the other on a venue, in turns with the same statements without anything around them. */
export async function measureDecisions(venue: Venue): Promise<DecisionTimes> {
  const { database, listen } = overheard(openSqlite(venue.file))
  const transactions = await openData(database, realEnv)
  const [list] = await listsById(database, venue.place.organizer, [venue.list])
  if (!list) throw new Error('The venue has no list.')
  let next = 0
  const nextCode = (): string => {
    next += 1
    return crowdSecret(venue.prefix, next)
  }
  const decide = async (code: string): Promise<void> => {
    const { status } = await transactions.write((tx) =>
      redeem(tx, { actor, organizer: venue.place.organizer, lists: [list], input: scanOf(code) }),
    )
    if (status !== 'ok') throw new Error(`A scan was answered ${status}.`)
  }

  // The first one also fetches ids for those that follow.
  await decide(nextCode())
  const samples: Sample[] = []
  for (let time = 0; time < 2; time += 1) {
    const code = nextCode()
    const said = await listen(() => decide(code))
    samples.push({ code, said })
  }
  const raw = openRaw(venue.file, samples)
  const ours: number[][] = []
  const alone: number[][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const times: number[] = []
    const bare: number[] = []
    for (let scan = 0; scan < scansPerRound; scan += 1) {
      const code = nextCode()
      const start = performance.now()
      await decide(code)
      times.push(performance.now() - start)
    }
    for (let scan = 0; scan < scansPerRound; scan += 1) {
      const carryOut = raw.prepare(nextCode())
      const start = performance.now()
      carryOut()
      bare.push(performance.now() - start)
    }
    // The first round only warms up.
    if (round > 0) {
      ours.push(times)
      alone.push(bare)
    }
  }
  raw.close()
  await transactions.release()
  await database.close()
  return {
    ours: timesOf(ours),
    raw: timesOf(alone),
    statements: (samples[0]?.said ?? []).map((one) => one.text),
  }
}
