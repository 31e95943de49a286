import assert from 'node:assert/strict'
import { readServerAddress } from '../../../main/common/server-address.ts'

const OPEN = 'http://127.0.0.1:4711/open#key=k1'

describe('the line of a server that is ready', () => {
  it('is read', () => {
    assert.deepEqual(
      readServerAddress(JSON.stringify({ url: 'http://127.0.0.1:4711', open: OPEN, key: 'k1', more: 1 })),
      { url: 'http://127.0.0.1:4711', open: OPEN, key: 'k1' },
    )
  })

  const wrong: readonly [string, string][] = [
    ['text', 'Listening on 127.0.0.1:4711'],
    ['half a line', '{"url": "http://127.0'],
    ['no object', '[1]'],
    ['a missing key', JSON.stringify({ url: 'http://127.0.0.1:1', open: 'http://127.0.0.1:1/' })],
    ['an empty key', JSON.stringify({ url: 'http://127.0.0.1:1', open: 'http://127.0.0.1:1/', key: '' })],
    ['a missing page', JSON.stringify({ url: 'http://127.0.0.1:1', key: 'k' })],
    ['another machine', JSON.stringify({ url: 'http://10.0.0.1:1', open: 'http://10.0.0.1:1/', key: 'k' })],
    [
      'a page elsewhere',
      JSON.stringify({ url: 'http://127.0.0.1:1', open: 'http://127.0.0.1:2/', key: 'k' }),
    ],
    ['another protocol', JSON.stringify({ url: 'file:///tmp', open: 'file:///tmp', key: 'k' })],
    ['no address', JSON.stringify({ url: 'here', open: 'there', key: 'k' })],
    ['numbers', JSON.stringify({ url: 1, open: 2, key: 3 })],
  ]
  for (const [what, line] of wrong) {
    it(`is not ${what}`, () => assert.equal(readServerAddress(line), null))
  }
})
