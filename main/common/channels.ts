/** Whether the window is locked, and whether leaving asks for a PIN. */
interface WindowState {
  readonly kiosk: boolean
  readonly exitPin: boolean
}

/** The answer to a PIN: accepted, or refused and when the next one is looked at. */
export type PinAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'wrong' | 'wait' | 'too short'; readonly waitMs: number }

/** A printer of this machine. */
export interface Printer {
  readonly name: string
  readonly label: string
}

/** Prints what the window shows (its print style), without a dialogue, on paper of this size. */
export interface PrintJob {
  readonly printer: string
  readonly widthMm: number
  readonly heightMm: number
  readonly copies: number
}

/** Whether the system took the print; `reason` is its own word otherwise. */
export interface PrintAnswer {
  readonly printed: boolean
  readonly reason: string | null
}

/** Everything the page may ask of the shell: what a browser cannot do, and nothing that HTTP can. */
interface Channels {
  readonly 'window:state': { readonly ask: null; readonly answer: WindowState }
  readonly 'window:leave': { readonly ask: { readonly pin: string }; readonly answer: PinAnswer }
  /** Whether a PIN is the exit PIN: for what else a person at a kiosk may decide. */
  readonly 'window:check-pin': { readonly ask: { readonly pin: string }; readonly answer: PinAnswer }
  readonly 'window:set-pin': {
    readonly ask: { readonly current: string; readonly next: string }
    readonly answer: PinAnswer
  }
  readonly 'print:printers': { readonly ask: null; readonly answer: readonly Printer[] }
  readonly 'print:page': { readonly ask: PrintJob; readonly answer: PrintAnswer }
}

/** The name of a channel. */
export type Channel = keyof Channels

/** What the page sends on a channel. */
export type Ask<C extends Channel> = Channels[C]['ask']

/** What the page is answered on a channel. */
export type Answer<C extends Channel> = Channels[C]['answer']

/** The shell's answer to each channel. */
export type Answers = { readonly [C in Channel]: (ask: Ask<C>) => Answer<C> | Promise<Answer<C>> }

/** What the shell puts on the page's `window.gatehouse`; missing in a browser that somebody opened. */
export interface Shell {
  state(): Promise<WindowState>
  leave(pin: string): Promise<PinAnswer>
  /** Whether this is the exit PIN, without leaving. */
  checkPin(pin: string): Promise<PinAnswer>
  setPin(current: string, next: string): Promise<PinAnswer>
  printers(): Promise<readonly Printer[]>
  print(job: PrintJob): Promise<PrintAnswer>
}

type Checks = { readonly [C in Channel]: (value: unknown) => value is Ask<C> }

/** Tells for each channel whether what came is what the channel takes: the page is not trusted. */
export const checks: Checks = {
  'window:state': isNothing,
  'window:leave': (value): value is Ask<'window:leave'> => isRecord(value) && isPin(value.pin),
  'window:check-pin': (value): value is Ask<'window:check-pin'> => isRecord(value) && isPin(value.pin),
  'window:set-pin': (value): value is Ask<'window:set-pin'> =>
    isRecord(value) && isPin(value.current) && isPin(value.next),
  'print:printers': isNothing,
  'print:page': (value): value is PrintJob =>
    isRecord(value) &&
    typeof value.printer === 'string' &&
    value.printer.length <= 200 &&
    isWithin(value.widthMm, 1, 1000) &&
    isWithin(value.heightMm, 1, 1000) &&
    isWithin(value.copies, 1, 50) &&
    Number.isInteger(value.copies),
}

/** The shell's answer to what came on a channel; throws for what the channel does not take. */
export function answerAsk<C extends Channel>(
  answers: Answers,
  channel: C,
  value: unknown,
): Answer<C> | Promise<Answer<C>> {
  const isAsk: (value: unknown) => value is Ask<C> = checks[channel]
  if (!isAsk(value)) throw new Error(`Not what ${channel} takes`)
  return answers[channel](value)
}

function isNothing(value: unknown): value is null {
  return value === null || value === undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isPin(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 64
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}
