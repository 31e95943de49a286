import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Command } from 'commander'
import { applyConfigFile, configSchema } from '../../server/commands/config-file.ts'
import { sentence } from '../../server/commands/failures.ts'
import { addServe } from '../../server/commands/serve.ts'

const schemaFile = new URL('../../docs/serve.schema.json', import.meta.url)

describe('a file with the options of a server', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const fileOf = (content: unknown): string => {
    const file = join(folder, 'server.json')
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** The options of a server with such a file and such a command line. */
  function read(content: unknown, ...words: readonly string[]): Record<string, unknown> {
    const serve = addServe(new Command())
    serve.parseOptions([...words])
    applyConfigFile(serve, fileOf(content))
    return serve.opts()
  }

  const refusal = (content: unknown): string => {
    try {
      read(content)
    } catch (cause) {
      return sentence(cause)
    }
    return 'not refused'
  }

  const whole = {
    $schema: 'serve.schema.json',
    database: 'postgres://gatehouse@db/gatehouse',
    host: '0.0.0.0',
    port: 8443,
    url: 'https://tickets.example.org/',
    'rate-limit': 100,
    'behind-proxy': true,
    role: 'station',
    'mail-from': 'box@example.org',
    'webhook-network': ['10.0.0.0/8', 'fd00::/8'],
  }

  it('gives what the command line does not', () => {
    const options = read(whole, '--port', '9000')
    assert.deepEqual(
      [options.port, options.host, options.url, options.rateLimit, options.behindProxy, options.role],
      [9000, '0.0.0.0', 'https://tickets.example.org', 100, true, 'station'],
    )
    assert.deepEqual(options.webhookNetwork, ['10.0.0.0/8', 'fd00::/8'])
    assert.equal(options.database, 'postgres://gatehouse@db/gatehouse')
  })

  const refused: readonly [unknown, RegExp][] = [
    [{ prot: 8000 }, /there is no option "prot"\. There are .*port/],
    [{ config: 'other.json' }, /there is no option "config"/],
    [{ port: 'many' }, /"port" cannot be "many"\. Give a whole number/],
    [{ port: 70_000 }, /Give a port from 0 to 65535/],
    [{ port: null }, /Give a text or a number/],
    [{ 'behind-proxy': 'yes' }, /Give true or false/],
    [{ role: 'boss' }, /Allowed choices are station, hub/],
    [{ 'webhook-network': '10.0.0.0/8' }, /Give a list/],
    [{ 'webhook-network': ['everything'] }, /Write it as 10\.0\.0\.0\/8/],
    [{ database: 'mysql://x' }, /Write it as postgres:/],
    [[], /has to be an object/],
    ['{"port": 8000,}', /is not JSON: /],
  ]
  for (const [content, words] of refused)
    it(`is refused where it is ${JSON.stringify(content)}`, () => assert.match(refusal(content), words))

  it('is refused where there is none', () => {
    const serve = addServe(new Command())
    assert.throws(
      () => applyConfigFile(serve, join(folder, 'none.json')),
      (cause) => /none\.json cannot be read \(ENOENT\)/.test(sentence(cause)),
    )
  })

  it('has a schema that editors know it by', () => {
    const schema = configSchema(addServe(new Command()))
    const text = `${JSON.stringify(schema, null, 2)}\n`
    if (process.env.WRITE_CONFIG_SCHEMA) writeFileSync(schemaFile, text)
    assert.deepEqual(JSON.parse(readFileSync(schemaFile, 'utf8')), schema)
    const isValid = new Ajv2020({ strict: true }).compile(schema)
    assert.equal(isValid(whole), true, JSON.stringify(isValid.errors))
    assert.equal(isValid({ prot: 8000 }), false)
    assert.equal(isValid({ port: '8000' }), false)
  })

  it('has the options that containers are started with', () => {
    const compose = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8')
    const [, command = ''] = /^ {4}command: \[serve, (.+)\]$/m.exec(compose) ?? []
    const serve = addServe(new Command())
    const { unknown, operands } = serve.parseOptions(command.split(', '))
    assert.deepEqual({ unknown, operands }, { unknown: [], operands: [] })
    assert.equal(serve.opts().exports, '/data/exports')
  })
})
