import assert from 'node:assert/strict'
import { mailTemplates } from '../../../schema/mail-templates.ts'
import { mailRecipients } from '../../../server/domain/notifications/mail-recipients.ts'
import { isMailAddress, pauseAfter } from '../../../server/domain/notifications/mail-schedule.ts'
import { fillWording, oneLine, usualMail } from '../../../server/domain/notifications/mail-texts.ts'
import { mailPage } from '../../../server/jobs/mails.ts'

describe('the words of mails', () => {
  const rows: readonly (readonly [string, Record<string, string>, string])[] = [
    ['Hello {name},', { name: 'Ada' }, 'Hello Ada,'],
    ['Hello {name},', { name: '' }, 'Hello,'],
    ['{event}\n{where}\n\nBye', { event: 'Gala', where: '' }, 'Gala\n\nBye'],
    ['A\n\n{comment}\n\nB', { comment: '' }, 'A\n\nB'],
    ['{unknown} {code}', { code: 'X' }, '{unknown} X'],
    ['{code}{code}', { code: 'X' }, 'XX'],
    ['{code}', { code: '{name}', name: 'no' }, '{name}'],
    ['{toString}', {}, '{toString}'],
    ['A\r\nB', {}, 'A\nB'],
  ]
  for (const [wording, values, result] of rows)
    it(`makes ${JSON.stringify(result)} of ${JSON.stringify(wording)}`, () => {
      assert.equal(fillWording({ en: wording }, 'en', values), result)
    })

  for (const language of ['en', 'de', 'de-informal', 'fr'])
    it(`are there for every template in ${language}, with and without values`, () => {
      const names = 'name organizer event when where code total expires comment product'
      const more = 'valid_until voucher team url email'
      const values = Object.fromEntries(`${names} ${more}`.split(' ').map((name) => [name, `{${name}}`]))
      for (const template of mailTemplates)
        for (const filled of [values, {}, { name: '' }]) {
          const { subject, text } = usualMail(template, language, filled)
          assert.ok(subject.length > 5 && text.length > 40, template)
          assert.doesNotMatch(subject + text, /\u{e000}|\n\n\n/u)
        }
    })
  it('leave out what there is nothing to say of', () =>
    assert.equal(
      usualMail('order_denied', 'en', { code: 'X', name: '', where: '', event: 'Gala' }).text,
      ['Hello,', 'we are sorry: your order was not approved.', 'Gala', 'Order X:', 'Kind regards,'].join(
        '\n\n',
      ),
    ))

  it('cannot begin another header', () => {
    assert.equal(oneLine('A\r\nBcc: x\u2028 y'), 'A Bcc: x y')
  })

  it('are HTML without a way to bring own HTML in', () => {
    const page = mailPage('<script>\nhttps://a.example/?b=1&c="\n\njavascript:x', 'en"><b>')
    assert.match(page, /&lt;script&gt;<br>/)
    assert.match(page, /<a href="https:\/\/a\.example\/\?b=1&amp;c=">/)
    assert.doesNotMatch(page, /<script|<b>|href="javascript/)
  })
})

describe('addresses of mails', () => {
  for (const [text, isFine] of [
    ['a@b', true],
    ['jürgen@bücher.example', true],
    ['a.b+c@example.org', true],
    ['a@b@c', false],
    ['a', false],
    ['a b@c', false],
    ['<a@b>', false],
    ['a@b\r\nBcc: c@d', false],
    ['a@b,c@d', false],
    [`${'a'.repeat(250)}@b.cd`, false],
  ] as const)
    it(`${isFine ? 'takes' : 'refuses'} ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.equal(isMailAddress(text), isFine)
    })
})

describe('a mail that does not go', () => {
  it('is tried for more than a day, ever more seldom', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => Number(pauseAfter(index + 1)))
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    )
    assert.ok(pauses.reduce((sum, pause) => sum + pause) > 86_400)
    assert.equal(pauseAfter(11), null)
  })
})

describe('who gets an automated mail', () => {
  const holder = (id: number, email: string | null, name: string | null = null) => ({ id, email, name })
  const rows: readonly (readonly [
    'orders' | 'attendees' | 'both',
    string | null,
    ReturnType<typeof holder>[],
    string[],
  ])[] = [
    ['orders', 'o@x', [holder(1, 'a@x')], ['o@x']],
    ['orders', null, [holder(1, 'a@x')], []],
    ['attendees', 'o@x', [holder(1, 'a@x'), holder(2, 'b@x')], ['a@x 1', 'b@x 2']],
    ['attendees', 'o@x', [holder(1, null), holder(2, null)], ['o@x']],
    ['attendees', 'o@x', [holder(1, 'a@x'), holder(2, null)], ['a@x 1', 'o@x']],
    ['attendees', 'o@x', [holder(1, 'O@X'), holder(2, null)], ['o@x']],
    ['attendees', 'o@x', [holder(1, 'a@x'), holder(2, 'a@x')], ['a@x 1', 'a@x 2']],
    ['attendees', null, [holder(1, null)], []],
    ['both', 'o@x', [holder(1, 'a@x'), holder(2, 'o@x'), holder(3, null)], ['o@x', 'a@x 1']],
    ['both', null, [holder(1, 'a@x')], ['a@x 1']],
  ]
  for (const [sendTo, buyer, holders, expected] of rows)
    it(`is ${expected.join(' and ') || 'nobody'} for ${sendTo} of ${buyer} with ${holders.map(({ email }) => email)}`, () => {
      assert.deepEqual(
        mailRecipients(sendTo, buyer, holders).map(({ to, position }) => `${to} ${position ?? ''}`.trim()),
        expected,
      )
    })
})
