import assert from 'node:assert/strict'
import type fc from 'fast-check'

/** Makes commands of a model and of what it is a model of, which must agree after each. */
export const commandsOf =
  <M extends object, R>(
    agree: (model: M, real: R) => Promise<void>,
    usually: (model: M) => boolean = () => true,
  ) =>
  (
    words: string,
    run: (model: M, real: R) => Promise<void>,
    check: (model: M) => boolean = usually,
  ): fc.AsyncCommand<M, R> => ({
    check,
    async run(model, real) {
      await run(model, real)
      await agree(model, real)
    },
    toString: () => words,
  })

/** One of some things, whatever the number that chooses. */
export const oneAt = <T>(some: readonly T[], index: number): T => {
  const one = some[index % some.length]
  assert.ok(one)
  return one
}
