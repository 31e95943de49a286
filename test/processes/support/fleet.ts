import type { RowData } from '../../../server/resource/codec.ts'
import {
  createDevice,
  createDeviceAt,
  type Ground,
  isFollowing,
  join,
  prepareGround,
  setUp,
} from './ground.ts'
import { type Machine, type MachineOptions, machineRoom } from './machine.ts'
import { layWire, type Wire } from './wire.ts'

/** A station with the cable that leads to the upstream server. */
export interface Post {
  readonly machine: Machine
  readonly wire: Wire
  /** The device that it is, as the upstream server made it. */
  readonly device: RowData
}

/** Central, a hub below it if wanted, and stations below those, each a process with a cable of its own. */
export interface Fleet {
  readonly ground: Ground
  readonly central: Machine
  readonly hub: Post | null
  readonly posts: readonly Post[]
  /** Starts a machine again on its folder, and leads the cables of those below it to its new address. */
  restart(machine: Machine): Promise<void>
  /** Adds another station, whose data may be in a folder that is there already. */
  addPost(name: string, values?: RowData, folder?: string): Promise<Post>
  /** Builds a machine that has nothing to do with the others yet. */
  build(name: string, options?: MachineOptions): Machine
}

/** What a fleet begins with. */
interface FleetPlan {
  readonly codes: readonly string[]
  readonly names: readonly string[]
  readonly hub?: boolean
  /** The size of the quota that is sold at the door. */
  readonly size?: number
  /** Of the devices of the stations. */
  readonly device?: RowData
  /** What else is done with central's data before it starts. */
  readonly prepare?: (central: Machine, ground: Ground) => Promise<void>
}

/** Makes fleets for one suite, all of which are gone after it. */
export function shipyard(): (plan: FleetPlan) => Promise<Fleet> {
  const room = machineRoom()
  const wires: Wire[] = []
  after(() => Promise.all(wires.map((wire) => wire.close())))
  // A test that fails while a cable is cut is not to take those behind it along.
  beforeEach(() => {
    for (const wire of wires) {
      wire.weather = 'pass'
      wire.losing = null
    }
  })

  const lay = async (to: Machine): Promise<Wire> => {
    const wire = await layWire(to.url)
    wires.push(wire)
    return wire
  }

  return async (plan) => {
    const central = room.build('central')
    const ground = await prepareGround(central.folder, plan.codes, plan.size)
    await plan.prepare?.(central, ground)
    await central.start()
    let hub: Post | null = null
    if (plan.hub) {
      const machine = room.build('hub', { screens: true })
      await machine.start()
      const device = await createDevice(central, 'Hub')
      hub = { machine, wire: await lay(central), device }
      await join(machine, hub.wire.url, device, 'hub')
      await setUp(machine, ground.list)
    }
    const upstream = hub?.machine ?? central
    const posts: Post[] = []
    const fleet: Fleet = {
      ground,
      central,
      hub,
      posts,
      async restart(machine) {
        await machine.start()
        const below = machine === central && hub ? [hub] : posts
        if (machine === upstream || machine === central)
          for (const { wire } of below) wire.target = machine.url
      },
      build: room.build,
      async addPost(name, values = plan.device, folder) {
        const machine = room.build(name, { screens: true, ...(folder ? { folder } : {}) })
        await machine.start()
        const device = hub
          ? await createDeviceAt(hub.machine, name)
          : await createDevice(central, name, values)
        const post = { machine, wire: await lay(upstream), device }
        await join(machine, post.wire.url, device)
        await setUp(machine, ground.list)
        await isFollowing(machine)
        posts.push(post)
        return post
      },
    }
    await Promise.all(plan.names.map((name) => fleet.addPost(name)))
    posts.sort((a, b) => plan.names.indexOf(a.machine.name) - plan.names.indexOf(b.machine.name))
    return fleet
  }
}
