import assert from 'node:assert/strict'
import type { TicketContent } from '../../../server/domain/signed-tickets/content.ts'
import { pretixPayload, sealPayload } from '../../../server/domain/signed-tickets/pretix.ts'
import { looksSigned, signTicket, verifyTicket } from '../../../server/domain/signed-tickets/signed-ticket.ts'
import { amount } from '../../support/mocha/amount.ts'
import { chanceOf, keyOf, plain, seedOf } from '../../support/ticketing/signing.ts'

const key = keyOf(1)
const other = keyOf(2)

/** The bytes of a code of `pretix_sig1`, to take apart and put together in other ways. */
const bytesOf = (code: string): Buffer => Buffer.from(code.split('').reverse().join(''), 'base64')
const codeOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').split('').reverse().join('')

/** A hundred thousand in both schemes together; the quick check before a commit makes do with fewer. */
const changedCodes = amount(50_000, 5000, 1000)

const contents: readonly (readonly [string, Partial<TicketContent>])[] = [
  ['with nothing but a product', {}],
  ['with a variation', { variation: 300 }],
  ['of a date', { subevent: 77 }],
  ['with a beginning', { valid_from: '2030-06-01T10:00:00.000000Z' }],
  ['with an end', { valid_until: '2030-06-01T12:00:00.000000Z' }],
  [
    'with all of it and ids made offline',
    {
      item: 2 ** 52 + 1,
      variation: 2 ** 52 + 2,
      subevent: 2 ** 52 + 3,
      position: 2 ** 52 + 4,
      valid_from: '2030-06-01T10:00:00.000000Z',
      valid_until: '9999-12-31T23:59:59.000000Z',
    },
  ],
]

