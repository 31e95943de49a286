import { writeFileSync } from 'node:fs'
import { type Answered, asking } from './exchange.ts'
import { Pairs } from './pairs.ts'
import { addOurs, play, type Subject, startOurs } from './run.ts'
import { Stage } from './stage.ts'
import { recorded } from './tape.ts'

/** What is recorded: short sequences of each subject, and how many steps they may have. */
const wanted: readonly (readonly [Subject, number])[] = [
  ['evening', 60],
  ['evening', 60],
  ['catalogue', 30],
  ['entrance', 20],
  ['organizer', 20],
  ['series', 20],
  ['doors', 25],
  ['settings', 15],
  ['books', 20],
  ['bank', 15],
]

/** Of so many sequences the longest is taken that has no difference without an explanation. */
const tries = 12

const url = process.env.GATEHOUSE_REFERENCE_URL ?? ''
const server = await startOurs()
let number = Number(process.argv[2] ?? 0)
/** Which subject is recorded; all of them without. */
const only = process.argv[3]

/** Plays a sequence on both servers; its lines, or none where something differs. */
async function record(subject: Subject, seed: number, times: number): Promise<readonly string[]> {
  const slug = `reference-${number}`
  number += 1
  await addOurs(server, slug)
  const calls: { method: string; path: string; body: unknown; authorization?: string; answer: Answered }[] =
    []
  const head = { subject, slug, at: Date.now() }
  const theirs = asking(url, slug)
  const stage = new Stage(slug, {
    ours: asking(server.url, slug),
    theirs: async (method, path, body, authorization) => {
      const answer = await theirs(method, path, body, authorization)
      calls.push({ method, path, body, authorization, answer })
      return answer
    },
    pairs: new Pairs(),
  })
  await play(stage, subject, seed, times)
  if (stage.unexplained().length > 0) return []
  // What was asked to take something back is no part of the sequence.
  const asked = new Set(stage.exchanges.map((exchange) => exchange.theirs))
  return [
    head,
    ...calls.map(({ answer, ...call }) => ({
      ...call,
      status: answer.status,
      answer: answer.body,
      isAsked: asked.has(answer),
    })),
  ].map((one) => JSON.stringify(one))
}

for (const [index, [subject, times]] of wanted.entries()) {
  if (only && subject !== only) continue
  let longest: readonly string[] = []
  for (let seed = 1000 * index; seed < 1000 * index + tries; seed += 1) {
    const lines = await record(subject, seed, times)
    if (lines.length > longest.length) longest = lines
  }
  if (longest.length > 0) writeFileSync(recorded(`${subject}-${index}.jsonl`), `${longest.join('\n')}\n`)
  process.stdout.write(`${subject}: ${longest.length - 1} requests\n`)
}
await server.close()
