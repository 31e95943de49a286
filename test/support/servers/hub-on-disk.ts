import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realEnv } from '../../../server/env.ts'
import { type FaultyNetwork, faultyNetwork } from './faulty-network.ts'
import {
  followed,
  makeDevice,
  makeDeviceAt,
  openVenue,
  startNode,
  type TestNode,
  type Venue,
} from './nodes.ts'
import { startTestServer, type TestServer } from './servers.ts'

/** Central, a hub whose data is in a folder, and a station below the hub; both follow. */
interface HubOnDisk {
  readonly central: TestServer
  readonly venue: Venue
  /** The hub as it was started last. */
  readonly hub: TestNode
  readonly station: TestNode
  /** Where the hub's data is. */
  readonly folder: string
  /** The network between the hub and central. */
  readonly ofHub: FaultyNetwork
  /** The network between the station and the hub. */
  readonly toHub: FaultyNetwork
  /** Starts the hub again after something was done with its disk. */
  again(between: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Starts such a place, with tickets of some codes. */
export async function openHubOnDisk(codes: readonly string[]): Promise<HubOnDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-hub-'))
  const ofHub = faultyNetwork()
  const start = (): Promise<TestNode> => startNode({ database: folder, env: ofHub.env })
  const central = await startTestServer()
  const venue = await openVenue(central, codes)
  let hub = await start()
  const first = hub.url
  const toHub = faultyNetwork({
    ...realEnv,
    // The hub has another address after each start.
    fetch: (input, init) => realEnv.fetch(String(input).replace(first, hub.url), init),
  })
  const station = await startNode({ env: toHub.env })
  const device = await makeDevice(central, 'Hub')
  await hub.join(central.url, String(device.initialization_token), 'hub')
  await followed(hub)
  const own = await makeDeviceAt(hub, central.organizer, 'North')
  await station.join(first, String(own.initialization_token))
  await followed(station)
  return {
    ...{ central, venue, station, folder, ofHub, toHub },
    get hub() {
      return hub
    },
    async again(between) {
      await hub.close()
      await between()
      hub = await start()
    },
    async close() {
      await station.close()
      await hub.close()
      await central.close()
      await rm(folder, { recursive: true })
    },
  }
}
