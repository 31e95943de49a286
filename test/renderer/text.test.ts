import assert from 'node:assert/strict'
import { localized, type TextKey, translator } from '../../renderer/text/translate.ts'

describe('the texts of the screens', () => {
  const t = translator('en')
  it('are filled in', () => assert.equal(t('ticket.order', { order: 'ABC12' }), 'Order ABC12'))
  it('keep braces of a guest as they are', () =>
    assert.equal(t('ticket.order', { order: '{count}' }), 'Order {count}'))
  const counts: readonly [Extract<TextKey, 'search.found' | 'search.admit-all'>, number, string][] = [
    ['search.found', 1, '1 ticket'],
    ['search.found', 2, '2 tickets'],
    ['search.found', 0, '0 tickets'],
    ['search.admit-all', 1, 'Check in all 1'],
  ]
  for (const [key, count, text] of counts) it(`say “${text}”`, () => assert.equal(t(key, { count }), text))
})

describe('a text in several languages', () => {
  const words = { en: 'Seat', de: 'Platz', 'de-informal': 'Sitz' }
  const choices: readonly [Record<string, string> | null, string, string][] = [
    [words, 'de', 'Platz'],
    [words, 'en', 'Seat'],
    [{ 'de-informal': 'Sitz', en: 'Seat' }, 'de', 'Sitz'],
    [words, 'fr', 'Seat'],
    [{ nl: 'Stoel' }, 'de', 'Stoel'],
    [{}, 'de', ''],
    [null, 'de', ''],
  ]
  for (const [text, language, chosen] of choices)
    it(`is “${chosen}” of ${JSON.stringify(text)} in ${language}`, () =>
      assert.equal(localized(text, language), chosen))
})
