import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crowdSecret } from '../support/ticketing/ticket-crowd.ts'
import { median, percentile } from './figures.ts'
import { startBare, startClients, startOurs } from './programs.ts'
import type { Venue } from './venue.ts'

const rounds = 7
/** So many answers it takes until the engine has translated what there is to translate. */
const warmUp = 15_000
const requestsPerRound: Readonly<Record<number, number>> = { 1: 400, 32: 2500 }

/** What one kind of server did with some number of clients: answers in a second, and times of answers. */
interface Pace {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Redeeming over HTTP, and the bare server, by the number of clients. */
type RedeemPaces = ReadonlyMap<number, { readonly ours: Pace; readonly bare: Pace; readonly ratio: number }>

/** The whole request that redeems a ticket, head and body. */
export const redeemRequest = (list: number, code: string): string => {
  const body = JSON.stringify({ secret: code, lists: [list], nonce: `http-${code}` })
  return [
    'POST /api/v1/organizers/acme/checkinrpc/redeem/ HTTP/1.1',
    'Host: 127.0.0.1',
    'Authorization: Token all',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Measures both servers in turns, so that whatever else the machine does meets both; ours on the data of a venue. */
export async function measureRedeeming(venue: Venue, data = venue.folder): Promise<RedeemPaces> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bare-'))
  const ours = await startOurs(data)
  const bare = await startBare(join(folder, 'bare.sqlite'))
  const clients = startClients()
  // Tickets that the other measurements have not used.
  let next = venue.count - 1
  const codes = (count: number): string[] =>
    Array.from({ length: count }, () => {
      next -= 1
      return crowdSecret(venue.prefix, next)
    })
  const repeated = (count: number): string[] =>
    Array.from({ length: count }, () => crowdSecret(venue.prefix, 0))
  const measured = new Map<string, Pace[]>()
  for (const [name, { port }] of Object.entries({ ours, bare }))
    await clients.ask({
      port,
      connections: 32,
      requests: (name === 'ours' ? codes(warmUp) : repeated(warmUp)).map((code) =>
        redeemRequest(venue.list, code),
      ),
      expected: 'HTTP/1.1 201',
    })
  for (let round = 0; round < rounds; round += 1)
    for (const [connections, count] of Object.entries(requestsPerRound))
      for (const [name, { port }] of Object.entries({ ours, bare })) {
        const requests = (name === 'ours' ? codes(count) : repeated(count)).map((code) =>
          redeemRequest(venue.list, code),
        )
        const { took, latencies } = await clients.ask({
          port,
          connections: Number(connections),
          requests,
          expected: 'HTTP/1.1 201',
        })
        const key = `${name} ${connections}`
        const pace = {
          perSecond: (count / took) * 1000,
          p50: percentile(latencies, 0.5),
          p99: percentile(latencies, 0.99),
        }
        measured.set(key, [...(measured.get(key) ?? []), pace])
      }
  await clients.stop()
  await ours.stop()
  await bare.stop()
  await rm(folder, { recursive: true })
  const middle = (key: string): Pace => {
    const paces = measured.get(key) ?? []
    return {
      perSecond: median(paces.map((pace) => pace.perSecond)),
      p50: median(paces.map((pace) => pace.p50)),
      p99: median(paces.map((pace) => pace.p99)),
    }
  }
  const ratioOf = (connections: string): number =>
    median(
      (measured.get(`ours ${connections}`) ?? []).map(
        (pace, round) =>
          pace.perSecond / (measured.get(`bare ${connections}`)?.[round]?.perSecond ?? Number.NaN),
      ),
    )
  return new Map(
    Object.keys(requestsPerRound).map((connections) => [
      Number(connections),
      {
        ours: middle(`ours ${connections}`),
        bare: middle(`bare ${connections}`),
        ratio: ratioOf(connections),
      },
    ]),
  )
}
