import { ask } from './machines/ask.ts'
import type { Boot } from './machines/machine.ts'
import type { Step } from './plan/plan.ts'
import type { Run } from './run.ts'
import { wrongWith } from './run-record.ts'

/** A step of some kinds. */
export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

/** Rows of an answer, of whatever shape they are. */
export const rowsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value : []

/** The path of the one event. */
export const eventPath = '/api/v1/organizers/acme/events/gala'

/** Somebody has a ticket read at a station. */
export async function scan(run: Run, boot: Boot, step: StepOf<'scan'>): Promise<void> {
  const ticket = run.record.tickets.get(step.ticket)
  const code = ticket?.codes[step.old ? 0 : ticket.codes.length - 1]
  if (!ticket || code === undefined) return
  const { name } = boot.machine
  if (!(await run.stations.setUp(boot, step.list))) return
  noteCircumstances(run, boot)
  const answer = await ask(boot, 'POST', '/api/v1/station/scan/', {
    code,
    source: step.force ? 'hand' : 'hid',
    type: step.type,
    force: step.force,
  })
  if (answer?.status !== 200) {
    if (answer && answer.status !== 503 && answer.status !== 507 && answer.status !== 409)
      run.record.wrongs.push(`${name} answers a scan with ${answer.status}: ${JSON.stringify(answer.body)}`)
    return
  }
  const { nonce, status, reason, repeated } = answer.body
  if (repeated === true) return
  const shown = {
    time: run.world.timeline.now,
    machine: name,
    life: run.record.lives.get(name) ?? 0,
    ticket: step.ticket,
    code,
    list: step.list,
    type: step.type,
    force: step.force,
    nonce: String(nonce),
    status: String(status),
    reason: typeof reason === 'string' ? reason : null,
  }
  const wrong = wrongWith(run.record, shown)
  if (wrong !== undefined) run.record.wrongs.push(wrong)
  run.record.shown.push(shown)
  run.record.reached.add(`shown ${shown.reason ?? shown.status}`)
}

/** Under what a ticket is read. */
function noteCircumstances(run: Run, { machine: { name }, running }: Boot): void {
  const upstream = run.plan.machines.find((one) => one.name === name)?.upstream
  if (running?.sync.isOffline) run.record.reached.add('scanned while offline')
  if (run.renewing.has(name)) run.record.reached.add('scanned while a new copy was made')
  if (upstream?.startsWith('hub') && !run.world.machines.get(upstream)?.boot)
    run.record.reached.add('scanned while its hub was off')
}

/** Somebody takes back the last entry that a station has shown. */
export async function undo(run: Run, boot: Boot): Promise<void> {
  const { record } = run
  const life = record.lives.get(boot.machine.name) ?? 0
  const last = record.shown.findLast(
    (one) =>
      one.machine === boot.machine.name &&
      one.life === life &&
      one.status === 'ok' &&
      one.type === 'entry' &&
      !record.undone.has(one.nonce),
  )
  if (!last) return
  // Whether it worked is not known until the answer, and perhaps never.
  record.undone.set(last.nonce, run.world.timeline.now)
  if (!(await run.stations.setUp(boot, last.list))) return
  const answer = await ask(boot, 'POST', '/api/v1/station/undo/', { nonce: last.nonce })
  if (answer?.status === 200) record.reached.add('undone')
}

/** Somebody on central changes something. */
export async function change(
  run: Run,
  boot: Boot,
  step: StepOf<'cancel' | 'regenerate' | 'rename' | 'revoke device' | 'redeem'>,
): Promise<void> {
  switch (step.kind) {
    case 'cancel': {
      const order = run.record.tickets.get(step.ticket)?.order
      if (order) await ask(boot, 'POST', `${eventPath}/orders/${order}/mark_canceled/`, {})
      return
    }
    case 'regenerate':
      return regenerate(run, boot, step.ticket)
    case 'rename':
      await ask(boot, 'PATCH', `${eventPath}/checkinlists/${run.scenario.lists[step.list]}/`, {
        name: step.name,
      })
      return
    case 'revoke device': {
      const devices = await ask(boot, 'GET', '/api/v1/organizers/acme/devices/')
      const number = rowsIn(devices?.body.results).find(
        ({ name, initialized }) => String(name).startsWith(step.machine) && initialized,
      )?.device_id
      if (number === undefined) return
      // Whether it worked is not known until the answer, and perhaps never.
      run.record.revoked.add(step.machine)
      await ask(boot, 'POST', `/api/v1/organizers/acme/devices/${number}/revoke/`, {})
      return
    }
    case 'redeem': {
      const secret = run.record.tickets.get(step.ticket)?.codes.at(-1)
      await ask(boot, 'POST', '/api/v1/organizers/acme/checkinrpc/redeem/', {
        secret,
        lists: [run.scenario.lists[step.list]],
      })
    }
  }
}

async function regenerate(run: Run, boot: Boot, name: string): Promise<void> {
  const ticket = run.record.tickets.get(name)
  if (!ticket) return
  const order = await ask(boot, 'GET', `${eventPath}/orders/${ticket.order}/`)
  const position = rowsIn(order?.body.positions).find(({ secret }) => secret === ticket.codes.at(-1))
  if (!position) return
  const answer = await ask(boot, 'POST', `${eventPath}/orderpositions/${position.id}/regenerate_secrets/`, {})
  if (answer?.status !== 200 || typeof answer.body.secret !== 'string') return
  for (const code of ticket.codes) run.record.goodAgain.delete(code)
  ticket.codes.push(answer.body.secret)
}
