import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AttackOrder, BodyAttack } from '../support/servers/body-attacks.ts'
import { crowdSecret } from '../support/ticketing/ticket-crowd.ts'
import { percentile } from './figures.ts'
import { startClients, startOurs } from './programs.ts'
import { redeemRequest } from './redeem-http.ts'
import { buildVenue } from './venue.ts'

const attacker = new URL('../support/servers/body-attacks.ts', import.meta.url)
const attacks: readonly BodyAttack[] = ['escaped', 'nested', 'stalled']
const doors = 4
const warmUp = 6000
const scansEach = 1000

/** The 99th percentile of the times of scans, alone and while a stranger sends bodies of some kind. */
export interface BesideAttack {
  readonly attack: BodyAttack
  readonly quiet: number
  readonly attacked: number
}

/** Runs something while a stranger attacks. */
async function besideAttack<T>(order: AttackOrder, run: () => Promise<T>): Promise<T> {
  const thread = new Worker(attacker, { workerData: order })
  await once(thread, 'online')
  const result = await run()
  const over = once(thread, 'message')
  thread.postMessage('end')
  await over
  await thread.terminate()
  return result
}

/** Measures scans at a few doors, in turns alone and beside each attack from one address. */
export async function measureBesideAttacks(): Promise<readonly BesideAttack[]> {
  const venue = await buildVenue(warmUp + 2 * attacks.length * scansEach + 1)
  const { port, stop } = await startOurs(venue.folder)
  const clients = startClients()
  let next = 0
  const scan = async (count: number): Promise<number> => {
    const requests = Array.from({ length: count }, () => {
      next += 1
      return redeemRequest(venue.list, crowdSecret(venue.prefix, next))
    })
    const { latencies } = await clients.ask({ port, connections: doors, requests, expected: 'HTTP/1.1 201' })
    return percentile(latencies, 0.99)
  }
  await scan(warmUp)
  const measured: BesideAttack[] = []
  for (const attack of attacks) {
    const quiet = await scan(scansEach)
    const attacked = await besideAttack({ port, attack, credential: '' }, () => scan(scansEach))
    measured.push({ attack, quiet, attacked })
  }
  await clients.stop()
  await stop()
  await venue.clean()
  return measured
}
