import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { receipt } from '../../schema/resources/drawer/receipt.ts'
import { receiptSignature } from '../../schema/resources/drawer/receipt-signature.ts'
import { type ReceiptSigning, type SigningDevices, startSigning } from '../../server/jobs/sign-receipts.ts'
import { silentLog } from '../../server/log.ts'
import { findRows } from '../../server/resource/store.ts'
import { openDrawer } from '../../server/services/drawer/drawer-sessions.ts'
import type { SigningDevice } from '../../server/services/drawer/signing-device.ts'
import { simulatedSigningDevice } from '../../server/services/drawer/signing-simulator.ts'
import { verifyTills } from '../../server/services/drawer/verify-tills.ts'
import { eventBySlug } from '../../server/services/events/events.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import { startTills, type Till, type TillWorld } from '../support/ticketing/tills.ts'

const cash = { payment_provider: 'boxoffice' }

describe('receipts that are to be signed', () => {
  let world: TillWorld
  let till: Till
  let env: HandEnv
  let signing: ReceiptSigning | undefined
  beforeEach(async () => {
    world = await startTills(100)
    await world.central.database.run(sql`UPDATE event SET settings = '{"till_signing":"simulator"}'`)
    env = makeHandEnv()
    till = await world.join('a')
    await world.lease(till, 20)
  })
  afterEach(async () => {
    await signing?.stop()
    signing = undefined
    await world.close()
  })

  const start = async (devices: SigningDevices): Promise<ReceiptSigning> => {
    signing = await startSigning({ transactions: till.transactions, env, log: silentLog, devices })
    return signing
  }
  const simulator = (): SigningDevice =>
    simulatedSigningDevice({
      now: () => '2030-06-01T10:00:00.000000Z',
      randomBytes: (count) => new Uint8Array(count).fill(7),
    })
  const open = async () => {
    const event = await eventBySlug(till.database, till.place.organizer, 'gala')
    assert.ok(event)
    const scope = { actor: till.actor, place: till.place, event }
    await till.transactions.write((tx) =>
      openDrawer(tx, scope, { name: 'a', float: '50.00', training: false }),
    )
  }
  const signatures = ({ database, place }: Till = till) => findRows(database, receiptSignature, place)
  const settled = async () => {
    for (const { id } of await findRows(till.database, receipt, till.place)) await signing?.settled(id)
  }
  const outcomes = async () => (await signatures()).map(({ state, problem }) => [state, problem])

  it('are signed in a chain of their own, and central has every signature once as it was written', async () => {
    await start({ simulator: simulator() })
    await open()
    await till.sell(world.item, 2, cash)
    await settled()
    assert.deepEqual(
      (await signatures()).map(({ number, transaction, counter }) => [number, transaction, counter]),
      [
        [1, 1, 2],
        [2, 2, 4],
      ],
    )
    await world.push(till, world.central, true)
    const again = await world.push(till)
    assert.deepEqual(new Set(again.map(({ status }) => status)), new Set(['duplicate']))
    assert.deepEqual(await signatures(world.central), await signatures())
    const whole = await verifyTills(world.central.database)
    assert.deepEqual([whole.receipts, whole.signatures, whole.problems], [2, 2, []])
  })

  it('show by their chain that a signature, or by what they should be signed, was changed', async () => {
    await start({ simulator: simulator() })
    await open()
    await till.sell(world.item, 1, cash)
    await settled()
    await till.database.run(sql`UPDATE receipt_signature SET "signature" = 'x' WHERE "number" = 1`)
    await till.database.run(sql`DELETE FROM receipt_signature WHERE "number" = 2`)
    await till.database.run(sql`UPDATE receipt SET signing = '' WHERE "number" = 2`)
    assert.deepEqual(
      (await verifyTills(till.database)).problems.map(({ kind, number, problem }) => [kind, number, problem]),
      [
        ['receipt', 2, 'changed'],
        ['signature', 1, 'changed'],
      ],
    )
  })

  it('are sold all the same where the device refuses, is missing or does not answer', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('No answer.')
    }
    const broken: SigningDevice = { ...simulator(), begin: fail }
    await start({ simulator: broken })
    await open()
    await settled()
    await signing?.stop()
    await start({})
    await till.sell(world.item, 1, cash)
    await settled()
    await signing?.stop()
    const asked = Promise.withResolvers<void>()
    const silent: SigningDevice = {
      ...simulator(),
      finish: () => {
        asked.resolve()
        return new Promise(() => undefined)
      },
    }
    await start({ simulator: silent })
    await till.sell(world.item, 1, cash)
    await asked.promise
    env.pass(3000)
    await settled()
    assert.deepEqual(await outcomes(), [
      ['failed', 'unreachable'],
      ['failed', 'missing_device'],
      ['failed', 'unreachable'],
    ])
    assert.equal((await findRows(till.database, receipt, till.place)).length, 3)
    assert.deepEqual((await verifyTills(till.database)).problems, [])
  })

  it('are known not to be signed where the program stopped in between', async () => {
    await open()
    await till.sell(world.item, 1, cash)
    await start({ simulator: simulator() })
    await settled()
    assert.deepEqual(await outcomes(), [
      ['failed', 'interrupted'],
      ['failed', 'interrupted'],
    ])
    await signing?.stop()
    await start({ simulator: simulator() })
    await settled()
    assert.equal((await signatures()).length, 2)
  })

  it('are left alone where nothing signs them, and where another node wrote them', async () => {
    await till.database.run(sql`UPDATE event SET settings = '{}'`)
    await start({ simulator: simulator() })
    await open()
    await settled()
    const above = await startSigning({
      ...{ transactions: world.central.transactions, env, log: silentLog },
      devices: { simulator: simulator() },
    })
    await till.database.run(sql`UPDATE event SET settings = '{"till_signing":"simulator"}'`)
    await till.sell(world.item, 1, cash)
    await settled()
    await world.push(till)
    await above.stop()
    assert.equal((await signatures(world.central)).length, 1)
    assert.equal((await signatures())[0]?.state, 'signed')
  })
})
