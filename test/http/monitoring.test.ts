import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { instantOf } from '../../server/env.ts'
import { openDoor } from '../routes/checkin/checkin-door.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'

const fileIn = (name: string): string =>
  readFileSync(new URL(`../../docs/monitoring/${name}`, import.meta.url), 'utf8')

/** Labels that Prometheus itself adds to what it has asked for. */
const added = new Set(['job', 'instance', 'le'])

/** The metrics that a text names, each with the labels that it picks by. */
function metricsIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = '', , picked = ''] of text.matchAll(
    /\b((?:gatehouse|nodejs|process)_\w+?)(_bucket|_count|_sum)?(?![\w])(?:\{([^}]*)\})?/g,
  )) {
    const labels = found.get(name) ?? new Set()
    for (const [, label = ''] of picked.matchAll(/(\w+)=~?\\?"/g)) if (!added.has(label)) labels.add(label)
    found.set(name, labels)
  }
  return found
}

describe('the rules for alerts and the board', () => {
  let exposed: string
  before(async () => {
    const door = await openDoor(await openMemory())
    await door.sell('ticket')
    await door.redeem('ticket')
    await fetch(`${door.server.url}${door.server.ev}/`, { headers: { Authorization: 'Token wrong' } })
    exposed = await (await fetch(`${door.server.url}/metrics`)).text()
    await door.server.close()
  })

  for (const name of ['alerts.yml', 'dashboard.json'])
    it(`of ${name} name metrics and labels that there are`, () => {
      const metrics = metricsIn(fileIn(name))
      assert.ok(metrics.size > 4, [...metrics.keys()].join())
      for (const [metric, labels] of metrics) {
        const lines = exposed.split('\n').filter((line) => line.startsWith(metric) && !line.startsWith('#'))
        assert.ok(exposed.includes(`# TYPE ${metric} `), `there is no ${metric}`)
        for (const label of labels)
          assert.ok(
            lines.some((line) => line.includes(`${label}="`)),
            `${metric} has no ${label}`,
          )
      }
    })

  it('name queues that there are', () => {
    for (const [, queue] of fileIn('alerts.yml').matchAll(/queue="(\w+)"/g))
      assert.ok(
        exposed.includes(`gatehouse_queue_oldest_seconds{queue="${queue}"} 0`),
        `no queue is ${queue}`,
      )
  })

  it('hear for how long the oldest has been waiting', async () => {
    const door = await openDoor(await openMemory())
    const reported = instantOf(Date.now() - 700_000)
    await door.database.run(
      sql`INSERT INTO outbox (seq, nonce, organizer, event, kind, payload, site, site_seq, device_time, boot, mono, state, attempts)
          VALUES (1, 'nonce', 1, 1, 'checkin', '{}', 1, 1, ${reported}, '', 0, 'waiting', 0)`,
    )
    const text = await (await fetch(`${door.server.url}/metrics`)).text()
    await door.server.close()
    const [, age] = /gatehouse_queue_oldest_seconds\{queue="outbox"\} (\S+)/.exec(text) ?? []
    assert.ok(Number(age) >= 700 && Number(age) < 1000, `${age} seconds`)
  })

  it('find the route of scans', () => {
    const [, pattern] = /route=~"([^"]+)"/.exec(fileIn('alerts.yml')) ?? []
    const routes = [...exposed.matchAll(/gatehouse_http_request_seconds_count\{route="([^"]+)"\}/g)]
    assert.ok(routes.some(([, route]) => new RegExp(`^${pattern}$`).test(String(route))))
  })
})
