import assert from 'node:assert/strict'
import { judgeAnswers } from '../../../server/domain/questions/answers.ts'
import type { QuestionFacts } from '../../../server/domain/questions/questions.ts'
import { goodTicket, openDoors, openList } from '../checkin/door.ts'
import { question } from './question-forms.ts'

/** One scan: the answers given with it, keyed by question id, and what comes of it. */
type Step = readonly [given: Readonly<Record<string, unknown>>, expected: string, request?: object]
interface Story {
  readonly title: string
  readonly question: QuestionFacts
  readonly answered?: boolean
  readonly steps: readonly Step[]
}

const asking = 'ANSWERS_REQUIRED'
const shoeSize = question('N', { id: 7, required: true })

const stories: readonly Story[] = [
  {
    title: 'case 54: does not ask a question about another product',
    question: { ...shoeSize, items: [2] },
    steps: [[{}, 'VALID']],
  },
  {
    title: 'case 55: does not ask a question that is not asked at check-in',
    question: { ...shoeSize, ask_during_checkin: false },
    steps: [[{}, 'VALID']],
  },
  {
    title: 'case 56: does not ask a question that was answered in the order',
    question: shoeSize,
    answered: true,
    steps: [[{}, 'VALID']],
  },
  {
    title: 'case 57: asks nothing where the client cannot ask questions',
    question: shoeSize,
    steps: [[{}, 'VALID', { questions_supported: false }]],
  },
  {
    title: 'case 58: asks a question that was not answered, and admits with the answer',
    question: shoeSize,
    steps: [
      [{}, asking],
      [{ 7: '43' }, 'VALID'],
    ],
  },
  {
    title: 'case 58 for optional questions: asks, and admits with the answer nothing',
    question: { ...shoeSize, required: false },
    steps: [
      [{}, asking],
      [{ 7: '' }, 'VALID'],
    ],
  },
  {
    title: 'case 59: goes on asking after an invalid answer',
    question: shoeSize,
    steps: [
      [{ 7: 'abc' }, asking],
      [{ 7: '' }, asking],
      [{ 8: '43' }, asking],
    ],
  },
  {
    title: 'case 60: refuses a used ticket at once instead of asking',
    question: shoeSize,
    steps: [
      [{ 7: '43' }, 'VALID'],
      [{}, 'ALREADY_REDEEMED'],
    ],
  },
  {
    title: 'asks nobody who goes out',
    question: shoeSize,
    steps: [[{}, 'VALID', { type: 'exit' }]],
  },
  {
    title: 'asks nothing for a scan that is recorded afterwards',
    question: shoeSize,
    steps: [[{}, 'VALID', { force: true }]],
  },
]

describe('questions at the doors', () => {
  for (const { title, question: asked, answered = false, steps } of stories) {
    it(title, () => {
      const doors = openDoors([goodTicket])
      const stored = new Set(answered ? [asked.id] : [])
      const outcomes = steps.map(([given, , request]) => {
        const { missing } = judgeAnswers(
          [asked],
          { item: goodTicket.item, stored, given },
          { timezone: 'Asia/Tokyo', locale: 'en' },
        )
        return doors.scan('good', { lists: [openList], missing: missing.length > 0, ...request })
      })
      assert.deepEqual(
        outcomes,
        steps.map(([, expected]) => expected),
      )
      assert.equal(doors.log.length, outcomes.filter((outcome) => outcome === 'VALID').length)
      assert.ok(doors.log.every(({ forced }) => !forced))
    })
  }
})
