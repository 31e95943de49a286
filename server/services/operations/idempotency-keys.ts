import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Transactions } from '../../resource/transactions.ts'
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
/** After so long a request without an answer was cut off, as by the end of the program: who repeats it begins anew. */
const patience = 300 * second

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

/** Looks up what is known of a request. */
export async function knownAnswer(db: Queryable, key: RequestKey, now: string): Promise<KnownKey> {
  const row = await db.get<{ begun: string; answer: string | null }>(
    sql`SELECT "begun", "answer" FROM kept_answer WHERE key_hash = ${key.name}`,
  )
  if (!row || row.begun < before(now, lifetime)) return null
  if (row.answer !== null) return unlocked(row.answer, key)
  return row.begun < before(now, patience) ? null : 'running'
}

/** Notes that a request is about to be carried out; null where it is for the caller to do, else what is known of it. */
export const beginRequest = (transactions: Transactions, key: RequestKey): Promise<KnownKey> =>
  transactions.write(async (tx) => {
    const begun = await tx.run(
      sql`INSERT INTO kept_answer (key_hash, "begun", "answer") VALUES (${key.name}, ${tx.now}, NULL)
          ON CONFLICT (key_hash) DO UPDATE SET "begun" = ${tx.now}, "answer" = NULL
          WHERE kept_answer."begun" < ${before(tx.now, lifetime)}
            OR (kept_answer."answer" IS NULL AND kept_answer."begun" < ${before(tx.now, patience)})`,
    )
    return begun > 0 ? null : knownAnswer(tx, key, tx.now)
  })

/** Keeps the answer to a request, or with null forgets the request, so that it can be made again. */
export const endRequest = (
  transactions: Transactions,
  key: RequestKey,
  answer: RepeatableAnswer | null,
): Promise<number> =>
  transactions.write((tx) =>
    answer === null
      ? tx.run(sql`DELETE FROM kept_answer WHERE key_hash = ${key.name} AND "answer" IS NULL`)
      : tx.run(
          sql`UPDATE kept_answer SET "answer" = ${locked(answer, key, tx.randomBytes(12))} WHERE key_hash = ${key.name}`,
        ),
  )

/** Forgets answers that are older than a day; how many. */
export const forgetAnswers = (transactions: Transactions, now: string): Promise<number> =>
  transactions.write((tx) => tx.run(sql`DELETE FROM kept_answer WHERE "begun" < ${before(now, lifetime)}`))
