import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | undefined>()

/**
 * The header `traceparent` of the request for which something is being done, where it came with one: by its number, what
 * several programs do for one purpose is found in the logs of each. W3C Trace Context, level 1.
 */
export const currentTraceparent = (): string | undefined => current.getStore()

/** The number in such a header. */
export const traceOf = (traceparent: string): string => traceparent.slice(3, 35)

/** Does something for the trace that is given, or for none. */
export const forTrace = <T>(traceparent: string | undefined, work: () => T): T =>
  current.run(traceparent, work)
