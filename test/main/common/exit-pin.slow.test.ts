import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hashPin, makeExitPin, matchesPin, waitAfter } from '../../../main/common/exit-pin.ts'
import { makeHandClock } from './hand-clock.ts'
import { makeTestFolder, type TestFolder } from './scripts.ts'

describe('the exit PIN', function () {
  this.timeout(180_000)
  let folder: TestFolder
  beforeEach(() => {
    folder = makeTestFolder()
  })
  afterEach(() => folder.remove())

  const file = () => join(folder.path, 'exit-pin')

  async function makePin(pin: string) {
    const clock = makeHandClock()
    const exitPin = makeExitPin(file(), clock)
    assert.deepEqual(await exitPin.change('', pin), { ok: true })
    return { clock, exitPin }
  }

  it('matches its own hash alone', async () => {
    const hash = await hashPin('2468')
    assert.equal(await matchesPin('2468', hash), true)
    for (const pin of ['2469', '', '24680', '2468 ']) assert.equal(await matchesPin(pin, hash), false)
  })

  it('is hashed with a salt and never written as it is', async () => {
    assert.notEqual(await hashPin('2468'), await hashPin('2468'))
    await makePin('2468-secret')
    assert(!readFileSync(file(), 'utf8').includes('2468'))
    assert.equal(statSync(file()).mode & 0o077, 0)
  })

  for (const damaged of [
    '',
    'scrypt',
    'scrypt::',
    'scrypt:AAAA:',
    'plain:MjQ2OA==:MjQ2OA==',
    'scrypt:AAAA:MjQ2OA==',
  ]) {
    it(`matches nothing when its hash is ${JSON.stringify(damaged)}`, async () => {
      for (const pin of ['', '2468']) assert.equal(await matchesPin(pin, damaged), false)
    })
  }

  it('is not set before it has been set', async () => {
    const exitPin = makeExitPin(file(), makeHandClock())
    assert.equal(exitPin.isSet(), false)
    await exitPin.change('', '2468')
    assert.equal(exitPin.isSet(), true)
  })

  it('is accepted, again after a restart', async () => {
    const { exitPin } = await makePin('2468')
    assert.deepEqual(await exitPin.check('2468'), { ok: true })
    assert.deepEqual(await makeExitPin(file(), makeHandClock()).check('2468'), { ok: true })
  })

  it('is changed only by who knows it', async () => {
    const { exitPin } = await makePin('2468')
    assert.deepEqual(await exitPin.change('1111', '3579'), { ok: false, reason: 'wrong', waitMs: 0 })
    assert.deepEqual(await exitPin.change('2468', '3579'), { ok: true })
    assert.deepEqual(await exitPin.check('3579'), { ok: true })
  })

  it('has at least four characters', async () => {
    const { exitPin } = await makePin('2468')
    assert.deepEqual(await exitPin.change('2468', '123'), { ok: false, reason: 'too short', waitMs: 0 })
    assert.deepEqual(await exitPin.check('2468'), { ok: true })
  })

  it('waits after five wrong ones, twice as long each time, at most a quarter of an hour', () => {
    assert.deepEqual(
      [0, 4, 5, 6, 7, 9, 10, 100].map(waitAfter),
      [0, 0, 30e3, 60e3, 120e3, 480e3, 900e3, 900e3],
    )
  })

  it('does not look at a PIN, even the right one, during the wait', async () => {
    const { exitPin, clock } = await makePin('2468')
    for (let wrong = 0; wrong < 5; wrong++) await exitPin.check('0000')
    clock.advance(29_999)
    assert.deepEqual(await exitPin.check('2468'), { ok: false, reason: 'wait', waitMs: 1 })
    clock.advance(1)
    assert.deepEqual(await exitPin.check('2468'), { ok: true })
    assert.deepEqual(await exitPin.check('0000'), { ok: false, reason: 'wrong', waitMs: 0 })
  })

  it('limits tries that are made all at once', async () => {
    const { exitPin } = await makePin('2468')
    const answers = await Promise.all(Array.from({ length: 8 }, () => exitPin.check('0000')))
    assert.equal(answers.filter((answer) => !answer.ok && answer.reason === 'wait').length, 3)
  })

  it('keeps everybody in when its file is damaged', async () => {
    folder.write('exit-pin', 'damaged')
    const exitPin = makeExitPin(file(), makeHandClock())
    assert.equal(exitPin.isSet(), true)
    assert.equal((await exitPin.check('2468')).ok, false)
  })
})
