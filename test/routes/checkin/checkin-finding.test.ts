import assert from 'node:assert/strict'
import type { Place } from '../../../server/resource/transactions.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder, revoke } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, openDoor, scansOf, verdict } from './checkin-door.ts'

const positionIn = (answer: { body: unknown }) =>
  (answer.body as { position?: { id: number; secret: string } }).position

for (const engine of engines)
  describe(`finding the ticket of a code on ${engine.name}`, () => {
    let door: Door
    let other: Place
    let otherList: number
    let otherItem: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { organizer } = door.place
      await door.write(async (tx) => {
        other = { organizer, event: await addEvent(tx, organizer, 'ball') }
        otherItem = await addItem(tx, other, 'Ball ticket')
        otherList = await addList(tx, other, 'Ballroom', { allow_multiple_entries: true })
      })
    })
    after(() => door.server.close())

    const sellThere = (secret: string) =>
      door.write((tx) => addOrder(tx, other, [{ item: otherItem, secret }]))

    describe('on one list', () => {
      it('takes digits for the id of a position', async () => {
        const ticket = await door.sell('by id')
        const answer = await door.redeemAt(door.list, ticket.id)
        assert.equal(verdict(answer), '201 ok')
        assert.equal(positionIn(answer)?.id, ticket.id)
      })

      it('takes digits for a code where no position has that id', async () => {
        const ticket = await door.sell('900000000001')
        const answer = await door.redeemAt(door.list, '900000000001')
        assert.equal(positionIn(answer)?.id, ticket.id)
      })

      it('never takes untrusted digits for an id', async () => {
        const ticket = await door.sell('not by id')
        const answer = await door.redeemAt(door.list, ticket.id, {}, '?untrusted_input=true')
        assert.equal(verdict(answer), '404 error invalid')
        const trusted = await door.redeemAt(door.list, ticket.id, {}, '?untrusted_input=false')
        assert.equal(verdict(trusted), '201 ok')
      })

      it('does not reach positions of another event by their id', async () => {
        const sold = await sellThere('elsewhere')
        const answer = await door.redeemAt(door.list, Number(sold.positions[0]))
        assert.equal(verdict(answer), '404 error invalid')
      })

      it('takes a plus sign in the path for a space', async () => {
        const ticket = await door.sell('two words')
        const answer = await door.redeemAt(door.list, 'two+words')
        assert.equal(verdict(answer), '201 ok')
        assert.equal(positionIn(answer)?.id, ticket.id)
      })

      it('takes a plus sign for itself where a code holds one', async () => {
        const spaced = await door.sell('a b')
        const plus = await door.sell('a+b')
        assert.equal(positionIn(await door.redeemAt(door.list, 'a+b'))?.id, plus.id)
        assert.equal(positionIn(await door.redeemAt(door.list, 'a%20b'))?.id, spaced.id)
      })

      it('takes a plus sign for itself where a revoked code holds one', async () => {
        await door.write((tx) => revoke(tx, door.place, 'old+code'))
        assert.equal(verdict(await door.redeemAt(door.list, 'old+code')), '400 error revoked')
      })

      it('finds codes that need encoding', async () => {
        for (const secret of ['a/b?c#d', 'ä€😀', '100%', '"\'; --']) {
          await door.sell(secret)
          const answer = await door.redeemAt(door.list, encodeURIComponent(secret))
          assert.equal(verdict(answer), '201 ok', secret)
        }
      })
    })

    describe('that was revoked', () => {
      it('refuses it with the position it belonged to, and stores that', async () => {
        const ticket = await door.sell('new code')
        await door.write((tx) => revoke(tx, door.place, 'old code', ticket.id))
        const answer = await door.redeem('old code')
        assert.equal(verdict(answer), '400 error revoked')
        assert.equal(positionIn(answer)?.id, ticket.id)
        const [scan] = await scansOf(door, 'old code')
        assert.equal(scan?.error_reason, 'revoked')
        assert.equal(scan?.position, ticket.id)
      })

      it('refuses one that belonged to nobody without a position', async () => {
        await door.write((tx) => revoke(tx, door.place, 'nobody had it'))
        for (const force of [false, true]) {
          const answer = await door.redeem('nobody had it', { force })
          assert.equal(verdict(answer), '400 error revoked')
          assert.equal(positionIn(answer), undefined)
        }
      })

      it('admits its position when forced, and remembers the code and that it was needed', async () => {
        const ticket = await door.sell('fresh')
        await door.write((tx) => revoke(tx, door.place, 'stale', ticket.id))
        const answer = await door.redeem('stale', { force: true })
        assert.equal(verdict(answer), '201 ok')
        const [scan] = await scansOf(door, 'stale')
        assert.equal(scan?.position, ticket.id)
        assert.deepEqual([scan?.forced, scan?.force_sent], [1, 1])
        assert.equal(verdict(await door.redeem('fresh')), '400 error already_redeemed')
      })

      it('prefers the ticket that has the code now', async () => {
        const former = await door.sell('moved on')
        const now = await door.sell('same again')
        await door.write((tx) => revoke(tx, door.place, 'same again', former.id))
        assert.equal(positionIn(await door.redeem('same again'))?.id, now.id)
      })
    })

    describe('with add-ons', () => {
      let workshop: number
      let matching: number
      before(async () => {
        workshop = await door.write((tx) => addItem(tx, door.place, 'Workshop'))
        matching = await door.makeList({
          all_products: false,
          limit_products: [workshop],
          addon_match: true,
        })
      })
      const sellWith = async (secret: string, addons: number) => {
        const extras = Array.from({ length: addons }, (_, index) => ({
          item: workshop,
          secret: `${secret}-${index}`,
          addon_to: 0,
        }))
        const sold = await door.write((tx) =>
          addOrder(tx, door.place, [{ item: door.item, secret }, ...extras]),
        )
        return sold.positions
      }

      it('checks the one matching add-on in, not its parent', async () => {
        const [, addon] = await sellWith('one', 1)
        const answer = await door.redeem('one', { lists: [matching] })
        assert.equal(verdict(answer), '201 ok')
        assert.equal(positionIn(answer)?.id, addon)
        const [scan] = await scansOf(door, 'one')
        assert.equal(scan?.position, addon)
        assert.equal(verdict(await door.redeem('one', { lists: [matching] })), '400 error already_redeemed')
      })

      it('refuses a code with two matching add-ons as ambiguous, stored once for each scan', async () => {
        const [parent] = await sellWith('two', 2)
        const answer = await door.redeem('two', { lists: [matching] })
        assert.equal(verdict(answer), '400 error ambiguous')
        assert.equal(positionIn(answer)?.id, parent)
        assert.equal(
          verdict(await door.redeem('two', { lists: [matching], force: true })),
          '400 error ambiguous',
        )
        assert.deepEqual(
          (await scansOf(door, 'two')).map((scan) => [scan.successful, scan.error_reason]),
          [
            [0, 'ambiguous'],
            [0, 'ambiguous'],
          ],
        )
      })

      it('refuses a ticket without matching add-ons as product', async () => {
        await sellWith('none', 0)
        assert.equal(verdict(await door.redeem('none', { lists: [matching] })), '400 error product')
      })

      it('admits an add-on by its own code', async () => {
        const [, , second] = await sellWith('own', 2)
        const answer = await door.redeem('own-1', { lists: [matching] })
        assert.equal(verdict(answer), '201 ok')
        assert.equal(positionIn(answer)?.id, second)
      })

      it('refuses the parent on a list of the add-on product that does not match add-ons', async () => {
        const plain = await door.makeList({ all_products: false, limit_products: [workshop] })
        await sellWith('plain', 1)
        assert.equal(verdict(await door.redeem('plain', { lists: [plain] })), '400 error product')
      })

      it('passes over add-ons that were canceled', async () => {
        const sold = await door.write((tx) =>
          addOrder(tx, door.place, [
            { item: door.item, secret: 'left' },
            { item: workshop, secret: 'left-0', addon_to: 0, canceled: true },
            { item: workshop, secret: 'left-1', addon_to: 0 },
          ]),
        )
        const answer = await door.redeem('left', { lists: [matching] })
        assert.equal(positionIn(answer)?.id, sold.positions[2])
      })
    })

    describe('on lists of two events', () => {
      const both = () => [door.list, otherList]

      it('resolves each ticket to its event, and judges it by the list there', async () => {
        await door.sell('gala ticket')
        await sellThere('ball ticket')
        const listOf = async (secret: string) => {
          const answer = await door.redeem(secret, { lists: both() })
          return [verdict(answer), (bodyOf(answer).list as { event: string }).event]
        }
        assert.deepEqual(await listOf('gala ticket'), ['201 ok', 'gala'])
        assert.deepEqual(await listOf('gala ticket'), ['400 error already_redeemed', 'gala'])
        assert.deepEqual(await listOf('ball ticket'), ['201 ok', 'ball'])
        assert.deepEqual(await listOf('ball ticket'), ['201 ok', 'ball'])
      })

      it('does not find a ticket of an event that is not asked for', async () => {
        await sellThere('unasked')
        const answer = await door.redeem('unasked')
        assert.equal(verdict(answer), '404 error invalid')
        assert.equal((bodyOf(answer).list as { event: string }).event, 'gala')
      })

      it('refuses a code that both events have sold as ambiguous, unless one list holds its product', async () => {
        await door.sell('common')
        await sellThere('common')
        assert.equal(verdict(await door.redeem('common', { lists: both() })), '400 error ambiguous')
        const none = await door.makeList({ all_products: false })
        const answer = await door.redeem('common', { lists: [none, otherList] })
        assert.equal(verdict(answer), '201 ok')
        assert.equal((bodyOf(answer).list as { event: string }).event, 'ball')
      })
    })
  })
