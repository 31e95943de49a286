import sql from 'sql-template-tag'
import { device } from '../../../schema/resources/devices/device.ts'
import { lockRow, updateRow } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { tellOfDevice } from '../../../server/services/devices/device-behaviour.ts'
import type { ListName } from '../plan/plan.ts'
import { addJoiner } from '../plan/scenario.ts'
import { hasJoined, type Run } from '../run.ts'
import { ask } from './ask.ts'
import type { Boot, Machine } from './machine.ts'

const again = 2000

/** Of a machine that is off, seldom: it may be off for a night. */
const seldom = 20_000

/** People at the machines of a run: one at each, doing one thing after the other. */
export interface Stations {
  /** Has the people at a machine do something once they are done with what they do. */
  inTurn(machine: Machine, work: (boot: Boot) => Promise<void>): void
  /** Makes devices on a hub, once it has joined, for the stations below it. */
  admitBelow(hub: Machine, names: readonly string[]): void
  /** Makes the device of a machine anew: its token was used up, and the machine never heard the answer. */
  admitAgain(machine: Machine): void
  /** Sets a station to a list; whether it is. */
  setUp(boot: Boot, list: ListName): Promise<boolean>
}

/** The people of a run. */
export function staff(run: Run): Stations {
  const turns = new Map<string, Promise<void>>()
  const lists = new Map<Boot, ListName>()
  const confirmed = new Set<Boot>()

  function inTurn(machine: Machine, work: (boot: Boot) => Promise<void>): void {
    const before = turns.get(machine.name) ?? Promise.resolve()
    const next = before.then(async () => {
      const { boot } = machine
      if (boot?.answer) await work(boot)
    })
    // A program that fails in another way than by an answer is noted where it fails.
    turns.set(
      machine.name,
      next.catch((cause: unknown) => {
        run.record.wrongs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
      }),
    )
  }

  async function setUp(boot: Boot, list: ListName): Promise<boolean> {
    if (lists.get(boot) === list) return true
    const { name } = boot.machine
    const answer = await ask(boot, 'PUT', '/api/v1/station/settings/', {
      organizer: 'acme',
      event: 'gala',
      list: run.scenario.lists[list],
      direction: 'entry',
      name,
    })
    if (answer?.status !== 200) return false
    lists.set(boot, list)
    if (!confirmed.has(boot)) {
      const planned = run.plan.machines.find((one) => one.name === name)
      await ask(boot, 'PUT', '/api/v1/station/link/settings/', {
        confirm_ms: planned?.confirm ?? 0,
        sell_at_risk: planned?.sellAtRisk ?? 0,
      })
      confirmed.add(boot)
    }
    return true
  }

  function admitBelow(hub: Machine, names: readonly string[]): void {
    if (names.length === 0) return
    const later = (): void => admitBelow(hub, names)
    run.world.timeline.after(hub.boot ? again : seldom, `${hub.name} has devices`, () => {
      const { boot } = hub
      const running = boot?.running
      if (!boot || !running || !hasJoined(hub)) return later()
      hub.as(boot, () => {
        // What its disk does not take, or what goes with an old copy of it, is made again.
        running.transactions
          .write((tx) => makeMissing(tx, run.scenario.organizer, names))
          .catch(() => undefined)
      })
      if (run.world.timeline.now < run.plan.faultsEnd)
        run.world.timeline.after(15_000, `${hub.name} is looked after`, later)
    })
  }

  function admitAgain(machine: Machine): void {
    const { name } = machine
    const upstream = run.world.machines.get(
      run.plan.machines.find((planned) => planned.name === name)?.upstream ?? '',
    )
    if (!upstream) return
    run.world.timeline.after(again, `${upstream.name} admits ${name} again`, () => {
      const { boot } = upstream
      const running = boot?.running
      if (!boot || !running || hasJoined(machine)) return
      upstream.as(boot, () => {
        running.transactions
          .write((tx) =>
            makeAnew(tx, run.scenario.organizer, upstream.name === 'central' ? name : `${name} below`),
          )
          .catch(() => undefined)
      })
    })
  }

  return { inTurn, setUp, admitBelow, admitAgain }
}

/** Makes devices for stations below, where they are not made yet. */
async function makeMissing(tx: Tx, organizer: number, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.map((one) => `${one} below`).entries()) {
    const known = await tx.get(sql`SELECT id FROM device WHERE organizer = ${organizer} AND name = ${name}`)
    if (!known) await addJoiner(tx, organizer, tx.site * 10 + index, name)
  }
}

/** Lets a device be set up once more with its token. */
async function makeAnew(tx: Tx, organizer: number, name: string): Promise<void> {
  const place = { organizer, event: 0 }
  const row = await lockRow(tx, device, place, { name })
  if (!row || row.revoked || row.initialized === null) return
  const changes = { initialized: null, token_hash: null }
  await updateRow(tx, device, place, { id: row.id, ...changes })
  tellOfDevice(tx, organizer, { ...row, ...changes })
}
