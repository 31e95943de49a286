import type { RequestListener } from 'node:http'
import type { Env } from '../../../server/env.ts'
import type { Running } from '../../../server/serve.ts'
import { type Chance, uuidOf } from '../plan/chance.ts'
import type { Timeline } from '../plan/timeline.ts'
import type { Disk } from './disk.ts'
import { giveTurn } from './turns.ts'

/** One start of the program on a machine. */
export interface Boot {
  readonly machine: Machine
  readonly number: number
  isAlive: boolean
  readonly env: Env
  /** What answers requests, once it does. */
  answer: RequestListener | null
  /** What has started, once it has. */
  running: Running | null
  /** What is to be done when the machine goes off. */
  readonly onEnd: Set<() => void>
}

/** A machine: its clocks, its disk, and the program on it while it is on. */
export interface Machine {
  readonly name: string
  readonly disk: Disk
  boot: Boot | null
  /** Milliseconds that its clock is ahead, and by which factor it is too fast. */
  clockAhead: number
  clockRate: number
  /** A copy of what is on the disk now. */
  copy(): Buffer | null
  /** Switches it on with a new start of the program. */
  on(): Boot
  /** Pulls the plug. */
  off(): void
  /** Does something as this start of the program, if it is still the one that runs. */
  as(boot: Boot, work: () => void): void
}

/** What a machine is put into. */
interface Room {
  readonly timeline: Timeline
  readonly chance: Chance
  /** The time at the beginning: milliseconds since 1970. */
  readonly epoch: number
  readonly fetchFrom: (boot: Boot) => typeof fetch
  readonly atCommit: (machine: Machine, moment: 'before' | 'after') => void
}

/** Puts a machine with an empty disk into a room. */
export function createMachine(name: string, room: Room): Machine {
  const { timeline } = room
  const chance = room.chance.split(`machine ${name}`)
  let boots = 0

  function begin(): Boot {
    boots += 1
    const begun = timeline.now
    const own = chance.split(`boot ${boots}`)
    const boot: Boot = {
      machine,
      number: boots,
      isAlive: true,
      answer: null,
      running: null,
      onEnd: new Set(),
      env: {
        now: () => Math.round(room.epoch + timeline.now * machine.clockRate + machine.clockAhead),
        elapsed: () => (timeline.now - begun) * machine.clockRate,
        randomBytes: (count) => own.bytes(count),
        uuid: () => uuidOf(own.bytes(16)),
        after: (milliseconds, callback) =>
          timeline.after(milliseconds / machine.clockRate, `${name} timer`, () => machine.as(boot, callback)),
        fetch: (input, init) => fetchThere(input, init),
        // Nobody outside is told of anything.
        resolve: () => Promise.reject(new Error('There are no names.')),
        post: () => Promise.reject(new Error('There is nobody outside.')),
        connect: () => {
          throw new Error('There is nobody outside.')
        },
      },
    }
    const fetchThere = room.fetchFrom(boot)
    return boot
  }

  const machine: Machine = {
    name,
    disk: {
      image: null,
      isFull: false,
      endsWhenFull: false,
      hasOverflown: false,
      isBusy: false,
      digest: 0,
      commits: 0,
      atCommit: (moment) => room.atCommit(machine, moment),
      open: [],
    },
    boot: null,
    clockAhead: 0,
    clockRate: 1,
    copy() {
      const [first] = machine.disk.open
      return first ? first.committed() : machine.disk.image
    },
    on() {
      const boot = begin()
      machine.boot = boot
      return boot
    },
    off() {
      const { boot, disk } = machine
      if (!boot) return
      boot.isAlive = false
      machine.boot = null
      const [first] = disk.open
      if (first) disk.image = first.committed()
      for (const one of [...disk.open]) one.seize()
      for (const end of [...boot.onEnd]) end()
    },
    as(boot, work) {
      if (!boot.isAlive) return
      giveTurn(boot)
      work()
    },
  }
  return machine
}
