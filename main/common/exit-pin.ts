import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { PinAnswer } from './channels.ts'
import type { ShellClock } from './clock.ts'

/** The PIN that leaving a kiosk asks for. Only its hash is kept, and only in this process. */
export interface ExitPin {
  isSet(): boolean
  /** Compares a PIN; after five wrong ones each further try has to wait, longer every time. */
  check(pin: string): Promise<PinAnswer>
  /** Sets a new PIN; the current one is asked for when there is one. */
  change(current: string, next: string): Promise<PinAnswer>
}

const FREE_TRIES = 5
const FIRST_WAIT = 30_000
const LONGEST_WAIT = 15 * 60_000
const SHORTEST = 4
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }

/** Milliseconds until the next try after so many wrong ones in a row. */
export function waitAfter(wrong: number): number {
  return wrong < FREE_TRIES ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(wrong - FREE_TRIES, 16))
}

/** Hashes a PIN with scrypt and a fresh salt, as `scrypt:SALT:HASH` in base64. */
export async function hashPin(pin: string): Promise<string> {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('base64')}:${(await derive(pin, salt)).toString('base64')}`
}

/** Whether a PIN is the one of a hash, in a time that does not depend on how much of it is right. */
export async function matchesPin(pin: string, hash: string): Promise<boolean> {
  const [method, salt, expected] = hash.trim().split(':')
  if (method !== 'scrypt' || !salt || !expected) return false
  const wanted = Buffer.from(expected, 'base64')
  const derived = await derive(pin, Buffer.from(salt, 'base64'))
  return wanted.length === derived.length && timingSafeEqual(wanted, derived)
}

/** The exit PIN of the station whose hash is in this file; without the file there is no PIN. */
export function makeExitPin(file: string, clock: ShellClock): ExitPin {
  let wrong = 0
  let blockedUntil = 0

  async function check(pin: string): Promise<PinAnswer> {
    const waitMs = blockedUntil - clock.now()
    if (waitMs > 0) return { ok: false, reason: 'wait', waitMs }
    // Counted before the slow part, so that many tries at once are not many tries for the price of one.
    wrong++
    blockedUntil = clock.now() + waitAfter(wrong)
    const hash = await readFile(file, 'utf8').catch(() => '')
    if (!(await matchesPin(pin, hash))) return { ok: false, reason: 'wrong', waitMs: waitAfter(wrong) }
    wrong = 0
    blockedUntil = 0
    return { ok: true }
  }

  return {
    isSet: () => existsSync(file),
    check,
    async change(current, next) {
      if (existsSync(file)) {
        const answer = await check(current)
        if (!answer.ok) return answer
      }
      if (next.length < SHORTEST) return { ok: false, reason: 'too short', waitMs: 0 }
      await writeFile(`${file}.new`, await hashPin(next), { mode: 0o600 })
      await rename(`${file}.new`, file)
      return { ok: true }
    },
  }
}

function derive(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
