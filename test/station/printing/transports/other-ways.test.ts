import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realEnv } from '../../../../server/env.ts'
import { createLive } from '../../../../server/http/live.ts'
import { deviceTransport } from '../../../../server/station/printing/transports/device.ts'
import { folderTransport } from '../../../../server/station/printing/transports/folder.ts'
import { runProgram } from '../../../../server/station/printing/transports/run-program.ts'
import type { RunProgram } from '../../../../server/station/printing/transports/transport.ts'
import { windowTransport } from '../../../../server/station/printing/transports/window.ts'
import { openWindowPrints } from '../../../../server/station/printing/transports/window-printing.ts'
import { windowsTransport } from '../../../../server/station/printing/transports/windows.ts'
import { placeOf, printout, worldWith } from './printout.ts'

const world = worldWith()

describe('a folder as a printer', () => {
  it('gets a file for each job once it is whole, or is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-prints-'))
    const place = placeOf('folder', folder, { profile: 'zpl-203' })
    assert.deepEqual(await folderTransport.print(world, place, printout('^XA^XZ')), { kind: 'sent' })
    assert.deepEqual(readdirSync(folder), ['job-1.zpl'])
    assert.equal(readFileSync(join(folder, 'job-1.zpl'), 'utf8'), '^XA^XZ')
    assert.equal(await folderTransport.look(world, place), null)
    rmSync(folder, { recursive: true })
    assert.equal(await folderTransport.look(world, place), 'unreachable')
    const ending = await folderTransport.print(world, place, printout())
    assert.deepEqual(ending, { kind: 'unsent', reason: 'unreachable' })
  })
})

describe('a printer of Windows', () => {
  /** A spooler of a test: what it says to looks and to documents, and what it was asked. */
  function spooler(looked: string, printed: string) {
    const asked: { script: string; input: string }[] = []
    const run: RunProgram = async (command, args, { input }) => {
      assert.equal(command, 'powershell.exe')
      const script = Buffer.from(String(args.at(-1)), 'base64').toString('utf16le')
      asked.push({ script, input: Buffer.from(input).toString('latin1') })
      return { code: 0, output: `${input.length === 0 ? looked : printed}\r\n` }
    }
    return { asked, run }
  }
  const place = placeOf('windows', `Bon "1"'; exit`, { documents: ['receipt'] })

  it('is looked at first, opens the drawer, and is sent what it prints as it is', async () => {
    const { asked, run } = spooler('ready', 'sent')
    const document = printout()
    assert.deepEqual(await windowsTransport.print(worldWith(run), place, document), { kind: 'sent' })
    assert.deepEqual(
      asked.map(({ input }) => input),
      ['', '\u001bp\u00002ú', 'document'],
    )
    assert.deepEqual(document.calls, ['pulse', 'commands', 'begin'])
    const [, queue = ''] = /FromBase64String\('([^']*)'\)/.exec(asked[0]?.script ?? '') ?? []
    assert.equal(Buffer.from(queue, 'base64').toString(), place.address)
    assert.ok(asked.every(({ script }) => !script.includes(place.address)))
  })

  it('takes nothing where it is unplugged or has no paper, and may take only a part', async () => {
    for (const [looked, reason] of [
      ['unreachable', 'unreachable'],
      ['paper', 'paper'],
      ['', 'unreachable'],
    ] as const) {
      const world = worldWith(spooler(looked, 'sent').run)
      assert.deepEqual(await windowsTransport.print(world, place, printout()), { kind: 'unsent', reason })
      assert.equal(await windowsTransport.look(world, place), reason)
    }
    const part = worldWith(spooler('ready', 'broken-off').run)
    assert.deepEqual(await windowsTransport.print(part, place, printout()), {
      ...{ kind: 'unknown', reason: 'broken-off' },
    })
  })

  it('is asked by a program that is run without a shell, and ended where it takes too long', async () => {
    const said = await runProgram('cat', [], { input: Buffer.from('sent'), within: 20_000 })
    assert.deepEqual(said, { code: 0, output: 'sent' })
    const late = await runProgram('sleep', ['600'], { input: Buffer.alloc(0), within: 50 })
    assert.equal(late.code, null)
    const none = await runProgram('/nothing/here', [], { input: Buffer.alloc(0), within: 20_000 })
    assert.equal(none.code, null)
  })
})

