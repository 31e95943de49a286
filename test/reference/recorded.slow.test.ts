import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { realEnv } from '../../server/env.ts'
import { imported } from './back-office.ts'
import { asking } from './exchange.ts'
import { Pairs } from './pairs.ts'
import { addOurs, startOurs } from './run.ts'
import { Diverged, Stage } from './stage.ts'
import { playing, type Recording, readRecording, recorded } from './tape.ts'

/** Asks what was asked then, until the servers hold different things. */
async function replay(stage: Stage, { slug, calls }: Recording): Promise<void> {
  const below = `/api/v1/organizers/${slug}/`
  for (const { method, path, body, authorization } of calls.filter((call) => call.isAsked)) {
    const address = String(stage.pairs.toOurs(path))
      .replace(below, '')
      .replace(/^\/api\/v1/, '')
    const ours = authorization
      ?.split(' ')
      .map((word) => stage.pairs.toOurs(word))
      .join(' ')
    const answer = await stage.ask(method, address, stage.pairs.toOurs(body), ours)
    if (method === 'POST' && address === 'bankimportjobs/' && answer.status === 201)
      await imported(stage, answer)
  }
}

describe('what the reference answered', () => {
  for (const name of readdirSync(recorded('')))
    it(`is answered by us as well, or differs for a reason: ${name}`, async () => {
      const recording = readRecording(name)
      const began = Date.now()
      const server = await startOurs({ ...realEnv, now: () => recording.at + Date.now() - began })
      try {
        const { slug } = recording
        await addOurs(server, slug)
        const stage = new Stage(slug, {
          ours: asking(server.url, slug),
          theirs: playing(recording),
          pairs: new Pairs(),
        })
        await replay(stage, recording).catch((error: unknown) => {
          if (!(error instanceof Diverged)) throw error
        })
        const found = stage.unexplained().map(({ exchange, difference }) => {
          const { method, path } = exchange
          return { asked: `${method} ${path}`, ...difference }
        })
        assert.deepEqual(found, [])
        assert.equal(stage.exchanges.length, recording.calls.filter((call) => call.isAsked).length)
      } finally {
        await server.close()
      }
    })
})
