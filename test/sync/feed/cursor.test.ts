import assert from 'node:assert/strict'
import { type Cursor, readCursor, writeCursor } from '../../../server/sync/feed/cursor.ts'

const plain = { seq: 12, gone: 12, loading: null, asked: '' }

const cursors: Readonly<Record<string, Cursor>> = {
  'of nothing': { view: 'whole', organizer: { ...plain, seq: 0, gone: 0 }, events: new Map() },
  'of some events': {
    view: 'whole',
    organizer: plain,
    events: new Map([
      [3, plain],
      [2 ** 32 * 7 + 5, plain],
    ]),
  },
  'with deletions to tell': {
    view: 'lean',
    organizer: { ...plain, gone: 3 },
    events: new Map([[3, { ...plain, gone: 0 }]]),
  },
  'amid an event that is told whole': {
    view: 'lean-tickets',
    organizer: plain,
    events: new Map([
      [
        3,
        { ...plain, loading: { resource: 'order_position', id: Number.MAX_SAFE_INTEGER }, asked: '0a1b2c3d' },
      ],
    ]),
  },
}

const unreadable = [
  '',
  'whole',
  'whole;',
  'whole;0',
  'whole;x!;',
  'whole;0;3',
  'whole;0;3:',
  'whole;0;:3',
  'whole;0;3:1;',
  'whole;0;3:1@order',
  'whole;-1;',
  '{}',
  'whole;999999999999;',
]

describe('a cursor', () => {
  for (const [name, cursor] of Object.entries(cursors))
    it(`is read as it was written: ${name}`, () => {
      const text = writeCursor(cursor)
      assert.deepEqual(readCursor(text), cursor)
      assert.match(text, /^[\w;:,.@~-]+$/)
    })

  for (const text of unreadable)
    it(`is not read from ${JSON.stringify(text)}`, () => {
      assert.equal(readCursor(text), undefined)
    })

  it('fits into an address also where there are thousands of events, and is read again', () => {
    const events = new Map(
      Array.from({ length: 2000 }, (_, index) => [
        1000 + index * 37,
        { ...plain, seq: (index * index) % 5000, gone: (index * index) % 5000 },
      ]),
    )
    const cursor = { view: 'whole', organizer: plain, events }
    const text = writeCursor(cursor)
    assert.match(text, /^![\w-]+$/)
    assert.ok(text.length < 10_000, `${text.length}`)
    assert.deepEqual(readCursor(text), cursor)
    assert.equal(readCursor(`${text.slice(0, 100)}AAAA`), undefined)
    assert.equal(readCursor('!'), undefined)
  })

  it('is the same text for the same place, in whatever order the events are', () => {
    const [a, b] = [
      new Map([
        [3, plain],
        [20, plain],
      ]),
      new Map([
        [20, plain],
        [3, plain],
      ]),
    ]
    const texts = [a, b].map((events) => writeCursor({ view: 'whole', organizer: plain, events }))
    assert.equal(texts[0], texts[1])
  })
})
