import assert from 'node:assert/strict'
import type { ApiAnswer } from '../../../renderer/api/requests.ts'
import type { StaffApi, StaffMember, StaffSession } from '../../../renderer/api/staff-api.ts'
import { isLocked, openStaffDesk } from '../../../renderer/staff/staff-desk.ts'

const ada: StaffMember = { id: 1, name: 'Ada', role: 'cashier' }
const bob: StaffMember = { id: 2, name: 'Bob', role: 'supervisor' }
const choices = [ada, bob]

const fine = <T>(value: T): ApiAnswer<T> => ({ ok: true, value })
const refused = (reason: string): ApiAnswer<never> => ({
  ok: false,
  problem: { kind: 'denied', status: 403, detail: 'No.', reason },
})

/** A station where Ada and Bob can sign in by their PINs, and Bob also by a badge. */
function openStation() {
  let staff: StaffMember | null = null
  const wishes: object[] = []
  const session = (): ApiAnswer<StaffSession> => fine({ staff, choices })
  const wrong: ApiAnswer<never> = {
    ok: false,
    problem: { kind: 'refused', status: 400, detail: 'This is not right.', reason: 'wrong_pin' },
  }
  const api: StaffApi = {
    session: async () => session(),
    async signIn(_, codes) {
      if ('badge' in codes ? codes.badge !== 'bob' : codes.pin !== '4711') return wrong
      staff = 'badge' in codes ? bob : (choices.find(({ id }) => id === codes.staff) ?? null)
      return session()
    },
    async signOut() {
      staff = null
      return fine(null)
    },
    async stepUp(_, wish) {
      wishes.push(wish)
      return 'pin' in wish && wish.pin !== '123456' ? wrong : fine({ token: 'leave' })
    },
  }
  return { desk: openStaffDesk(api, () => 'acme'), wishes }
}

describe('those who work at a till', () => {
  it('have to sign in where anybody can, and are signed out when they have left', async () => {
    const { desk } = openStation()
    assert.equal(isLocked(desk.state.value), false)
    await desk.refresh()
    assert.equal(isLocked(desk.state.value), true)
    await desk.show({ staff: 1, pin: '0000' })
    assert.equal(desk.state.value.trouble, 'This is not right.')
    await desk.show({ staff: 1, pin: '4711' })
    assert.equal(desk.state.value.session?.staff, ada)
    assert.equal(desk.state.value.trouble, '')
    await desk.lock()
    assert.equal(isLocked(desk.state.value), true)
  })

  it('take over from each other, by a badge as well', async () => {
    const { desk } = openStation()
    await desk.show({ staff: 1, pin: '4711' })
    assert.equal(desk.scanned('bob'), false, 'a code is no badge while nobody is asked')
    desk.change()
    assert.equal(desk.scanned('bob'), true)
    await new Promise(setImmediate)
    assert.equal(desk.state.value.session?.staff, bob)
    assert.equal(desk.state.value.question, null)
  })

  it('are asked for a supervisor, and it is done once more with what they were given', async () => {
    const { desk, wishes } = openStation()
    const tries: string[] = []
    const doing = desk.permitted('refund', async (stepUp) => {
      tries.push(stepUp)
      return stepUp === 'leave' ? fine('done') : refused('step_up')
    })
    await new Promise(setImmediate)
    assert.deepEqual(desk.state.value.question, { kind: 'step-up', act: 'refund' })
    desk.reason.value = ' Rain '
    await desk.show({ staff: 2, pin: '111111' })
    assert.equal(desk.state.value.trouble, 'This is not right.')
    await desk.show({ staff: 2, pin: '123456' })
    assert.deepEqual(await doing, fine('done'))
    assert.deepEqual(tries, ['', 'leave'])
    assert.deepEqual(wishes.at(-1), { staff: 2, pin: '123456', act: 'refund', reason: 'Rain' })
  })

  it('hear what the server said where nobody stands in', async () => {
    const { desk } = openStation()
    const doing = desk.permitted('cancel', async () => refused('step_up'))
    await new Promise(setImmediate)
    desk.giveUp()
    assert.deepEqual(await doing, refused('step_up'))
    assert.deepEqual(await desk.permitted('sell', async () => refused('')), refused(''))
  })

  it('sign in and do it then, where nobody was signed in', async () => {
    const { desk } = openStation()
    let tries = 0
    const doing = desk.permitted('refund', async () => (++tries === 1 ? refused('sign_in') : fine(tries)))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    assert.deepEqual(desk.state.value.question, { kind: 'sign-in' })
    await desk.show({ staff: 1, pin: '4711' })
    assert.deepEqual(await doing, fine(2))
  })
})
