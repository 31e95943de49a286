import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { type Channel, checks, type Shell } from '../../../main/common/channels.ts'
import { preloadFile } from '../../../main/electron/window-options.ts'
import { makeTestFolder, type TestFolder } from '../common/scripts.ts'

describe('the preload script', () => {
  let folder: TestFolder
  before(() => {
    folder = makeTestFolder()
  })
  after(() => folder.remove())

  function run() {
    const asked: [Channel, unknown][] = []
    const exposed = new Map<string, unknown>()
    const required: string[] = []
    const electron = {
      contextBridge: { exposeInMainWorld: (name: string, value: unknown) => void exposed.set(name, value) },
      ipcRenderer: {
        invoke(channel: Channel, value: unknown) {
          asked.push([channel, value])
          return Promise.resolve(`answer to ${channel}`)
        },
      },
    }
    const source = readFileSync(preloadFile(folder.path), 'utf8')
    // A sandboxed preload is run like this: as a function's body, with a require that knows little.
    vm.runInNewContext(`(function (require, exports, module) {${source}\n})`, {})(
      (name: string) => {
        required.push(name)
        return electron
      },
      {},
      { exports: {} },
    )
    return { asked, exposed, required }
  }

  it('is plain JavaScript that loads electron alone and shows the page one object', () => {
    const { exposed, required } = run()
    assert.deepEqual(required, ['electron'])
    assert.deepEqual([...exposed.keys()], ['gatehouse'])
  })

  it('offers each channel, and sends what the channel takes', async () => {
    const { asked, exposed } = run()
    const shell = exposed.get('gatehouse') as Shell
    const job = { printer: 'badges', widthMm: 80, heightMm: 120, copies: 1 }
    assert.equal(await shell.state(), 'answer to window:state')
    await shell.leave('2468')
    await shell.checkPin('2468')
    await shell.setPin('', '2468')
    await shell.printers()
    await shell.print(job)
    assert.deepEqual(
      asked.map(([channel]) => channel),
      Object.keys(checks),
    )
    for (const [channel, value] of asked) assert(checks[channel](value), channel)
  })
})
