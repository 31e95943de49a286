import assert from 'node:assert/strict'
import { chooseScreen } from '../../../main/common/choose-screen.ts'

/** What is chosen on a machine, what was said about it, and whether Electron was asked for from the network. */
async function choose(
  shell: Parameters<typeof chooseScreen>[0],
  machine: { display?: boolean; root?: boolean; electron?: boolean; chromium?: boolean; why?: string },
) {
  const said: string[] = []
  let fetches = 0
  const screen = await chooseScreen(shell, {
    mayFetch: machine.display ?? true,
    isRoot: machine.root ?? false,
    findElectron: () => (machine.electron ? '/electron' : null),
    async fetchElectron() {
      fetches += 1
      return machine.why === undefined ? { program: '/fetched' } : { why: machine.why }
    },
    findChromium: () => ((machine.chromium ?? true) ? '/chromium' : null),
    log: (message) => void said.push(message),
  })
  return { screen, said: said.join('\n'), fetches }
}

describe('the screen of a start', () => {
  it('is Electron where that is installed, without asking anybody', async () => {
    const { screen, fetches } = await choose(null, { electron: true })
    assert.deepEqual([screen, fetches], [{ electron: '/electron' }, 0])
  })

  it('is Electron where that can be fetched', async () => {
    const { screen, fetches } = await choose(null, {})
    assert.deepEqual([screen, fetches], [{ electron: '/fetched' }, 1])
  })

  it('is the system’s Chromium where it cannot, with one sentence that says why', async () => {
    const { screen, said } = await choose(null, { why: 'nothing answers' })
    assert.equal(screen, 'browser')
    assert.equal(said, 'Electron cannot be had (nothing answers): the system’s Chromium is the screen')
  })

  it('is what a person opens where there is no Chromium either', async () => {
    const { said } = await choose(null, { why: 'nothing answers', chromium: false })
    assert.match(said, /open the address below in a browser/)
  })

  it('asks nobody without a display, for root, or where another screen was asked for', async () => {
    for (const [shell, machine] of [
      [null, { display: false }],
      [null, { root: true }],
      ['browser', {}],
      ['none', {}],
    ] as const) {
      const { fetches } = await choose(shell, machine)
      assert.equal(fetches, 0)
    }
  })

  it('is Electron or none where Electron was asked for', async () => {
    assert.deepEqual((await choose('electron', { display: false })).screen, { electron: '/fetched' })
    await assert.rejects(choose('electron', { why: 'the disk is full' }), /cannot be had: the disk is full/)
  })
})
