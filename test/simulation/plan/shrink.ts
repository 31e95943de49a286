import type { Plan, Step } from './plan.ts'

/** Whether a plan still goes wrong. */
type GoesWrong = (plan: Plan) => Promise<boolean>

const without = (steps: readonly Step[], from: number, count: number): Step[] => [
  ...steps.slice(0, from),
  ...steps.slice(from + count),
]

/**
 * Reduces a plan that goes wrong to fewer steps that go wrong still: leaves out ever smaller parts of them, as in delta
 * debugging (Zeller and Hildebrandt), for at most so many tries.
 */
export async function shrink(plan: Plan, goesWrong: GoesWrong, tries: number): Promise<Plan> {
  let best = plan
  let left = tries
  const attempt = async (candidate: Plan): Promise<boolean> => {
    if (left <= 0) return false
    left -= 1
    if (!(await goesWrong(candidate))) return false
    best = candidate
    return true
  }
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && left > 0; ) {
    let hasShrunk = false
    for (let from = 0; from < best.steps.length && left > 0; ) {
      const fewer = without(best.steps, from, size)
      if (await attempt({ ...best, steps: fewer })) hasShrunk = true
      else from += size
    }
    if (size === 1 && !hasShrunk) break
    size = hasShrunk && size === 1 ? 1 : Math.floor(size / 2)
  }
  return leaveOutMachines(best, attempt, () => best)
}

/** Machines that nothing happens at and nobody follows are not needed either, often. */
async function leaveOutMachines(
  plan: Plan,
  attempt: (candidate: Plan) => Promise<boolean>,
  best: () => Plan,
): Promise<Plan> {
  for (const { name, role } of plan.machines) {
    const isNeeded = best().machines.some(({ upstream }) => upstream === name)
    if (role === 'central' || isNeeded) continue
    await attempt({
      ...best(),
      machines: best().machines.filter((one) => one.name !== name),
      steps: best().steps.filter((step) => !('machine' in step) || step.machine !== name),
    })
  }
  return best()
}
