import { crc32 } from 'node:zlib'
import { type Chance, createChance } from '../plan/chance.ts'
import { epoch } from '../plan/scenario.ts'
import { createTimeline, type Timeline } from '../plan/timeline.ts'
import { createMachine, type Machine } from './machine.ts'
import { createNetwork, type Mishap } from './network.ts'
import { refuseTrespasses, settle } from './stillness.ts'
import { giveTurn } from './turns.ts'
import { createWeather, type Weather } from './weather.ts'

/** Everything there is in a run: machines, what is between them, and time. */
export interface World {
  readonly timeline: Timeline
  readonly chance: Chance
  readonly weather: Weather
  readonly machines: Map<string, Machine>
  /** Calls back for everything that happened to a message. */
  readonly onMishap: Set<(kind: Mishap, from: string, to: string, path: string) => void>
  /** Calls back at each commit that changes something; the power may fail there. */
  readonly onCommit: Set<(machine: Machine, moment: 'before' | 'after') => void>
  /** A checksum over all that has happened so far, in its order, with what it left on the disks. */
  readonly digest: number
  /** Puts a machine with an empty disk into the world. */
  add(name: string): Machine
  /** Lets time pass up to a moment, with everything that happens until then. */
  runUntil(time: number): Promise<void>
}

/** What is told of each happening, where somebody wants to know. */
export type Tell = (time: number, label: string, digest: number) => void

/** The address at which a machine answers. */
export const addressOf = (machine: string): string => `http://${machine}.test`

/** An empty world. */
export function createWorld(seed: string, tell: Tell | null): World {
  const chance = createChance(`world ${seed}`)
  const timeline = createTimeline(chance.split('ties'))
  const weather = createWeather()
  const machines = new Map<string, Machine>()
  const onMishap: World['onMishap'] = new Set()
  const onCommit: World['onCommit'] = new Set()
  let digest = 0
  const fetchFrom = createNetwork({
    timeline,
    weather,
    chance: chance.split('network'),
    machineAt: (host) => machines.get(host.replace(/\.test$/, '')),
    mishap: (...what) => {
      for (const listener of onMishap) listener(...what)
    },
  })

  function note(label: string): void {
    let disks = 0
    for (const { disk } of machines.values()) disks = (Math.imul(disks, 31) + disk.digest) | 0
    digest = crc32(`${timeline.now} ${label} ${disks}`, digest)
    tell?.(timeline.now, label, digest)
  }

  return {
    timeline,
    chance,
    weather,
    machines,
    onMishap,
    onCommit,
    get digest() {
      return digest
    },
    add(name) {
      const machine = createMachine(name, {
        timeline,
        chance,
        epoch,
        fetchFrom,
        atCommit: (which, moment) => {
          for (const listener of onCommit) listener(which, moment)
        },
      })
      machines.set(name, machine)
      return machine
    },
    async runUntil(time) {
      for (let due = timeline.next(time); due; due = timeline.next(time)) {
        due.run()
        await settle()
        giveTurn(null)
        refuseTrespasses()
        note(due.label)
      }
      timeline.rest(time)
    },
  }
}
