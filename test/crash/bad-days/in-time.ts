/** What a test says of itself when it has waited for something in vain. */
export type Describe = () => Promise<string> | string

/** Milliseconds for anything that a test waits for; nothing takes so long on a machine that has other things to do. */
const patience = 150_000

/** Waits for something, and where it does not come says what that was and how everything stood. */
export async function inTime<T>(what: string, awaited: Promise<T>, describe: Describe): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(async () => {
    const state = await Promise.resolve()
      .then(describe)
      .catch((cause: unknown) => `not known: ${cause}`)
    reject(new Error(`It never came so far: ${what}.\n${state}`))
  }, patience)
  try {
    return await Promise.race([awaited, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