describe('a printer of the window', () => {
  const place = placeOf('window', 'Badger')

  it('is handed to the page by a live event, which says what became of it', async () => {
    const asked: unknown[] = []
    const live = {
      ...createLive(realEnv),
      listeners: 1,
      publish: (_: string, data: unknown) => asked.push(data),
    }
    const window = openWindowPrints(realEnv, live)
    const ending = windowTransport.print({ ...world, window }, place, printout())
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(asked, [{ id: 'job-1', printer: 'Badger', pages: 1, width_mm: 1.4, height_mm: 0.2 }])
    assert.equal(
      Buffer.from(window.page('job-1', 0) ?? [])
        .subarray(1, 4)
        .toString(),
      'PNG',
    )
    assert.equal(await window.answer('job-1', { state: 'printed' }), false)
    assert.equal(await window.answer('job-1', { state: 'begun' }), true)
    assert.equal(await window.answer('job-1', { state: 'begun' }), false)
    assert.equal(await window.answer('job-1', { state: 'printed' }), true)
    assert.deepEqual(await ending, { kind: 'sent' })
    assert.equal(window.page('job-1', 0), undefined)
  })

  it('is none while no window is open', async () => {
    const window = openWindowPrints(realEnv, createLive(realEnv))
    assert.equal(await windowTransport.look({ ...world, window }, place), 'unreachable')
    assert.deepEqual(await windowTransport.print({ ...world, window }, place, printout()), {
      ...{ kind: 'unsent', reason: 'unreachable' },
    })
  })
})

describe('a printer at a cable', () => {
  /** A character device whose other end is this test: a terminal that a program of the system opens. */
  async function openTerminal() {
    const child = spawn('script', ['-qfc', 'stty raw -echo; tty; exec sleep 600', '/dev/null'])
    let said = ''
    child.stdout.on('data', (piece: Buffer) => {
      said += piece.toString('latin1')
    })
    while (!/\/dev\/pts\/\d+\s/.test(said)) await once(child.stdout, 'data')
    const path = /\/dev\/pts\/\d+/.exec(said)?.[0] ?? ''
    return {
      path,
      get said() {
        return said.slice(said.indexOf(path) + path.length).replace(/^\s+/, '')
      },
      say: (bytes: readonly number[]) => child.stdin.write(Uint8Array.from(bytes)),
      heard: () => once(child.stdout, 'data'),
      async close() {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      },
    }
  }

  it('is asked how it is, prints, and says that it has', async () => {
    const terminal = await openTerminal()
    const printing = deviceTransport.print(world, placeOf('device', terminal.path), printout())
    while (!terminal.said.endsWith('\u0010\u0004\u0004')) await terminal.heard()
    terminal.say([0x12, 0x12, 0x12])
    while (!terminal.said.endsWith('\u001dr\u0001')) await terminal.heard()
    terminal.say([0])
    assert.deepEqual(await printing, { kind: 'printed' })
    assert.match(terminal.said, /document/)
    await terminal.close()
  })

  it('may say nothing, be no device, or take what nobody answers', async () => {
    const silent = placeOf('device', '/dev/null', { answers: false })
    assert.deepEqual(await deviceTransport.print(world, silent, printout()), { kind: 'sent' })
    assert.equal(await deviceTransport.look(world, placeOf('device', '/dev/null')), 'silent')
    for (const path of ['/dev/nothing-here', '/dev/shm', '/etc/passwd', '/dev/../etc/passwd'])
      assert.equal(await deviceTransport.look(world, placeOf('device', path)), 'unreachable', path)
  })
})
