import { checkEverything } from '../checks/check.ts'
import type { Plan } from '../plan/plan.ts'
import { makeEmpty, makeScenario } from '../plan/scenario.ts'
import { carryOut, type Outcome } from '../run.ts'
import { beginWith } from './disk-driver.ts'
import { settle, takeOverGlobals } from './stillness.ts'
import type { Tell } from './world.ts'

/** Machines that central may let in. */
const joiners = ['hub1', 'hub2', 'thief', ...Array.from({ length: 5 }, (_, index) => `station${index + 1}`)]

/** A process in which time is virtual from now on. */
interface Session {
  /** Carries out a plan; the same one comes out the same. */
  run(plan: Plan, tell?: Tell | null): Promise<Outcome>
}

/** Waits for something that no event has to bring about. */
async function atOnce<T>(promised: Promise<T>): Promise<T> {
  let isSettled = false
  const end = (): void => {
    isSettled = true
  }
  promised.then(end, end)
  while (!isSettled) await settle()
  return promised
}

/** Makes time virtual in this process, and what all runs begin with. */
export async function openSession(): Promise<Session> {
  takeOverGlobals()
  // What a program that has lost its power still wants to do is of no interest.
  process.on('unhandledRejection', (cause) => {
    if (!/The machine is off/.test(String(cause))) throw cause
  })
  beginWith(await atOnce(makeEmpty()))
  const scenario = await atOnce(makeScenario(joiners))
  return { run: (plan, tell = null) => carryOut(plan, scenario, checkEverything, tell) }
}
