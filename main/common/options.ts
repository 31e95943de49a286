import { parseArgs } from 'node:util'
import { START_COMMAND } from './program-files.ts'

/** How the station's screen is shown. */
type ShellChoice = 'electron' | 'browser' | 'none'

/** What `npm start` was asked for. */
export interface StartOptions {
  /** The data folder; null for the usual one. */
  readonly data: string | null
  /** Locks the screen; otherwise an ordinary window. */
  readonly kiosk: boolean
  /** Null: the best there is. */
  readonly shell: ShellChoice | null
  /** Only read a new exit PIN from the input and keep it. */
  readonly setExitPin: boolean
  readonly help: boolean
}

/** What `--help` prints. */
export const HELP = `${START_COMMAND} [options]

  --data DIR        where the station keeps its data (default: $GATEHOUSE_DATA or the usual folder)
  --window          an ordinary window instead of the whole screen
  --shell WHICH     electron, browser, or none (prints the address to open)
  --set-exit-pin    read the PIN that leaving asks for from the input, keep it and end
  --help            this text`

/**
 * Reads the command line. Throws an Error with a sentence for options that do not exist; `tolerant` ignores
 * them, because Electron's own may stand among ours.
 */
export function readShellOptions(args: readonly string[], tolerant = false): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    strict: !tolerant,
    allowPositionals: tolerant,
    options: {
      data: { type: 'string' },
      window: { type: 'boolean' },
      shell: { type: 'string' },
      'set-exit-pin': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { data, shell } = values
  if (data === '') throw new Error('--data needs a folder')
  return {
    data: typeof data === 'string' ? data : null,
    kiosk: values.window !== true,
    shell: shell === undefined ? null : readShell(shell),
    setExitPin: values['set-exit-pin'] === true,
    help: values.help === true,
  }
}

function readShell(value: string | boolean): ShellChoice {
  if (value === 'electron' || value === 'browser' || value === 'none') return value
  throw new Error(`--shell is electron, browser or none, and not ${value}`)
}
