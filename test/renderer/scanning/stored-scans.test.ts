import assert from 'node:assert/strict'
import { type Entry, entryOfRead } from '../../../renderer/scanning/entries.ts'
import { scanStorage, type TabMessage } from '../../../renderer/scanning/stored-scans.ts'
import { read } from '../samples.ts'

type Memory = Parameters<typeof scanStorage>[0]['memory']
type Listener = (message: TabMessage) => void

/** A browser: its storage in memory, and its tabs, which hear each other at once. */
class Browser {
  readonly items = new Map<string, string>()
  readonly #listeners = new Map<string, Listener>()
  readonly #due: (() => void)[] = []
  readonly memory: Memory

  constructor() {
    const { items } = this
    this.memory = {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
      key: (index) => [...items.keys()][index] ?? null,
      get length() {
        return items.size
      },
    }
  }

  open(page: string) {
    const tabs = {
      hear: (listener: Listener) => void this.#listeners.set(page, listener),
      say: (message: TabMessage) => {
        for (const [other, listener] of this.#listeners) if (other !== page) listener(message)
      },
    }
    const after = (_milliseconds: number, then: () => void) => void this.#due.push(then)
    const storage = scanStorage({ memory: this.memory, tabs, page, after })
    const inherited: Entry[] = []
    storage.inherit((entries) => {
      inherited.push(...entries)
      storage.write(inherited)
    })
    return { ...storage, inherited, close: () => void this.#listeners.delete(page) }
  }

  /** Lets the time run out in which other tabs answer. */
  wait(): void {
    for (const then of this.#due.splice(0)) then()
  }
}

const entry = (nonce: string) => entryOfRead(read(nonce), 'entry')

describe('scans that the browser stores', () => {
  it('outlive a new start', () => {
    const browser = new Browser()
    const first = browser.open('1')
    first.write([entry('a')])
    first.close()
    const second = browser.open('2')
    browser.wait()
    assert.deepEqual(second.inherited, [entry('a')])
    second.close()
    const third = browser.open('3')
    browser.wait()
    assert.deepEqual(third.inherited, [entry('a')])
  })

  it('belong to one tab: another one neither takes them over nor removes them', () => {
    const browser = new Browser()
    const first = browser.open('1')
    first.write([entry('a')])
    const second = browser.open('2')
    browser.wait()
    assert.deepEqual(second.inherited, [])
    second.write([entry('b')])
    second.write([])
    first.close()
    second.close()
    const third = browser.open('3')
    browser.wait()
    assert.deepEqual(third.inherited, [entry('a')])
  })

  it('are taken over from all tabs that are gone', () => {
    const browser = new Browser()
    const tabs = ['1', '2'].map((page) => browser.open(page))
    tabs.forEach((tab, index) => {
      tab.write([entry(`of-${index}`)])
      tab.close()
    })
    const third = browser.open('3')
    browser.wait()
    assert.deepEqual(third.inherited.map(({ key }) => key).sort(), ['of-0', 'of-1'])
    assert.deepEqual([...browser.items.keys()], ['gatehouse.kept.3'])
  })

  it('leave nothing behind when all are sent', () => {
    const browser = new Browser()
    const tab = browser.open('1')
    tab.write([entry('a')])
    tab.write([])
    assert.equal(browser.items.size, 0)
  })

  for (const nonsense of ['', '{', '{}', '[1,null,{}]'])
    it(`are none in ${JSON.stringify(nonsense)}`, () => {
      const browser = new Browser()
      browser.memory.setItem('gatehouse.kept', nonsense)
      const tab = browser.open('1')
      browser.wait()
      assert.deepEqual(tab.inherited, [])
    })
})
