import assert from 'node:assert/strict'
import type { Programs } from '../../../main/updates/programs.ts'
import { beginTrial, healthyWithin } from '../../../main/updates/trial.ts'
import { endedForRoom } from '../../../schema/updates/update-files.ts'
import { makeHandClock } from '../common/hand-clock.ts'

/** A trial whose server is ready, and what was decided about its version. */
function tryVersion({ needsPage = false, isNoted = true, isReady = true } = {}) {
  const verdicts: string[] = []
  const clock = makeHandClock()
  const programs: Programs = {
    next: () => assert.fail('next'),
    present: () => null,
    hasWanted: () => false,
    passed() {
      verdicts.push(isNoted ? 'passed' : 'not noted')
      return isNoted
    },
    failed: (reason) => void verdicts.push(reason),
  }
  const trial = beginTrial({
    ...{ programs, clock, needsPage, isReady: async () => isReady },
    kill: () => void verdicts.push('killed'),
  })
  return { trial, clock, verdicts }
}

const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the trial of a version', () => {
  it('is passed once the server is ready', async () => {
    const { trial, verdicts } = tryVersion()
    trial.answersAt('http://127.0.0.1')
    await answered()
    trial.ended(false, 0)
    assert.deepEqual(verdicts, ['passed'])
  })

  it('waits for the page as well, where there is one', async () => {
    const { trial, verdicts } = tryVersion({ needsPage: true })
    trial.answersAt('http://127.0.0.1')
    await answered()
    assert.deepEqual(verdicts, [])
    trial.sawPage()
    assert.deepEqual(verdicts, ['passed'])
  })

  it('is over after two minutes', async () => {
    const { trial, clock, verdicts } = tryVersion({ isReady: false })
    trial.answersAt('http://127.0.0.1')
    await answered()
    clock.advance(healthyWithin)
    trial.ended(false, null)
    assert.deepEqual(verdicts, ['killed', 'not healthy'])
  })

  it('fails where the server ends, and says so where it had no room', () => {
    for (const [code, reason] of [
      [1, 'ended'],
      [null, 'ended'],
      [endedForRoom, 'no room'],
    ] as const) {
      const { trial, verdicts } = tryVersion()
      trial.ended(false, code)
      assert.deepEqual(verdicts, [reason])
    }
  })

  it('is left open where a person has ended the program', () => {
    const { trial, verdicts } = tryVersion()
    trial.ended(true, 0)
    assert.deepEqual(verdicts, [])
  })

  it('fails where nobody can note that it was passed', async () => {
    const { trial, verdicts } = tryVersion({ isNoted: false })
    trial.answersAt('http://127.0.0.1')
    await answered()
    trial.ended(false, null)
    assert.deepEqual(verdicts, ['not noted', 'killed', 'no room'])
  })
})
