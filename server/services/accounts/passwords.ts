import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../errors.ts'
import { createTurns } from '../../resource/turns.ts'

/** Work and memory of the hash: 2^15 rounds, 8 blocks, three times over, about 100 MiB for a quarter of a second. */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const bytes = 32

/** Hashes take a core and memory each, so one is made at a time; nobody can fill the memory with guesses. */
const inTurn = createTurns({
  atOnce: 1,
  mayWait: 20,
  refusal: () =>
    new Refusal(
      429,
      { detail: 'Too many people are signing in at once. Please try again in a moment.' },
      { 'Retry-After': '5' },
    ),
})

const derive = (password: string, salt: Uint8Array, params: typeof cost): Promise<Buffer> =>
  inTurn(
    () =>
      new Promise((resolve, reject) =>
        scrypt(
          password.normalize('NFKC'),
          salt,
          bytes,
          { ...params, maxmem: 256 * params.N * params.r },
          (error, key) => (error ? reject(error) : resolve(key)),
        ),
      ),
  )

const unpadded = (data: Uint8Array): string => Buffer.from(data).toString('base64').replace(/=+$/, '')

/** What is stored of a password: an scrypt hash in PHC form. Runs off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(key)}`
}

/**
 * The hash by which a badge is found: the same for the same code at an organizer, and as slow to make as that of a
 * password, since the numbers of badges are short.
 */
export async function hashBadge(organizer: number, code: string): Promise<string> {
  const salt = hash('sha256', `badge of ${organizer}`, 'buffer')
  return unpadded(await derive(code.trim().toLowerCase(), salt, cost))
}

/** Whether a password is the one that was hashed. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) return false
  const [, ln, r, p, salt = '', key = ''] = match
  const expected = Buffer.from(key, 'base64')
  const given = await derive(password, Buffer.from(salt, 'base64'), {
    N: 2 ** Number(ln),
    r: Number(r),
    p: Number(p),
  })
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether a stored hash is weaker than new ones are, or of another form, so that it is made anew at the next occasion. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$`)

/** The hash of no password: verified where there is nobody, so that it takes as long as where there is somebody. */
export const nobodysHash = `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`
