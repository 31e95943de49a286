import assert from 'node:assert/strict'
import { hiddenHit, isHitIn, markedWords } from '../../../renderer/entrance/search-hits.ts'

const hits = (text: string, sought: string): readonly string[] =>
  markedWords(text, sought).flatMap(({ word, isHit }) => (isHit ? [word] : []))

describe('why somebody is found', () => {
  for (const [text, sought, expected] of [
    ['Zoë Müller', 'mueller', ['Müller']],
    ['Jürgen Mueller', 'MÜLL', ['Mueller']],
    ['Søren Weiß', 'weiss soeren', ['Søren', 'Weiß']],
    ['Ægir Cœur', 'aegir', ['Ægir']],
    ['Li Wei', 'smith', []],
    ['Li Wei', ' ', []],
  ] as const)
    it(`is marked in “${text}” for “${sought}”`, () => assert.deepEqual(hits(text, sought), expected))

  it('leaves the text as it was', () => {
    const text = 'Ticket –  A · XYZ-1'
    assert.equal(
      markedWords(text, 'xyz')
        .map(({ word }) => word)
        .join(''),
      text,
    )
  })

  it('is known to be nowhere in sight', () => {
    assert.equal(isHitIn(['Li Wei', 'ABC-1'], 'smith'), false)
    assert.equal(isHitIn(['Li Wei', 'ABC-1'], 'abc'), true)
  })

  it('is shown where it is not in sight', () => {
    const hidden = ['mary@example.org', 'Smith & Sons', null]
    assert.equal(hiddenHit(['Mary Miller', 'ABC-1'], hidden, 'mary@'), 'mary@example.org')
    assert.equal(hiddenHit(['Mary Miller', 'ABC-1'], hidden, 'mary sons'), 'Smith & Sons')
    assert.equal(hiddenHit(['Mary Miller', 'ABC-1'], hidden, 'mary'), '')
    assert.equal(hiddenHit(['Mary Miller', 'ABC-1'], hidden, 'abc'), '')
  })
})
