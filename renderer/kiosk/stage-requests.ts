import type { ReadonlySignal } from '@preact/signals'
import type { GuestCheckin, KioskApi } from '../api/kiosk-api.ts'
import type { FindWay, KioskEvent, KioskState, Stage } from './kiosk-state.ts'
import { isPrinting } from './kiosk-state.ts'

interface RequestTools {
  readonly state: ReadonlySignal<KioskState>
  readonly send: (event: KioskEvent) => void
  readonly after: (milliseconds: number, then: () => void) => () => void
}

/** What the stages of a visit ask of the server. */
interface StageRequests {
  /** Asks what a stage that has just begun wants to know. */
  readonly begin: (stage: Stage) => Promise<void>
  /** Asks the server what the kiosk is, and how it is. */
  readonly refresh: () => Promise<void>
}

/** Milliseconds between two looks at what is printed for a guest. */
const lookEvery = 400

/** Asks a server what stages want to know. */
export function openStageRequests(api: KioskApi, { state, send, after }: RequestTools): StageRequests {
  async function checkIn(guest: GuestCheckin): Promise<void> {
    const first = await api.checkIn(guest)
    // It may have been done and only the answer be late: the same nonce is answered like the first time.
    const isSilent = !first.ok && first.problem.kind === 'unreachable'
    const answer = isSilent ? await api.checkIn(guest) : first
    send(answer.ok ? { type: 'judged', result: answer.value } : { type: 'not-judged' })
    if (!answer.ok) await refresh()
    await follow()
  }

  /** Asks what has become of the guest's badge until that is known. */
  async function follow(): Promise<void> {
    const { stage } = state.value
    if (stage.name !== 'done' || !isPrinting(stage.prints)) return
    const { nonce } = stage.result
    const answer = await api.prints(nonce)
    if (answer.ok) send({ type: 'printed', nonce, prints: answer.value })
    after(lookEvery, () => void follow())
  }

  /** Has printed what comes with the ticket; said twice, it is printed once. */
  async function order({ result, typed }: Extract<Stage, { readonly name: 'named' }>): Promise<void> {
    const first = await api.print(result.nonce, typed)
    const answer = first.ok ? first : await api.print(result.nonce, typed)
    send({ type: 'print-ordered', prints: answer.ok ? answer.value : null })
    await follow()
  }

  async function find(way: FindWay): Promise<void> {
    const { order, last_name, email } = state.value.sought
    const answer = await api.find(way === 'order' ? { order, last_name } : { email })
    send({ type: 'found', found: answer.ok ? answer.value : { status: 'none', offers: [] } })
  }

  async function refresh(): Promise<void> {
    const answer = await api.state()
    if (answer.ok) send({ type: 'loaded', facts: answer.value })
  }

  return {
    refresh,
    async begin(stage) {
      if (stage.name === 'deciding') await checkIn(stage.guest)
      else if (stage.name === 'searching') await find(stage.way)
      else if (stage.name === 'named') await order(stage)
      else if (stage.name === 'welcome') await refresh()
    },
  }
}
