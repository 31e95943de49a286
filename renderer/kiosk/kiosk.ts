import { type ReadonlySignal, signal } from '@preact/signals'
import type { Shell } from '../../main/common/channels.ts'
import type { ScanSource } from '../../schema/bodies/station.ts'
import type { Language } from '../../schema/texts/translate.ts'
import type { ExitPinSaid, KioskApi } from '../api/kiosk-api.ts'
import { speak } from '../text/spoken-language.ts'
import { initialKiosk, type KioskEvent, type KioskState, timerOf } from './kiosk-state.ts'
import { nextKiosk } from './next-kiosk.ts'
import { openStageRequests } from './stage-requests.ts'

/** What a kiosk needs beside the server. */
export interface KioskTools {
  readonly newId: () => string
  readonly after: (milliseconds: number, then: () => void) => () => void
  readonly shell: () => Pick<Shell, 'state' | 'checkPin'> | undefined
  /** Staff have shown that they may see the station's own pages. */
  readonly unlocked: () => void
}

/** A kiosk at work: its state, and what guests and scanners do to it. */
export interface Kiosk {
  readonly state: ReadonlySignal<KioskState>
  /** The guest's language, once its texts are here; null where the guest has none of their own. */
  readonly spoken: () => Language | null
  readonly send: (event: KioskEvent) => void
  readonly scanned: (code: string, source: ScanSource) => void
  readonly take: () => void
  /** See StageRequests. */
  readonly refresh: () => Promise<void>
  readonly unlock: (pin: string) => Promise<void>
}

/** Runs a kiosk: sends what a stage asks of the server, and sets the timer that it has. */
export function openKiosk(api: KioskApi, { newId, after, shell, unlocked }: KioskTools): Kiosk {
  const state = signal(initialKiosk)
  const spoken = speak(() => state.value.language, { after })
  const requests = openStageRequests(api, { state, send, after })
  let stop = () => {}
  let timed = ''

  function send(event: KioskEvent): void {
    const { stage } = state.value
    state.value = nextKiosk(state.value, event)
    if (state.value.stage !== stage) void requests.begin(state.value.stage)
    setTimer()
  }

  function setTimer(): void {
    const timer = timerOf(state.value)
    const { turn } = state.value
    const next = timer ? `${timer.type} ${timer.seconds} ${turn}` : ''
    if (next === timed) return
    timed = next
    stop()
    stop = timer ? after(timer.seconds * 1000, () => send({ type: timer.type, turn })) : () => {}
  }

  return {
    state,
    spoken: () => (state.value.language === null ? null : spoken.value),
    send,
    refresh: requests.refresh,
    scanned: (code, source) => {
      const text = code.trim()
      if (text !== '') send({ type: 'scanned', guest: { nonce: newId(), code: text, source } })
    },
    take: () => send({ type: 'taken', nonce: newId() }),
    async unlock(pin) {
      const answer = await api.unlock(pin, await exitPinSaid(shell(), pin))
      if (!answer.ok)
        return send({ type: 'pin-refused', trouble: answer.problem.status === 429 ? 'wait' : 'wrong' })
      send({ type: 'restarted' })
      unlocked()
    },
  }
}

/** What the shell says of a PIN; in a browser that somebody opened there is none. */
async function exitPinSaid(
  shell: Pick<Shell, 'state' | 'checkPin'> | undefined,
  pin: string,
): Promise<ExitPinSaid> {
  if (!shell || !(await shell.state()).exitPin) return 'none'
  return (await shell.checkPin(pin)).ok ? 'right' : 'wrong'
}
