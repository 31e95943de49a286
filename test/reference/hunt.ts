import { parseArgs } from 'node:util'
import { runAgainst, type Subject } from './run.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    only: { type: 'string' },
    times: { type: 'string', default: '60' },
    shown: { type: 'string', default: '300' },
    show: { type: 'string', default: '60' },
  },
})

const groups = new Map<string, { count: number; example: string }>()
let asked = 0
let sequences = 0
const brief = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, Number(values.shown))

await runAgainst(
  process.env.GATEHOUSE_REFERENCE_URL ?? 'http://127.0.0.1:8346',
  {
    requests: Number(values.requests),
    seed: Number(values.seed),
    first: Number(values.first),
    only: values.only as Subject | undefined,
    times: Number(values.times),
  },
  (stage) => {
    asked += stage.exchanges.length
    sequences += 1
    for (const { exchange, difference } of stage.unexplained()) {
      const { ours, theirs } = difference
      const what =
        difference.kind === 'status' ? ` ${(ours as unknown[])[0]} for ${(theirs as unknown[])[0]}` : ''
      const resource = exchange.operation.replace('events/{event}/', '')
      const key =
        difference.at === ''
          ? `${resource} | ${difference.kind}${what}`
          : `${resource.split('/')[0]?.split(' ')[1]} | ${difference.at.replace('results[].', '')} | ${difference.kind}`
      const known = groups.get(key)
      if (known) known.count += 1
      else
        groups.set(key, {
          count: 1,
          example: `${exchange.operation.split(' ')[0]} ${exchange.path.replace('/api/v1/organizers/', '')} ${brief(exchange.body)}\n      ours   ${brief(ours)}\n      theirs ${brief(theirs)}`,
        })
    }
  },
)
process.stdout.write(
  `${asked} requests in ${sequences} sequences, ${groups.size} kinds of differences without an explanation\n`,
)
for (const [key, { count, example }] of [...groups]
  .sort((a, b) => b[1].count - a[1].count)
  .slice(0, Number(values.show)))
  process.stdout.write(`${count} × ${key}\n      ${example}\n`)
