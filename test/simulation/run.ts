import type { Log } from '../../server/log.ts'
import { change, type StepOf, scan, undo } from './actions.ts'
import type { Boot, Machine } from './machines/machine.ts'
import { startProgram } from './machines/program.ts'
import { type Stations, staff } from './machines/stations.ts'
import { createWorld, type Tell, type World } from './machines/world.ts'
import { happen, heal } from './plan/faults.ts'
import { firstTickets, type Plan, type PlannedMachine, type Step } from './plan/plan.ts'
import type { Scenario } from './plan/scenario.ts'
import { openRunRecord, type RunRecord } from './run-record.ts'
import { sell } from './sales.ts'
import { reportFalsely, type StolenAccess } from './thief.ts'
import { type TillStep, workAtTill } from './tills.ts'

/** A machine that is to lose its power at a commit. */
interface Death {
  readonly machine: Machine
  readonly moment: 'before' | 'after'
  left: number
  readonly lasts: number
}

/** A run of a plan, as far as it is. */
export interface Run {
  readonly plan: Plan
  readonly scenario: Scenario
  readonly world: World
  readonly record: RunRecord
  readonly stations: Stations
  readonly backups: Map<string, Buffer>
  readonly deaths: Death[]
  /** By machine, the access to it that was taken from a device at an entrance. */
  readonly stolen: Map<string, StolenAccess>
  /** Switches everything off, and on again. */
  readonly night: { falls(): void; ends(): void }
  /** Machines that are making a new copy of what the one upstream of them has, and what that one had heard by then. */
  readonly renewing: Map<string, number>
  /** Switches a machine on, if it is off and it is not night. */
  readonly start: (machine: Machine) => void
  /** A program has failed where nobody could be told. */
  readonly failed: (machine: Machine, cause: unknown) => void
}

/** How a run went. */
export interface Outcome {
  readonly wrongs: readonly string[]
  readonly reached: ReadonlySet<string>
  readonly digest: number
  readonly happened: number
}

/** What holds at the end of a run that went well; each adds what is wrong. */
type Check = (run: Run) => Promise<void>

const wordsOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)

/** Makes everything in a plan happen and judges what came of it. */
export async function carryOut(
  plan: Plan,
  scenario: Scenario,
  check: Check,
  tell: Tell | null = null,
): Promise<Outcome> {
  const world = createWorld(plan.seed, tell)
  const record = openRunRecord(firstTickets)
  let isNight = false
  const logOf = (machine: Machine): Log => {
    const say = (level: string) => (event: string, fields?: Readonly<Record<string, unknown>>) =>
      tell?.(world.timeline.now, `${machine.name} ${level}: ${event} ${JSON.stringify(fields ?? {})}`, 0)
    return {
      info(event, fields) {
        say('info')(event, fields)
        noteRenewal(run, machine, event)
      },
      warn(event, fields) {
        say('warn')(event, fields)
        if (event === 'not admitted yet' && /used already/.test(String(fields?.why)))
          run.stations.admitAgain(machine)
      },
      error(event, fields) {
        say('error')(event, fields)
        // Another attempt follows, and one of them has to work.
        if (event !== 'new copy failed' && !isExpected(machine, String(fields?.stack)))
          record.wrongs.push(`${machine.name} reports ${event}: ${JSON.stringify(fields)}`)
      },
    }
  }
  const shell: Omit<Run, 'stations'> = {
    plan,
    scenario,
    world,
    record,
    backups: new Map(),
    deaths: [],
    stolen: new Map(),
    renewing: new Map(),
    night: {
      falls() {
        isNight = true
        for (const machine of world.machines.values()) machine.off()
      },
      ends() {
        isNight = false
        record.reached.add('a night passed')
        for (const machine of world.machines.values()) shell.start(machine)
      },
    },
    start(machine) {
      const planned = plan.machines.find(({ name }) => name === machine.name) ?? twinOf(plan)
      if (!planned) return
      // Each in an event of its own, since an event is the doing of one machine.
      world.timeline.after(0, `${machine.name} starts`, () => {
        if (!machine.boot && !isNight)
          startProgram(machine, planned, logOf(machine), (cause) => shell.failed(machine, cause))
      })
    },
    failed(machine, cause) {
      const words = wordsOf(cause)
      machine.off()
      // Whoever watches over a program starts it again; what it said is of interest unless its disk had failed.
      if (!/The machine is off|simulated SQLITE_/.test(words)) record.wrongs.push(`${machine.name}: ${words}`)
      world.timeline.after(5000, `${machine.name} is started again`, () => shell.start(machine))
    },
  }
  const run: Run = { ...shell, stations: undefined as unknown as Stations }
  Object.assign(run, { stations: staff(run) })
  watch(run)
  for (const { name, role, clockAhead, clockRate } of plan.machines) {
    const machine = world.add(name)
    machine.clockAhead = clockAhead
    machine.clockRate = clockRate
    if (name === 'central') machine.disk.image = scenario.central
    // One after the other, as people unpack them.
    world.timeline.at(role === 'central' ? 0 : role === 'hub' ? 1000 : 5000, `${name} on`, () =>
      run.start(machine),
    )
  }
  for (const { name, role } of plan.machines) {
    const machine = world.machines.get(name)
    const below = plan.machines.filter(({ upstream }) => upstream === name).map((one) => one.name)
    const stolen = plan.steps.some((step) => step.kind === 'report falsely' && step.machine === name)
    if (role === 'hub' && machine) run.stations.admitBelow(machine, stolen ? [...below, 'thief'] : below)
  }
  for (const step of plan.steps) world.timeline.at(step.at, step.kind, () => perform(run, step))
  await world.runUntil(plan.faultsEnd)
  if (record.wrongs.length === 0) {
    world.timeline.after(0, 'healed', () => heal(run))
    // Usually everything is in order soon. For an order that went with the disks, or that a revoked device has sold, a
    // server waits ten minutes before it takes in who was admitted with it, and is asked again up to five minutes
    // after.
    const lacksOrders = record.goneOrders.size > 0 || record.revoked.size > 0
    for (const share of [0.08, 0.15, 0.4, 1, ...(lacksOrders ? [4] : [])]) {
      record.wrongs.length = 0
      await world.runUntil(plan.faultsEnd + plan.healing * share)
      if (record.wrongs.length > 0) break
      await check(run)
      if (record.wrongs.length === 0) break
    }
  }
  for (const machine of world.machines.values()) machine.off()
  await world.runUntil(world.timeline.now)
  return {
    wrongs: record.wrongs,
    reached: record.reached,
    digest: world.digest,
    happened: world.timeline.happened,
  }
}

