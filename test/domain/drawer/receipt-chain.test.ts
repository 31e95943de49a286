import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type ChainLink,
  chainBeginning,
  chainHash,
  hashVersion,
  verifyChain,
} from '../../../server/domain/drawer/receipt-chain.ts'

type Link = ChainLink<{ total: number; text: string }>

/** A chain of receipts with these totals. */
function chainOf(totals: readonly number[]): Link[] {
  const links: Link[] = []
  for (const [index, total] of totals.entries()) {
    const previous_hash = links.at(-1)?.hash ?? chainBeginning
    const content = { total, text: 'Ticket' }
    const hash = chainHash(hashVersion, previous_hash, content) ?? ''
    links.push({ number: index + 1, previous_hash, hash, hash_version: hashVersion, content })
  }
  return links
}

const problemsOf = (links: readonly Link[]) =>
  verifyChain(links).map(({ number, problem }) => [number, problem])
const totals = fc.array(fc.integer(), { minLength: 3, maxLength: 10 })

describe('the chain of a till', () => {
  it('is whole in any order of its links', () => {
    fc.assert(
      fc.property(totals, (some) => {
        assert.deepEqual(verifyChain(chainOf(some)), [])
        assert.deepEqual(verifyChain(chainOf(some).reverse()), [])
      }),
    )
  })

  it('shows a link that was changed, taken out, or put in', () => {
    fc.assert(
      fc.property(totals, fc.nat(), (some, where) => {
        const links = chainOf(some)
        const at = where % (links.length - 1)
        const link = links[at]
        assert.ok(link)
        const changed = links.with(at, {
          ...link,
          content: { ...link.content, total: link.content.total + 1 },
        })
        assert.deepEqual(problemsOf(changed), [[at + 1, 'changed']])
        assert.deepEqual(problemsOf(links.toSpliced(at, 1)), [[at + 1, 'missing']])
        assert.deepEqual(problemsOf([...links, link]), [[at + 1, 'twice']])
        const forged = chainOf(some.with(at, (some[at] ?? 0) + 1))[at]
        assert.ok(forged)
        assert.deepEqual(problemsOf(links.with(at, forged)), [[at + 2, 'unlinked']])
      }),
    )
  })

  it('is whole where an older program has begun it', () => {
    const previous_hash = chainBeginning
    const old = { total: 1, text: 'Ticket' }
    const hash = chainHash(1, previous_hash, old) ?? ''
    const first = { number: 1, previous_hash, hash, hash_version: 1, content: old }
    const content = { ...old, signing: 'simulator' }
    const second = {
      ...{ number: 2, previous_hash: hash, hash_version: 2, content },
      hash: chainHash(2, hash, content) ?? '',
    }
    assert.deepEqual(verifyChain<typeof old>([first, second]), [])
    const unsigned = { ...second, content: { ...content, signing: '' } }
    assert.deepEqual(verifyChain<typeof old>([first, unsigned]), [{ number: 2, problem: 'changed' }])
  })

  it('does not depend on the order of the fields, and says which versions are not known', () => {
    assert.equal(
      chainHash(1, '', { a: 1, b: [{ c: 2, d: null }] }),
      chainHash(1, '', { b: [{ d: null, c: 2 }], a: 1 }),
    )
    assert.notEqual(chainHash(1, '', { a: 1 }), chainHash(1, 'x', { a: 1 }))
    const [first] = chainOf([1])
    assert.ok(first)
    assert.deepEqual(problemsOf([{ ...first, hash_version: 9 }]), [[1, 'unknown_version']])
  })
})
