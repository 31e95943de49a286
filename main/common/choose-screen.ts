import type { ShellLog } from './log.ts'
import type { StartOptions } from './options.ts'

/** Electron's program as it was fetched, or why there is none. */
export type FetchedElectron = { readonly program: string } | { readonly why: string }

/** By what a station is shown: Electron's program, the system's Chromium, or nothing. */
export type ChosenScreen = { readonly electron: string } | 'browser' | 'none'

/** What the choice depends on. */
interface ScreenParts {
  /** Whether Electron would show something here, and is what this program was installed for. */
  readonly mayFetch: boolean
  /** Electron does not start for root with its sandbox. */
  readonly isRoot: boolean
  readonly findElectron: () => string | null
  readonly fetchElectron: (isAskedFor: boolean) => Promise<FetchedElectron>
  readonly findChromium: () => string | null
  readonly log: ShellLog
}

/**
 * Chooses it: Electron where it is or can be fetched, else the system's Chromium, else none, and says why. Throws a
 * sentence where somebody has asked for what cannot be.
 */
export async function chooseScreen(
  shell: StartOptions['shell'],
  { mayFetch, isRoot, findElectron, fetchElectron, findChromium, log }: ScreenParts,
): Promise<ChosenScreen> {
  if (shell === 'browser' || shell === 'none') {
    log(`The screen is ${shell === 'none' ? 'a browser you open yourself' : 'the system’s Chromium'}`)
    return shell
  }
  const found = findElectron()
  if (found !== null) return { electron: found }
  if (shell === null && !mayFetch) return 'browser'
  const instead =
    findChromium() === null
      ? 'open the address below in a browser on this machine'
      : 'the system’s Chromium is the screen'
  if (shell === null && isRoot) {
    log(`Electron is not fetched for root, for whom it does not start: ${instead}`)
    return 'browser'
  }
  const fetched = await fetchElectron(shell === 'electron')
  if ('program' in fetched) return { electron: fetched.program }
  if (shell === 'electron') throw new Error(`Electron cannot be had: ${fetched.why}`)
  log(`Electron cannot be had (${fetched.why}): ${instead}`)
  return 'browser'
}