describe('signed tickets', () => {
  for (const scheme of ['pretix_sig1', 'gatehouse_1'] as const)
    describe(`of the scheme ${scheme}`, () => {
      const { created, retired } = key[scheme]
      const issued = scheme === 'gatehouse_1' ? '2030-05-01T08:00:00.000000Z' : null
      const own = scheme === 'gatehouse_1' ? { issued, position: 5 } : {}
      const sign = (content: Partial<TicketContent> = {}, seed = seedOf(1), by = key) =>
        signTicket(scheme, { ...plain, ...own, ...content }, seed, by[scheme].signer)

      for (const [title, content] of contents)
        it(`say again what was written, ${title}`, () => {
          const position = scheme === 'gatehouse_1' ? (content.position ?? 5) : null
          const code = sign(content)
          assert.deepEqual(verifyTicket(code, [key[scheme]]), {
            ...plain,
            ...content,
            issued,
            position,
            scheme,
            key_id: 1,
          })
          assert.ok(code.length <= 255, String(code.length))
          assert.ok(looksSigned(code))
        })

      it('differ by their seed alone', () => {
        const codes = new Set(Array.from({ length: 100 }, (_, index) => sign({}, seedOf(index))))
        assert.equal(codes.size, 100)
      })

      it('are known by the right key among several, in any order', () => {
        const code = sign()
        for (const keys of [
          [key[scheme], other[scheme]],
          [other[scheme], key[scheme]],
        ])
          assert.equal(verifyTicket(code, keys)?.key_id, 1)
      })

      it('are nothing under the key of another event', () => {
        assert.equal(verifyTicket(sign(), [other[scheme]]), undefined)
        assert.equal(verifyTicket(sign(), [{ ...other[scheme], key_id: 1 }]), undefined)
        assert.equal(verifyTicket(sign(), []), undefined)
      })

      it('are nothing under the right key of another scheme', () => {
        const wrong = scheme === 'gatehouse_1' ? 'pretix_sig1' : 'gatehouse_1'
        assert.equal(verifyTicket(sign(), [{ ...key[scheme], scheme: wrong }]), undefined)
      })

      it('stay valid when their key is retired', () => {
        const old = { ...key[scheme], created, retired: retired ?? '2030-05-01T08:00:01.000000Z' }
        assert.equal(verifyTicket(sign(), [old])?.item, plain.item)
      })

      it('are nothing with a letter changed, missing, doubled or added', () => {
        const code = sign()
        const wrong = [...code].flatMap((letter, index) => {
          const [before, after] = [code.slice(0, index), code.slice(index + 1)]
          return [
            before + (letter === 'A' ? 'B' : 'A') + after,
            before + after,
            before + letter + letter + after,
          ]
        })
        const around = [` ${code}`, `${code} `, `${code}\n`, `=${code}`, `${code}=`, `${code}A`, `A${code}`]
        const cases = [code.toLowerCase(), code.toUpperCase()].filter((text) => text !== code)
        for (const text of [...wrong, ...around, ...cases, code.slice(0, -4), code.slice(4), code + code])
          if (text !== code) assert.equal(verifyTicket(text, [key[scheme]]), undefined, text)
      })

      it('have one spelling only', () => {
        // The last letter of a code carries bits that are not part of any byte.
        const code = sign()
        const letters =
          scheme === 'gatehouse_1'
            ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
            : 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
        const first = scheme === 'gatehouse_1' ? code.length - 1 : code.search(/[^=]/)
        const same = [...letters].filter((letter) =>
          verifyTicket(code.slice(0, first) + letter + code.slice(first + 1), [key[scheme]]),
        )
        assert.deepEqual(same, [code[first]])
      })

      it(`are never made by chance: of ${changedCodes} changed codes not one is accepted`, function () {
        this.timeout(300_000)
        const code = sign({ variation: 300 })
        const chance = chanceOf(7)
        const letters = [...new Set(code)]
        let accepted = 0
        let opened = 0
        for (let count = 0; count < changedCodes; count += 1) {
          const text = [...code]
          for (let changes = 1 + (chance() % 3); changes > 0; changes -= 1)
            text[chance() % text.length] = letters[chance() % letters.length] ?? ''
          const changed = text.join('')
          if (changed === code) continue
          if (looksSigned(changed)) opened += 1
          if (verifyTicket(changed, [key[scheme]])) accepted += 1
        }
        assert.equal(accepted, 0)
        assert.ok(opened > changedCodes / 10, `only ${opened} came as far as the signature`)
      })
    })

  describe('of the scheme pretix_sig1', () => {
    const signer = key.pretix_sig1.signer.key
    const verify = (code: string) => verifyTicket(code, [key.pretix_sig1])

    it('are as short as elsewhere', () => {
      const code = sealPayload(pretixPayload({ ...plain, item: 12345 }, 'aB3dE6gH9'), signer)
      assert.equal(code.length, 112)
      assert.equal(bytesOf(code)[0], 1)
      assert.deepEqual([...bytesOf(code).subarray(1, 5)], [0, 14, 0, 64])
      assert.equal(bytesOf(code).subarray(5, 19).toString('hex'), '0a09614233644536674839' + '10b960')
    })

    it('case 78: may have a payload of more than 255 bytes', () => {
      for (const length of [230, 231, 240, 400, 1000]) {
        const payload = pretixPayload({ ...plain, variation: 4 }, 'x'.repeat(length))
        const ticket = verify(sealPayload(payload, signer))
        assert.equal(ticket?.item, plain.item, `${payload.length} bytes`)
        assert.equal(ticket?.variation, 4)
      }
    })

    it('are nothing with wrong lengths, another version, or bytes too many or too few', () => {
      const right = bytesOf(sealPayload(pretixPayload(plain, 'seed'), signer))
      assert.ok(verify(codeOf(right)))
      const changes: readonly ((bytes: Buffer) => Uint8Array)[] = [
        (bytes) => bytes.fill(0, 0, 1),
        (bytes) => bytes.fill(2, 0, 1),
        (bytes) => bytes.fill(1, 1, 2),
        (bytes) => bytes.fill(255, 1, 3),
        (bytes) => bytes.fill(0, 1, 3),
        (bytes) => bytes.fill(1, 3, 4),
        (bytes) => bytes.fill(63, 4, 5),
        (bytes) => bytes.fill(65, 4, 5),
        (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
        (bytes) => Buffer.concat([bytes, Buffer.from([1, 2, 3])]),
        (bytes) => bytes.subarray(0, -1),
        (bytes) => bytes.subarray(0, -3),
        (bytes) => bytes.subarray(0, 5),
        () => Buffer.alloc(0),
        () => Buffer.alloc(300, 1),
      ]
      for (const change of changes) {
        const code = codeOf(change(Buffer.from(right)))
        assert.equal(verify(code), undefined, code)
      }
    })

    const payloads: readonly (readonly [string, readonly number[], boolean])[] = [
      ['a field from the future', [0x10, 7, 0x78, 1], true],
      [
        'texts and fixed numbers from the future',
        [0x10, 7, 0x7a, 2, 1, 2, 0x7d, 1, 2, 3, 4, 0x79, 1, 2, 3, 4, 5, 6, 7, 8],
        true,
      ],
      ['zeros for what there is none of', [0x10, 7, 0x18, 0, 0x20, 0, 0x28, 0, 0x30, 0], true],
      ['no product', [0x0a, 1, 65], false],
      ['nothing', [], false],
      ['a product 0', [0x10, 0], false],
      ['a negative product', [0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], false],
      ['a number without an end', [0x10, 7, 0x18, 255], false],
      ['a number of eleven bytes', [0x10, 7, 0x18, ...Array(10).fill(255), 1], false],
      ['a text longer than the payload', [0x10, 7, 0x0a, 9, 65], false],
      ['a text as long as a number can say', [0x10, 7, 0x0a, 255, 255, 255, 255, 255, 255, 255, 15], false],
      ['a group, which nobody writes any more', [0x10, 7, 0x1b], false],
      ['a field number 0', [0x10, 7, 0x00, 1], false],
      ['a time after the year 9999', [0x10, 7, 0x28, 255, 255, 255, 255, 255, 255, 15], false],
    ]
    for (const [title, payload, isTicket] of payloads)
      it(`${isTicket ? 'may' : 'must not'} have a payload with ${title}`, () => {
        const ticket = verify(sealPayload(Uint8Array.from(payload), signer))
        assert.equal(ticket?.item, isTicket ? 7 : undefined)
        if (ticket) assert.equal(ticket.variation ?? ticket.subevent ?? ticket.valid_from, null)
      })
  })

  describe('of the scheme gatehouse_1', () => {
    const content = { ...plain, position: 70_000, item: 12345, issued: '2030-05-01T08:00:00.000000Z' }
    const sign = (more: Partial<TicketContent> = {}, seed = seedOf(3)) =>
      signTicket('gatehouse_1', { ...content, ...more }, seed, key.gatehouse_1.signer)

    it('are letters that every scanner and address carries', () => {
      assert.match(sign(), /^G[A-Z2-7]{135}$/)
    })

    it('are nothing when they claim to be signed after their key was retired, or before it was made', () => {
      const lived = {
        ...key.gatehouse_1,
        created: '2030-05-01T00:00:00.000000Z',
        retired: '2030-05-02T00:00:00.000000Z',
      }
      const at = (issued: string) => verifyTicket(sign({ issued }), [lived]) !== undefined
      assert.equal(at('2030-05-01T08:00:00.000000Z'), true)
      assert.equal(at('2030-04-30T23:55:00.000000Z'), true)
      assert.equal(at('2030-05-02T00:05:00.000000Z'), true)
      assert.equal(at('2030-04-30T23:45:00.000000Z'), false)
      assert.equal(at('2030-05-02T00:15:00.000000Z'), false)
    })

    it('are nothing when another key of the same event has their number', () => {
      assert.equal(verifyTicket(sign(), [{ ...other.gatehouse_1, key_id: 1 }]), undefined)
    })
  })

  it('are not what other codes look like', () => {
    const codes = [
      '',
      'A',
      'GATEHOUSE',
      'kq3m7b2vx9h4c8rwtz5j6n7p8s9d2f3g',
      'Z3FZA',
      '='.repeat(112),
      'A'.repeat(112),
      `G${'A'.repeat(150)}`,
    ]
    for (const code of [...codes, 'x'.repeat(100_000), '\u{1f3ab}'.repeat(60)]) {
      assert.equal(looksSigned(code), false, code.slice(0, 40))
      assert.equal(verifyTicket(code, [key.pretix_sig1, key.gatehouse_1]), undefined)
    }
  })
})
