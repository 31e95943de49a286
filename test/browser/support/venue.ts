import { setTimeout as pass } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { gate } from '../../../schema/resources/devices/gate.ts'
import { type Push, syncHeader } from '../../../schema/sync.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { type FaultyNetwork, faultyNetwork } from '../../support/servers/faulty-network.ts'
import {
  followed,
  key,
  makeDevice,
  openVenue,
  startNode,
  type TestNode,
  type Venue,
} from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

/** A server with an event, its tickets and its gates, for stations to be connected to. */
export interface Place {
  readonly central: TestServer
  readonly venue: Venue
  readonly gates: Readonly<Record<'North' | 'South', number>>
  /** The content of a new pairing code. */
  pairing(name: string, values?: RowData): Promise<string>
  close(): Promise<void>
}

/** Opens such a place. */
export async function openPlace(codes: readonly string[]): Promise<Place> {
  const central = await startTestServer()
  const venue = await openVenue(central, codes)
  const gates = await central.running.transactions.write(async (tx) => {
    const ids = { North: tx.nextId(), South: tx.nextId() }
    const place = { organizer: central.organizer, event: 0 }
    for (const [name, id] of Object.entries(ids))
      await insertRow(tx, gate, place, { ...blankRow(gate), name, identifier: name, id })
    return ids
  })
  return {
    central,
    venue,
    gates,
    async pairing(name, values = {}) {
      const device = await makeDevice(central, name, values)
      return JSON.stringify({ handshake_version: 1, url: central.url, token: device.initialization_token })
    },
    close: () => central.close(),
  }
}

/** A station whose network a test can break. */
export interface Linked {
  readonly node: TestNode
  readonly network: FaultyNetwork
  /** The address that the shell loads into the window. */
  readonly open: string
}

/** Starts a station that knows nobody yet. */
export async function startUnjoined(): Promise<Linked> {
  const network = faultyNetwork()
  const node = await startNode({ env: network.env })
  return { node, network, open: `${node.url}/open#key=${key}` }
}

/** Settings of a station that waits for the upstream server as long as it may: machines that build are busy. */
export const unhurried = { confirm_ms: 5000 }

/** Starts a station at a gate of a place, connected and set up. */
export async function startLinked(
  place: Place,
  gateName: 'North' | 'South',
  device: RowData = {},
): Promise<Linked> {
  const linked = await startUnjoined()
  const { token } = JSON.parse(await place.pairing(`Station ${gateName}`, device))
  await linked.node.join(place.central.url, token)
  await followed(linked.node)
  const { status } = await linked.node.call('PUT', '/api/v1/station/link/settings/', unhurried)
  if (status !== 200) throw new Error(`not unhurried: ${status}`)
  await setUp(linked, place, gateName)
  return linked
}

/** Sets a connected station up for the doors. */
async function setUp({ node }: Linked, place: Place, gateName: 'North' | 'South'): Promise<void> {
  const settings = {
    organizer: 'acme',
    event: 'gala',
    list: place.venue.list,
    direction: 'entry',
    locale: 'en',
  }
  const body = { ...settings, name: `Station ${gateName}`, gate: place.gates[gateName] }
  const { status } = await node.call('PUT', '/api/v1/station/settings/', body)
  if (status !== 200) throw new Error(`not set up: ${status}`)
}

/** Has what a station loads come slowly, and its end not before the returned function is called. */
export function slowly(network: FaultyNetwork, milliseconds: number): () => void {
  const released = Promise.withResolvers<void>()
  network.spoil = (url, answer) => {
    if (!url.pathname.endsWith('/snapshot/') || !answer.body) return answer
    let held: Uint8Array | undefined
    const slow = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        await pass(milliseconds)
        if (held) controller.enqueue(held)
        held = chunk
      },
      async flush(controller) {
        await released.promise
        if (held) controller.enqueue(held)
      },
    })
    return new Response(answer.body.pipeThrough(slow), { status: answer.status, headers: answer.headers })
  }
  return released.resolve
}

/** Has the upstream server refuse whatever it is told, for a reason, until `network.instead` is another. */
export function refuseAll(network: FaultyNetwork, reason: string): void {
  network.instead = (url, init) => {
    if (!url.pathname.endsWith('/push/')) return undefined
    const { body } = init ?? {}
    const text = typeof body === 'string' ? body : gunzipSync(body as Uint8Array).toString()
    const { facts }: Push = JSON.parse(text)
    const results = facts.map(({ nonce }) => ({ nonce, status: 'rejected', reason }))
    return Response.json({ results }, { headers: { [syncHeader]: '1' } })
  }
}

/** Waits until the mark in the header shows how the link is. */
export const marked = (page: Page, link: string): Promise<void> =>
  page.locator(`button[data-link="${link}"]`).waitFor()
