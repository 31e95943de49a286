import assert from 'node:assert/strict'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { registerApplication } from '../../../server/services/accounts/applications.ts'
import { programActor } from '../../../server/services/accounts/oauth-access.ts'
import { grant } from '../../../server/services/accounts/oauth-grants.ts'
import { answerRevocation, answerTokenRequest } from '../../../server/services/accounts/oauth-server.ts'
import { findUser } from '../../../server/services/accounts/users.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { addPerson } from '../../support/servers/visitors.ts'

/** What a program, or a thief with everything it ever had, can do; numbers choose among what was given out. */
type OAuthStep =
  | { readonly kind: 'code' }
  | { readonly kind: 'refresh'; readonly which: number }
  | { readonly kind: 'end access'; readonly which: number }
  | { readonly kind: 'end refresh'; readonly which: number }

const which = fc.nat({ max: 5 })
const step: fc.Arbitrary<OAuthStep> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<OAuthStep>({ kind: 'code' }) },
  { weight: 6, arbitrary: which.map((one): OAuthStep => ({ kind: 'refresh', which: one })) },
  { weight: 1, arbitrary: which.map((one): OAuthStep => ({ kind: 'end access', which: one })) },
  { weight: 1, arbitrary: which.map((one): OAuthStep => ({ kind: 'end refresh', which: one })) },
)

const redirectUri = 'https://app.example/back'

describe('tokens, in whatever order they are asked for', () => {
  let data: Transactions

  before(async () => {
    data = await openData(openSqlite(':memory:'), realEnv)
    await data.write((tx) => addPerson(tx, 'ada@example.org', 'no hash'))
  })
  after(() => data.database.close())

  /** A program with a code that has not been exchanged. */
  async function prepare(isPublic: boolean) {
    const person = await data.write(async (tx) => {
      const row = await tx.get<{ id: number }>(sql`SELECT id FROM app_user`)
      return findUser(tx, row?.id ?? 0)
    })
    assert.ok(person)
    return data.write(async (tx) => {
      const { application, secret } = await registerApplication(tx, person, {
        name: 'x',
        redirectUris: [redirectUri],
        isPublic,
      })
      const request = {
        redirectUri,
        isRedirectNamed: true,
        scopes: ['read'],
        state: undefined,
        challenge: undefined,
        isForced: false,
      } as const
      const code = await grant(tx, person, { application, request, organizers: [] })
      return { code, authorization: `Basic ${btoa(`${application.clientId}:${secret ?? ''}`)}` }
    })
  }

  for (const isPublic of [false, true])
    it(`are never more than the protocol lets a program ${isPublic ? 'without' : 'with'} a secret have`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const { code, authorization } = await prepare(isPublic)
          const accesses: string[] = []
          const refreshes: string[] = []
          // What should hold: which access token lives, and whether the consent stands.
          let live: string | null = null
          let isUsed = false
          let isOver = false
          const ask = (form: Record<string, string>) =>
            data.write((tx) => answerTokenRequest(tx, new URLSearchParams(form), authorization))
          const end = (token: string) =>
            data.write((tx) => answerRevocation(tx, new URLSearchParams({ token }), authorization))
          const over = () => {
            isOver = true
            live = null
          }
          const taken = (body: Readonly<Record<string, unknown>> | null) => {
            live = String(body?.access_token)
            accesses.push(live)
            const refresh = String(body?.refresh_token)
            if (!refreshes.includes(refresh)) refreshes.push(refresh)
          }
          for (const one of steps) {
            if (one.kind === 'code') {
              const { status, body } = await ask({
                grant_type: 'authorization_code',
                code,
                redirect_uri: redirectUri,
              })
              assert.equal(status, isUsed ? 400 : 200)
              if (isUsed) over()
              else taken(body)
              isUsed = true
            } else if (one.kind === 'refresh') {
              const token = refreshes[one.which % refreshes.length]
              if (token === undefined) continue
              // The last one is to be exchanged; the one before it is taken for a lost answer.
              const age = refreshes.length - 1 - refreshes.indexOf(token)
              const isFine: boolean = !isOver && age <= 1
              const { status, body } = await ask({ grant_type: 'refresh_token', refresh_token: token })
              assert.equal(status, isFine ? 200 : 400, JSON.stringify(body))
              if (isFine && age === 1) assert.equal(body?.refresh_token, refreshes.at(-1))
              if (isFine && age === 0) assert.equal(body?.refresh_token === token, !isPublic)
              if (isFine) taken(body)
              else over()
            } else {
              const all = one.kind === 'end access' ? accesses : refreshes
              const token = all[one.which % all.length]
              if (token === undefined) continue
              assert.equal((await end(token)).status, 200)
              if (one.kind === 'end refresh') over()
              else if (live === token) live = null
            }
            for (const access of accesses)
              assert.equal((await programActor(data.database, hashToken(access))) !== null, access === live)
          }
        }),
        { numRuns: 150 },
      ))
})
