/** How something is asked that is done once: by a key, and with what a supervisor was given for it, or nothing. */
export interface KeyedAct {
  readonly key: string
  readonly stepUp: string
}

/** The header that says what a supervisor was given for an act; none where nobody stands in. */
export const stepUpHeaders = (stepUp: string): Readonly<Record<string, string>> =>
  stepUp === '' ? {} : { 'x-step-up': stepUp }

/** The headers by which something is done once for its key. */
export const attemptHeaders = ({ key, stepUp }: KeyedAct): Readonly<Record<string, string>> => ({
  'x-idempotency-key': key,
  ...stepUpHeaders(stepUp),
})
