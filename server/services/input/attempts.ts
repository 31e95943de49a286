import { type FieldErrors, invalid, Refusal } from '../../errors.ts'

/** What came of reading a part of a body: its value, or complaints for its place in the answer. */
export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: unknown }

/** Reads a part of a body; a 400 becomes complaints, everything else goes on its way. */
export function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { ok: true, value: read() }
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 400) return { ok: false, errors: cause.body }
    throw cause
  }
}

/** Complaints about the rows of a list, `{}` for good ones; null where all of them are. */
export const aligned = (attempts: readonly Attempt<unknown>[]): unknown[] | null =>
  attempts.every((one) => one.ok) ? null : attempts.map((one) => (one.ok ? {} : one.errors))

/** The values of a list whose rows were all good; throws 400 with complaints aligned under the list's name. */
export function goodRows<T>(name: string, attempts: readonly Attempt<T>[]): T[] {
  const errors = aligned(attempts)
  if (errors) throw invalid({ [name]: errors })
  return attempts.flatMap((one) => (one.ok ? [one.value] : []))
}

/** Throws 400 when there are complaints. */
export function refuseIfAny(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
