import type { Answers } from './channels.ts'
import type { ExitPin } from './exit-pin.ts'

/** What a window is, and how it is left. */
interface LeavingOptions {
  readonly kiosk: boolean
  readonly pin: ExitPin
  /** Ends the program in order; the page is answered first. */
  readonly leave: () => void
  /** Hears that the page asks how its window is, which each page does first. */
  readonly sawPage?: () => void
}

/** Answers the page's questions about its window: leaving it takes the exit PIN where there is one. */
export function windowAnswers({
  kiosk,
  pin,
  leave,
  sawPage,
}: LeavingOptions): Pick<Answers, 'window:state' | 'window:leave' | 'window:check-pin' | 'window:set-pin'> {
  return {
    'window:state'() {
      sawPage?.()
      return { kiosk, exitPin: pin.isSet() }
    },
    async 'window:leave'(ask) {
      const answer = pin.isSet() ? await pin.check(ask.pin) : ({ ok: true } as const)
      if (answer.ok) leave()
      return answer
    },
    'window:check-pin': (ask) => (pin.isSet() ? pin.check(ask.pin) : { ok: true }),
    'window:set-pin': (ask) => pin.change(ask.current, ask.next),
  }
}
