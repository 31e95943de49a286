import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { busy } from '../../errors.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { AnsweredRights } from './answered-rights.ts'

/** An answer that can be given again. */
export interface RepeatableAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** In base64. */
  readonly body: string
  /** What the caller was allowed where it is from; null, or missing in older ones, where it is from no organizer. */
  readonly rights?: AnsweredRights | null
}

/** What is known of a request by its key: its answer, that it is being carried out, or nothing. */
export type KnownKey = RepeatableAnswer | 'running' | null

/** By what a request is known again, and by what its answer can be read. */
export interface RequestKey {
  readonly name: string
  readonly opener: Uint8Array
}

const second = 1_000_000
/** How long answers are stored, in microseconds. */
const lifetime = 24 * 3600 * second
/** For so long an attempt of another program counts as being carried out after that program said so, in microseconds. */
const lease = 15 * second

/** How often a program says that it is still carrying an attempt out, in milliseconds. */
export const renewEvery = 5000

const before = (now: string, microseconds: number): string => instantAt(microsecondsOf(now) - microseconds)

/** The key that a caller has given a request; the same key of another credential is another one. */
export const requestKey = (credential: string, key: string): RequestKey => ({
  name: hash('sha256', `name\n${credential}\n${key}`),
  opener: hash('sha256', `open\n${credential}\n${key}`, 'buffer'),
})

function locked(answer: RepeatableAnswer, { opener }: RequestKey, nonce: Uint8Array): string {
  const cipher = createCipheriv('aes-256-gcm', opener, nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()])
  return [nonce, cipher.getAuthTag(), text].map((part) => Buffer.from(part).toString('base64')).join('.')
}

function unlocked(text: string, { opener }: RequestKey): RepeatableAnswer {
  const [nonce, tag, content] = text.split('.').map((part) => Buffer.from(part, 'base64'))
  if (!nonce || !tag || !content) throw new Error('A stored answer is not complete.')
  const decipher = createDecipheriv('aes-256-gcm', opener, nonce, { authTagLength: 16 })
  decipher.setAuthTag(tag)
  return JSON.parse(Buffer.concat([decipher.update(content), decipher.final()]).toString())
}

/** Which requests with keys this program is carrying out. */
export class OpenAttempts {
  readonly #program: string
  readonly #open = new Set<string>()
  #count = 0

  /** Programs have different names each time they are started. */
  constructor(program: string) {
    this.#program = program
  }

  /** The name of a new attempt. */
  begin(): string {
    this.#count += 1
    const name = `${this.#program}:${this.#count}`
    this.#open.add(name)
    return name
  }

  end(name: string): void {
    this.#open.delete(name)
  }

  /** Whether an attempt of this program is under way; null for one of another program. */
  isOpen(name: string): boolean | null {
    return name.startsWith(`${this.#program}:`) ? this.#open.has(name) : null
  }
}

/** One attempt at carrying out the request of a key. */
export interface RequestAttempt {
  readonly key: RequestKey
  readonly name: string
  /** Whose caller it is: the answer goes with that organizer. */
  readonly organizer?: number | null
}

interface StoredKey {
  readonly begun: string
  readonly answer: string | null
  readonly attempt: string
  readonly until: string
}

const storedKey = (db: Queryable, { name }: RequestKey): Promise<StoredKey | undefined> =>
  db.get<StoredKey>(
    sql`SELECT "begun", "answer", "attempt", "until" FROM kept_answer WHERE key_hash = ${name}`,
  )

/** Whether somebody is carrying out a request without an answer. A SQLite file is served by one program at a time. */
function isUnderWay(db: Queryable, open: OpenAttempts, { attempt, until }: StoredKey, now: string): boolean {
  return open.isOpen(attempt) ?? (db.engine === 'postgres' && until > now)
}

/** Looks up what is known of a request. */
export async function knownAnswer(
  db: Queryable,
  key: RequestKey,
  open: OpenAttempts,
  now: string,
): Promise<KnownKey> {
  const row = await storedKey(db, key)
  if (!row || row.begun < before(now, lifetime)) return null
  if (row.answer !== null) return unlocked(row.answer, key)
  return isUnderWay(db, open, row, now) ? 'running' : null
}

/**
 * Notes that an attempt is about to carry a request out; null where that is so, else what is known of the request. An
 * attempt whose program has ended, and one that could not store how it ended, gives way at once.
 */
