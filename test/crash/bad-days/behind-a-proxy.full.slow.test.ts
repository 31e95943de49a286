import assert from 'node:assert/strict'
import { codesOf, ev, org, prepareGround } from '../../processes/support/ground.ts'
import { type Served, serveCli, temporaryFolders } from '../../support/servers/cli.ts'
import { until } from '../../support/servers/nodes.ts'
import { type Caddy, hasCaddy, startCaddy } from './caddy.ts'
import { testTimeout } from './in-time.ts'
import { hasPostgres, type OwnPostgres, ownPostgres } from './own-postgres.ts'

const allowed = 60
const token = { authorization: 'Token all' }

if (hasPostgres && hasCaddy)
  describe('two servers on one PostgreSQL behind Caddy, as the documentation has it', function () {
    this.timeout(testTimeout)

    const folder = temporaryFolders('gatehouse-proxy')
    let postgres: OwnPostgres
    let list: number
    let caddy: Caddy
    const running: Served[] = []
    before(async () => {
      postgres = await ownPostgres()
      const ground = await prepareGround(postgres.address, codesOf(100), 100)
      list = ground.list
      const words = ['--database', postgres.address, '--behind-proxy', '--rate-limit', String(allowed)]
      for (let index = 0; index < 2; index += 1)
        running.push(await serveCli([...words, '--url', 'https://localhost', '--exports', folder()]))
      caddy = await startCaddy(running.map(({ url }) => url))
    })
    after(async () => {
      await caddy?.stop()
      for (const served of running)
        if (served.child.exitCode === null && served.child.signalCode === null) await served.stop()
      postgres?.remove()
    })

    it('answer by HTTP/2 and TLS, and tell browsers to come by that only', async () => {
      const { status, headers } = await caddy.ask('GET', `${ev}/`, token)
      assert.equal(status, 200)
      assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/)
    })

    it('give the address by which they were asked, whatever else a request says of it', async () => {
      const { body } = await caddy.ask('GET', `${ev}/orders/?page_size=10`, {
        ...token,
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example;proto=http',
      })
      const { next } = JSON.parse(body)
      assert.equal(new URL(next).origin, caddy.url)
    })

    it('send news at once, and a hub follows them through it', async () => {
      const made = async (name: string) => {
        const body = { name, all_events: true, security_profile: 'full' }
        const answer = await caddy.ask('POST', `${org}/devices/`, token, body)
        assert.equal(answer.status, 201, answer.body)
        return String(JSON.parse(answer.body).initialization_token)
      }
      const initialized = await caddy.ask(
        'POST',
        '/api/v1/device/initialize',
        {},
        {
          ...{ token: await made('Listener'), hardware_brand: 'x', hardware_model: 'x' },
          ...{ software_brand: 'x', software_version: '1' },
        },
      )
      assert.equal(initialized.status, 200, initialized.body)
      const device = { authorization: `Device ${JSON.parse(initialized.body).api_token}` }
      assert.match(await caddy.firstOf(`${org}/sync/live/`, device), /^retry: \d+/)
      const words = ['--data', folder(), '--upstream', caddy.url, '--device-token', await made('Hub')]
      const hub = await serveCli(words, { env: { NODE_EXTRA_CA_CERTS: caddy.authority } })
      running.push(hub)
      const metrics = async (served: Served) => (await fetch(`${served.url}/metrics`)).text()
      await until('the hub has everything', async () =>
        /gatehouse_data_age_seconds \d/.test(await metrics(hub)),
      )
      const following = async () =>
        (await Promise.all(running.slice(0, 2).map(metrics))).join('').match(/gatehouse_station_streams 1/g)
          ?.length
      await until('its stream is open', async () => (await following()) === 1)
      await hub.stop()
    })

    it('go on at the other one when one is killed: all but the first request after that', async () => {
      const [killed] = running
      assert.ok(killed)
      const scan = async (secret: string, nonce: string) =>
        (await caddy.ask('POST', `${org}/checkinrpc/redeem/`, token, { secret, lists: [list], nonce })).status
      assert.equal(await scan('T1', 'one'), 201)
      await killed.stop('SIGKILL')
      const failed: number[] = []
      for (let index = 2; index < 22; index += 1)
        if ((await scan(`T${index}`, `n${index}`)) !== 201) failed.push(index)
      assert.ok(failed.length <= 1, failed.join())
      // Whoever was not answered asks again.
      for (const index of failed) assert.equal(await scan(`T${index}`, `n${index}`), 201)
      // What was acknowledged by the one that is gone is known at the other.
      assert.equal(await scan('T1', 'another'), 400)
    })

    it('know where strangers come from, whatever they say, and keep what is for this machine from them', async () => {
      const from = (index: number) => ({ 'x-forwarded-for': `192.0.2.${index}` })
      assert.equal((await caddy.ask('GET', '/metrics', from(1))).status, 403)
      const statuses: number[] = []
      for (let index = 0; index <= 2 * allowed; index += 1)
        statuses.push((await caddy.ask('GET', '/api/v1/version', from(index))).status)
      assert.ok(statuses.includes(429), [...new Set(statuses)].join())
    })
  })
