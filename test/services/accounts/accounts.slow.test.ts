import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { Refusal } from '../../../server/errors.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import {
  createOrganizer,
  createTeam,
  createTeamToken,
  createUser,
  requireOrganizer,
} from '../../../server/services/accounts/accounts.ts'
import { hashPassword, verifyPassword } from '../../../server/services/accounts/passwords.ts'
import { engines } from '../../support/engines/engines.ts'
import { useRealHashes } from '../../support/mocha/cheap-hashes.ts'

const saying = (words: RegExp) => (cause: unknown) =>
  cause instanceof Refusal &&
  cause.status === 400 &&
  words.test(String((cause.body as { detail?: string }).detail))

for (const engine of engines)
  describe(`accounts on ${engine.name}`, () => {
    let data: Transactions
    let organizer: number

    before(async () => {
      data = await openData(await engine.open(), realEnv)
      organizer = (await data.write((tx) => createOrganizer(tx, 'acme', 'Acme'))).id
    })

    after(() => data.database.close())

    const slugs: readonly (readonly [slug: string, ok: boolean])[] = [
      ['a', true],
      ['A-b_c.9', true],
      ['x'.repeat(50), true],
      ['x'.repeat(51), false],
      ['', false],
      ['a b', false],
      ['ä', false],
      ['a/b', false],
      ['a\n', false],
    ]
    for (const [slug, ok] of slugs)
      it(`${ok ? 'takes' : 'refuses'} ${JSON.stringify(slug)} as a slug`, async () => {
        const making = data.write((tx) => createOrganizer(tx, slug, 'Name'))
        if (ok) assert.equal((await making).slug, slug)
        else await assert.rejects(making, saying(/is not a slug/))
      })

    it('makes no organizer without a name', () =>
      assert.rejects(
        data.write((tx) => createOrganizer(tx, 'nameless', ' ')),
        saying(/Give the organizer a name/),
      ))

    it('makes each organizer once, also when two ask at the same time', async () => {
      const ask = () => data.write((tx) => createOrganizer(tx, 'twice', 'T'))
      const results = await Promise.allSettled([ask(), ask(), ask()])
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results)
        if (result.status === 'rejected') assert.ok(saying(/"twice" already/)(result.reason), result.reason)
    })

    it('finds organizers by their slug', async () => {
      assert.equal(await requireOrganizer(data.database, 'acme'), organizer)
      await assert.rejects(requireOrganizer(data.database, 'none'), saying(/no organizer "none"/))
    })

    it('keeps one user for an address, however it is written', async () => {
      const made = await data.write((tx) => createUser(tx, 'Anna.Groß@Example.org', 'hash'))
      assert.equal(made.email, 'Anna.Groß@Example.org')
      assert.equal('password_hash' in made, false)
      await assert.rejects(
        data.write((tx) => createUser(tx, 'anna.groß@example.ORG', 'hash')),
        saying(/There is a user/),
      )
      for (const email of ['', 'anna', 'anna@', '@example.org', 'a b@example.org', 'anna@example'])
        await assert.rejects(
          data.write((tx) => createUser(tx, email, 'hash')),
          saying(/not an e-mail address/),
        )
    })

    it('stores a token as a hash only, in its own words in the audit trail', async () => {
      const rights = { permissions: ['can_view_orders'], allEvents: true, events: [] } as const
      const team = await data.write((tx) => createTeam(tx, organizer, 'Door', rights))
      assert.deepEqual([team.can_view_orders, team.can_change_orders], [true, false])
      const made = await data.write((tx) => createTeamToken(tx, organizer, team.id, 'script'))
      assert.match(made.token, /^gatehouse_team_[a-z0-9]{60}[0-9a-f]{8}$/)
      const row = await data.database.get(sql`SELECT * FROM team_token WHERE id = ${made.id}`)
      assert.ok(!JSON.stringify(row).includes(made.token))
      const audit = await data.database.all<{ action: string; actor_kind: string }>(
        sql`SELECT action, actor_kind FROM audit WHERE organizer = ${organizer} ORDER BY id`,
      )
      assert.deepEqual(
        audit.map(({ action, actor_kind }) => `${actor_kind} ${action}`),
        [
          'command ticketsvc.organizer.added',
          'command ticketsvc.team.added',
          'command ticketsvc.team.token.created',
        ],
      )
      await assert.rejects(
        data.write((tx) => createTeamToken(tx, organizer, 99, 'x')),
        saying(/no team 99/),
      )
    })

    it('gives no team events that the organizer does not have', async () => {
      const rights = { permissions: [], allEvents: false, events: ['none'] } as const
      await assert.rejects(
        data.write((tx) => createTeam(tx, organizer, 'Nowhere', rights)),
        saying(/no event "none"/),
      )
    })
  })

describe('passwords', () => {
  useRealHashes()

  it('are recognised by their hash, which is different each time', async () => {
    const [one, other] = await Promise.all([hashPassword('grün & lang'), hashPassword('grün & lang')])
    assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notEqual(one, other)
    assert.equal(await verifyPassword('grün & lang', one), true)
    // The same letters, typed on a machine that writes ü as two characters.
    assert.equal(await verifyPassword('gru\u0308n & lang', one), true)
    assert.equal(await verifyPassword('grün & lang ', one), false)
    assert.equal(await verifyPassword('', one), false)
  })

  it('fit no hash that is not one', async () => {
    for (const stored of ['', 'grün', '$scrypt$', '$scrypt$ln=15,r=8,p=3$$', '$argon2id$v=19$x$y'])
      assert.equal(await verifyPassword('grün', stored), false)
  })

  it('are recognised by hashes made with less work', async () => {
    const { scryptSync } = await import('node:crypto')
    const key = scryptSync('old', 'salt', 32, { N: 1024, r: 8, p: 1 }).toString('base64').replace(/=+$/, '')
    const salt = Buffer.from('salt').toString('base64').replace(/=+$/, '')
    assert.equal(await verifyPassword('old', `$scrypt$ln=10,r=8,p=1$${salt}$${key}`), true)
  })
})