export const beginRequest = (
  transactions: Transactions,
  { key, name, organizer }: RequestAttempt,
  open: OpenAttempts,
): Promise<KnownKey> =>
  transactions.write(
    async (tx) => {
      const until = instantAt(microsecondsOf(tx.now) + lease)
      const begun = await tx.run(
        sql`INSERT INTO kept_answer (key_hash, organizer, "begun", "answer", "attempt", "until", "passed_up")
          VALUES (${key.name}, ${organizer ?? null}, ${tx.now}, NULL, ${name}, ${until}, 0) ON CONFLICT (key_hash) DO NOTHING`,
      )
      if (begun > 0) return null
      const row = await storedKey(tx, key)
      if (!row) return 'running'
      const isOld = row.begun < before(tx.now, lifetime)
      if (!isOld && (row.answer !== null || isUnderWay(tx, open, row, tx.now)))
        return knownAnswer(tx, key, open, tx.now)
      // Not where the one before has come to its end meanwhile.
      const taken = await tx.run(
        sql`UPDATE kept_answer SET "begun" = ${tx.now}, "answer" = NULL, "attempt" = ${name}, "until" = ${until},
            "passed_up" = CASE WHEN "answer" IS NULL THEN "passed_up" ELSE 0 END
          WHERE key_hash = ${key.name} AND "attempt" = ${row.attempt} AND "begun" = ${row.begun}
            AND ("answer" IS NULL OR ${isOld ? 1 : 0} = 1)`,
      )
      return taken > 0 ? null : ((await knownAnswer(tx, key, open, tx.now)) ?? 'running')
    },
    { isUrgent: true },
  )

/** Says that an attempt is still being carried out. */
export const renewAttempt = (transactions: Transactions, { key, name }: RequestAttempt): Promise<number> =>
  transactions.write((tx) =>
    tx.run(
      sql`UPDATE kept_answer SET "until" = ${instantAt(microsecondsOf(tx.now) + lease)}
          WHERE key_hash = ${key.name} AND "attempt" = ${name} AND "answer" IS NULL`,
    ),
  )

const setAnswer = (tx: Tx, { key, name }: RequestAttempt, answer: RepeatableAnswer): Promise<number> =>
  tx.run(
    sql`UPDATE kept_answer SET "answer" = ${locked(answer, key, tx.randomBytes(12))}
        WHERE key_hash = ${key.name} AND "attempt" = ${name} AND "answer" IS NULL`,
  )

/**
 * Stores the answer to a request in the transaction that carries it out; throws 409, which takes that back, where another
 * attempt has taken over.
 */
export async function storeAnswer(tx: Tx, attempt: RequestAttempt, answer: RepeatableAnswer): Promise<void> {
  if ((await setAnswer(tx, attempt, answer)) !== 1) throw busy()
}

/**
 * Stores the answer to a request that has changed nothing, or with null forgets the request, so that it can be made again:
 * unless its answer is stored already, or it was passed upstream, where it may have been carried out.
 */
export const endRequest = (
  transactions: Transactions,
  attempt: RequestAttempt,
  answer: RepeatableAnswer | null,
): Promise<number> =>
  transactions.write(
    (tx) =>
      answer === null
        ? tx.run(
            sql`DELETE FROM kept_answer
              WHERE key_hash = ${attempt.key.name} AND "attempt" = ${attempt.name} AND "answer" IS NULL AND "passed_up" = 0`,
          )
        : setAnswer(tx, attempt, answer),
    { isUrgent: true },
  )

/** Notes that an attempt passes its request upstream: it is not carried out here, should no answer come from there. */
export const notePassedUp = (transactions: Transactions, { key, name }: RequestAttempt): Promise<number> =>
  transactions.write((tx) =>
    tx.run(sql`UPDATE kept_answer SET "passed_up" = 1 WHERE key_hash = ${key.name} AND "attempt" = ${name}`),
  )

/** Whether any attempt has passed a request upstream. */
export async function wasPassedUp(db: Queryable, { name }: RequestKey): Promise<boolean> {
  const row = await db.get<{ passed_up: number }>(
    sql`SELECT "passed_up" FROM kept_answer WHERE key_hash = ${name}`,
  )
  return row?.passed_up === 1
}

/** Forgets answers that are older than a day; how many. */
export const forgetAnswers = (transactions: Transactions, now: string): Promise<number> =>
  transactions.write((tx) => tx.run(sql`DELETE FROM kept_answer WHERE "begun" < ${before(now, lifetime)}`))
