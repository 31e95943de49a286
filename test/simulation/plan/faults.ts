import type { Machine } from '../machines/machine.ts'
import { afterRestore, noteGoodAgain, noteLost } from '../restoring.ts'
import { hasJoined, type Run } from '../run.ts'
import type { Step } from './plan.ts'

/** Makes what the world does to machines and the network happen; what people do is not its business. */
export function happen(run: Run, step: Step): void {
  const { world, record } = run
  const { timeline, weather } = world
  const machine = 'machine' in step ? world.machines.get(step.machine) : undefined
  const backOn = (which: Machine, lasts: number): void => {
    timeline.after(lasts, `${which.name} on`, () => run.start(which))
  }
  switch (step.kind) {
    case 'power cut':
      if (!machine?.boot) return
      machine.off()
      backOn(machine, step.lasts)
      return
    case 'die at commit':
      if (!machine?.boot) return
      run.deaths.push({ machine, moment: step.moment, left: step.commits, lasts: step.lasts })
      return
    case 'restart': {
      const boot = machine?.boot
      if (!machine || !boot?.running) return
      const { running } = boot
      machine.as(boot, () => {
        running.close().then(
          () => {
            if (!boot.isAlive) return
            machine.off()
            backOn(machine, step.lasts)
          },
          (cause: unknown) => {
            if (boot.isAlive) run.failed(machine, cause)
          },
        )
      })
      return
    }
    case 'back up': {
      const copy = machine?.copy()
      if (machine && copy && (step.machine === 'central' || hasJoined(machine)))
        run.backups.set(machine.name, copy)
      return
    }
    case 'restore': {
      const copy = run.backups.get(step.machine)
      if (!machine || !copy) return
      const lost = machine.copy()
      machine.off()
      machine.disk.image = copy
      record.lives.set(step.machine, (record.lives.get(step.machine) ?? 0) + 1)
      record.heard.delete(step.machine)
      if (lost) noteLost(run, step.machine, lost, copy)
      if (step.machine === 'central') {
        if (lost) noteGoodAgain(run.record, lost, copy)
        machine.disk.image = afterRestore(run, copy)
      }
      record.reached.add(step.machine === 'central' ? 'central restored' : 'an old copy restored')
      backOn(machine, step.lasts)
      return
    }
    case 'clone': {
      const copy = machine?.copy()
      if (!machine || !copy || !hasJoined(machine) || world.machines.has(step.to)) return
      const twin = world.add(step.to)
      twin.disk.image = copy
      record.reached.add('two machines with one disk')
      run.start(twin)
      return
    }
    case 'set clock':
      if (machine) machine.clockAhead += step.by
      record.reached.add('a clock was set')
      return
    case 'cut':
      timeline.after(step.lasts, 'cut healed', weather.cut(step.directions))
      return
    case 'weather':
      timeline.after(step.lasts, 'weather over', weather.setConditions(step.conditions))
      return
    case 'disk full':
      if (!machine) return
      machine.disk.isFull = true
      machine.disk.endsWhenFull = step.ends
      timeline.after(step.lasts, 'disk has room', () => {
        machine.disk.isFull = false
      })
      return
    case 'night':
      run.night.falls()
      timeline.after(step.lasts, 'morning', () => run.night.ends())
      return
    case 'disk busy':
      if (!machine) return
      machine.disk.isBusy = true
      timeline.after(step.lasts, 'disk is free', () => {
        machine.disk.isBusy = false
      })
  }
}

/** Ends all faults that last. */
export function heal(run: Run): void {
  run.world.weather.clear()
  run.deaths.length = 0
  for (const machine of run.world.machines.values()) {
    machine.disk.isFull = false
    machine.disk.isBusy = false
    run.start(machine)
  }
}
