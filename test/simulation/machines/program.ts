import type { Log } from '../../../server/log.ts'
import { startServer } from '../../../server/serve.ts'
import type { PlannedMachine } from '../plan/plan.ts'
import { initializationToken, stationKey } from '../plan/scenario.ts'
import type { Boot, Machine } from './machine.ts'
import { addressOf } from './world.ts'

async function open(boot: Boot, planned: PlannedMachine, log: Log): Promise<void> {
  const { name, role, upstream } = planned
  const running = await startServer(
    {
      database: ':memory:',
      host: '127.0.0.1',
      port: 0,
      stationKey: role === 'central' ? null : stationKey,
      ...(upstream === null || role === 'central'
        ? {}
        : {
            upstream: {
              url: addressOf(upstream),
              token: initializationToken(upstream === 'central' ? name : `${name} below`),
              role,
            },
          }),
    },
    boot.env,
    log,
  )
  boot.running = running
}

/** Starts the program on a machine that is off; it answers some moments later. */
export function startProgram(
  machine: Machine,
  planned: PlannedMachine,
  log: Log,
  failed: (cause: unknown) => void,
): void {
  const boot = machine.on()
  machine.as(boot, () => {
    void open(boot, planned, log).catch((cause: unknown) => {
      if (boot.isAlive) failed(cause)
    })
  })
}
