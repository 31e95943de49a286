import assert from 'node:assert/strict'
import { dictionary } from '@zxcvbn-ts/language-common'
import {
  type PasswordProblem,
  passwordProblem,
  shortestPassword,
} from '../../../server/domain/accounts/password-strength.ts'

const known = ['ada.lovelace@example.org', 'Ada Lovelace']

const cases: readonly (readonly [password: string, problem: PasswordProblem | null])[] = [
  ['', 'short'],
  ['seven77', 'short'],
  ['ähnlich', 'short'],
  ['🔑🔑🔑🔑🔑🔑🔑', 'short'],
  ['x9'.repeat(257), 'long'],
  // Nothing is asked of the kinds of signs.
  ['long enough', null],
  ['correct horse battery', null],
  ['purpletreewindow', null],
  ['83920174652', null],
  ['grün und lang', null],
  ['合言葉はとても長いです', null],
  [' leading and trailing ', null],
  ['kj4x9q2m', null],
  ['password', 'common'],
  ['Password1', 'common'],
  ['P@ssw0rd', 'common'],
  ['p4ssw0rd!', 'common'],
  ['123password', 'common'],
  ['passwort2024', 'common'],
  ['Summer2024!', 'common'],
  ['iloveyou', 'common'],
  ['letmein123', 'common'],
  ['Welcome1', 'common'],
  ['trustno1', 'common'],
  ['football', 'common'],
  ['dragon!!', 'common'],
  ['admin1234', 'common'],
  ['Gatehouse1', 'common'],
  // Often seen where passwords were stolen, though no word of the list here.
  ['1qaz2wsx', 'common'],
  ['q1w2e3r4t5', 'common'],
  ['Blackhawk', 'common'],
  ['blackhawk1!', 'common'],
  ['ｐａｓｓｗｏｒｄ', 'common'],
  ['aaaaaaaa', 'pattern'],
  ['abababab', 'pattern'],
  ['12341234', 'pattern'],
  ['12345678', 'pattern'],
  ['87654321', 'pattern'],
  ['1234567890', 'pattern'],
  ['qwertyuiop', 'pattern'],
  ['asdfghjkl', 'pattern'],
  ['abcdefgh', 'pattern'],
  ['19840517', 'pattern'],
  ['17051984', 'pattern'],
  ['qwerty123', 'common'],
  ['lovelace', 'personal'],
  ['Lovelace99', 'personal'],
  ['ada.lovelace@example.org', 'personal'],
  ['example.org', null],
]

describe('the strength of a password', () => {
  for (const [password, problem] of cases)
    it(`is ${problem ?? 'enough'} for ${JSON.stringify(password.slice(0, 30))}`, () => {
      assert.equal(passwordProblem(password, known), problem)
    })

  it('is not enough where it is one of the most common that are long enough', () => {
    const longEnough = dictionary['passwords-common'].filter((word) => word.length >= shortestPassword)
    assert.ok(longEnough.length > 15_000, `only ${longEnough.length} are long enough`)
    for (const change of [String, (word: string) => word.toUpperCase()]) {
      const taken = longEnough.filter((word) => passwordProblem(change(word)) === null)
      assert.deepEqual(taken, [])
    }
  })

  it('is judged quickly, also for the longest', () => {
    // No expression that is tried on it takes more than one look at each sign.
    assert.equal(passwordProblem('ab1!'.repeat(128), known) === 'long', false)
    assert.equal(passwordProblem(`${'a'.repeat(500)}!${'1'.repeat(11)}`, known), 'pattern')
  })
})