/** Follows how machines make new copies. */
function noteRenewal(run: Run, { name }: Machine, event: string): void {
  const { plan, world, record, renewing } = run
  if (event === 'new copy') {
    const upstream = plan.machines.find((one) => one.name === name)?.upstream ?? ''
    renewing.set(name, upstream === 'central' ? world.timeline.now : (record.heard.get(upstream) ?? 0))
  }
  if (event !== 'new copy in use' && event !== 'ready') return
  const heard = renewing.get(name)
  renewing.delete(name)
  if (heard === undefined || event === 'ready') return
  record.heard.set(name, heard)
  if (world.timeline.now > 20_000) record.reached.add('a new copy replaced an old one')
}

/** Failures that a program reports because its disk has failed, or because it is off. */
const isExpected = (machine: Machine, stack: string): boolean =>
  machine.boot === null || /simulated SQLITE_|The machine is off|no room/.test(stack)

/** The machine whose place a copied disk takes. */
function twinOf(plan: Plan): PlannedMachine | undefined {
  const cloned = plan.steps.find(({ kind }) => kind === 'clone')
  return cloned && 'machine' in cloned ? plan.machines.find(({ name }) => name === cloned.machine) : undefined
}

/** Whether a machine holds a copy of what central has. */
export const hasJoined = (machine: Machine): boolean => {
  const state = machine.boot?.running?.sync.upstream?.state
  return state !== undefined && state !== 'joining'
}

/** Something that somebody does at a machine. */
type WorkStep = TillStep | StepOf<'scan' | 'undo' | 'sell' | 'report falsely'>

function workAt(run: Run, boot: Boot, step: WorkStep): Promise<void> {
  switch (step.kind) {
    case 'scan':
      return scan(run, boot, step)
    case 'undo':
      return undo(run, boot)
    case 'sell':
      return sell(run, boot, step)
    case 'report falsely':
      return reportFalsely(run, boot, step)
    default:
      return workAtTill(run, boot, step)
  }
}

/** Makes one step happen. */
function perform(run: Run, step: Step): void {
  const { world, stations } = run
  const central = world.machines.get('central')
  switch (step.kind) {
    case 'scan':
    case 'undo':
    case 'sell':
    case 'open drawer':
    case 'move cash':
    case 'close drawer':
    case 'refund':
    case 'report falsely': {
      const machine = world.machines.get(step.machine)
      if (!machine || (machine !== central && !hasJoined(machine))) return
      stations.inTurn(machine, (boot) => workAt(run, boot, step))
      return
    }
    case 'cancel':
    case 'regenerate':
    case 'rename':
    case 'revoke device':
    case 'redeem':
      if (central) stations.inTurn(central, (boot) => change(run, boot, step))
      return
    default:
      happen(run, step)
  }
}

/** Keeps an eye on what happens by itself: power that fails at a commit, messages that go astray. */
function watch(run: Run): void {
  const { world, record, deaths } = run
  world.onMishap.add((kind, _from, _to, path) => {
    record.reached.add(path.endsWith('/sync/push/') ? `push: ${kind}` : kind)
  })
  world.onCommit.add((machine, moment) => {
    const due = deaths.find((one) => one.machine === machine && one.moment === moment)
    if (!due) return
    due.left -= 1
    if (due.left > 0) return
    deaths.splice(deaths.indexOf(due), 1)
    record.reached.add(`power failed ${moment} a commit`)
    machine.off()
    world.timeline.after(due.lasts, `${machine.name} on`, () => {
      run.start(machine)
    })
  })
}
