import type { Context } from 'koa'
import type { TranslateServer } from '../../schema/texts/server.ts'
import type { Tx } from '../resource/transactions.ts'
import { beginSession, endSession, type Session } from '../services/accounts/sessions.ts'
import { type Allowance, giveBack, spend } from '../services/accounts/throttle.ts'
import { noteAccount, type User } from '../services/accounts/users.ts'
import { giveCookie, type PageParts } from './visits.ts'

/** How a browser is called in the list of logins: what it says it is, in two words. */
function browserName(agent: string): string {
  const program = /\b(Edg|OPR|Firefox|HeadlessChrome|Chrome|Safari)\b/.exec(
    agent.replace(/^.*?\b(Edg|OPR)\b/, '$1'),
  )?.[1]
  const system = /\b(Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux)\b/.exec(agent)?.[1]
  const names: Readonly<Record<string, string>> = {
    Edg: 'Edge',
    HeadlessChrome: 'Chrome',
    OPR: 'Opera',
    'Mac OS X': 'macOS',
    CrOS: 'ChromeOS',
  }
  const named = [program, system].flatMap((name) => (name === undefined ? [] : (names[name] ?? name)))
  return named.length > 0 ? named.join(', ') : (agent.split(/[\s/]/)[0]?.slice(0, 40) ?? '')
}

/**
 * Logs somebody in: the session and its cookie are new, whatever the browser had before, and what it had ends. With a
 * second factor the session waits for its code.
 */
export async function startLogin(
  ctx: Context,
  parts: PageParts,
  user: User,
  {
    isComplete,
    before,
    also,
  }: {
    readonly isComplete: boolean
    readonly before: Session | null
    /** What else happens in the same transaction. */
    readonly also?: (tx: Tx) => Promise<void>
  },
): Promise<void> {
  const agent = browserName(ctx.get('User-Agent'))
  const token = await parts.transactions.write(async (tx) => {
    await also?.(tx)
    if (before) await endSession(tx, before.user.id, before.id)
    if (isComplete) noteAccount(tx, user, 'login')
    return beginSession(tx, user.id, isComplete ? 'full' : 'password', agent)
  })
  giveCookie(ctx, parts, token)
}

/** Makes an attempt count; the sentence that says how long to wait where there were too many, with status 429. */
export async function tooOften(
  ctx: Context,
  parts: PageParts,
  allowances: readonly Allowance[],
  t: TranslateServer,
): Promise<string | null> {
  const wait = await parts.transactions.write((tx) => spend(tx, allowances))
  if (wait === 0) return null
  ctx.status = 429
  ctx.set('Retry-After', String(wait))
  return t('page.too-often', { minutes: Math.ceil(wait / 60) })
}

/** Forgives what a successful attempt has cost. */
export const forgive = (parts: PageParts, allowances: readonly Allowance[]): Promise<void> =>
  parts.transactions.write((tx) => giveBack(tx, allowances, true))
