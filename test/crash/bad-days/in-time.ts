/** What a test says of itself when it has waited for something in vain. */
export type Describe = () => Promise<string> | string

/** Waits for something, and where it does not come says what that was and how everything stood. */
export type InTime = <T>(what: string, awaited: Promise<T>, describe?: Describe) => Promise<T>

/** Milliseconds for anything that a test waits for; nothing takes so long on a machine that has other things to do. */
const forEach = 150_000

/** Milliseconds for everything that a test waits for, and what the runner allows it: by then it has said where it was. */
const forAll = 560_000
export const testTimeout = 600_000

/** Has a test wait for each thing and for all of them so long and no longer. */
export function startWaiting(): InTime {
  const end = performance.now() + forAll
  return async (what, awaited, describe = () => '') => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const left = Math.max(0, Math.min(forEach, end - performance.now()))
    const timer = setTimeout(async () => {
      const state = await Promise.resolve()
        .then(describe)
        .catch((cause: unknown) => `not known: ${cause}`)
      reject(new Error(`It never came so far: ${what}, in ${Math.round(left)} ms.\n${state}`))
    }, left)
    try {
      return await Promise.race([awaited, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }
}
