import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { until } from '../support/servers/nodes.ts'
import { makeTestFolder, type TestFolder } from './common/scripts.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const script = join(root, 'main/gatehouse.mjs')

const versionOf = (node: string): string => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()

/** A Node of the system that is too old for the program, if there is one. */
function oldNode(): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    try {
      accessSync(node, constants.X_OK)
      if (Number.parseInt(versionOf(node).slice(1), 10) < 24) return node
    } catch {
      // There is none in this folder.
    }
  }
  return null
}

const old = oldNode()

for (const node of [process.execPath, ...(old === null ? [] : [old])])
  describe(`the command gatehouse on Node ${versionOf(node)}`, () => {
    let folder: TestFolder
    const children = new Set<ChildProcess>()
    beforeEach(() => {
      folder = makeTestFolder()
    })
    afterEach(() => {
      for (const child of children) child.kill('SIGKILL')
      children.clear()
      folder.remove()
    })

    const start = (program: string, args: readonly string[], env: object = {}): ChildProcess => {
      const { PATH, NODE_COMPILE_CACHE } = process.env
      const child = spawn(program, args, { env: { PATH, NODE_COMPILE_CACHE, ...env } })
      children.add(child)
      return child
    }

    async function run(args: readonly string[], input = '') {
      const child = start(node, [script, ...args])
      assert.ok(child.stdin && child.stdout && child.stderr)
      child.stdin.end(input)
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { code, out, err }
    }

    /** The address of a server, once it has said that it is ready. */
    async function addressOf(child: ChildProcess): Promise<string> {
      assert.ok(child.stdout)
      const [line] = await once(child.stdout, 'data')
      return JSON.parse(String(line)).url
    }

    const serve = ['serve', '--port', '0', '--data']

    const isServed = async (url: string): Promise<boolean> =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )

    it('prints nothing but its own words', async () => {
      const { code, out, err } = await run(['--help'])
      assert.deepEqual({ code, err }, { code: 0, err: '' })
      assert.match(out, /^Usage: gatehouse /)
    })

    it('prints one JSON object on standard output', async () => {
      const { code, out } = await run([
        'organizer',
        'create',
        'acme',
        '--name',
        'Acme',
        '--data',
        folder.path,
      ])
      assert.equal(code, 0)
      assert.equal(JSON.parse(out).slug, 'acme')
    })

    it('ends with the status of the command', async () => {
      const { code, out, err } = await run(['verify', '--data', join(folder.path, 'missing')])
      assert.deepEqual({ code, out }, { code: 1, out: '' })
      assert.match(err, /^gatehouse: /)
    })

    it('passes on what is typed', async () => {
      const args = ['user', 'create', 'ada@example.org', '--data', folder.path]
      const { code, err } = await run(args, 'correct horse battery staple\n')
      assert.equal(code, 0, err)
    })

    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      it(`has the server stop in order at ${signal}`, async () => {
        const child = start(node, [script, ...serve, folder.path])
        const url = await addressOf(child)
        child.kill(signal)
        assert.deepEqual(await once(child, 'exit'), [0, null])
        assert.equal(await isServed(url), false)
      })

    it('leaves no server behind when the shell that npm runs it in has ended', async () => {
      const line = `'${node}' '${script}' ${serve.join(' ')} '${folder.path}'; true`
      const shell = start('sh', ['-c', line], { npm_command: 'exec' })
      const url = await addressOf(shell)
      shell.kill('SIGTERM')
      await until('the server has stopped', async () => !(await isServed(url)))
    })

    if (node === old)
      it('leaves no server behind when it is killed itself', async () => {
        const child = start(node, [script, ...serve, folder.path])
        const url = await addressOf(child)
        child.kill('SIGKILL')
        await until('the server has stopped', async () => !(await isServed(url)))
      })
  })

describe('the package', () => {
  it('has the command as its program', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.equal(join(root, bin.gatehouse), script)
    assert.match(readFileSync(script, 'utf8'), /^#!\/usr\/bin\/env node\n/)
    accessSync(script, constants.X_OK)
  })
})
