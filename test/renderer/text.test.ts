import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageOf, languages, localized, type TextKey, translator } from '../../renderer/text/translate.ts'

const folder = join(import.meta.dirname, '../../renderer')
const textOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, 'text', `${language}.json`), 'utf8'))
const english = textOf('en')
const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('dist'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n')

describe('the texts of the screens', () => {
  for (const language of Object.keys(languages)) {
    const texts = textOf(language)
    describe(language, () => {
      it('has the keys of English, in its order', () =>
        assert.deepEqual(Object.keys(texts), Object.keys(english)))
      it('has no empty text', () =>
        assert.deepEqual(
          Object.keys(texts).filter((key) => !texts[key]?.trim()),
          [],
        ))
      it('has the placeholders of English', () => {
        for (const [key, text] of Object.entries(english))
          assert.deepEqual(placeholders(texts[key] ?? ''), placeholders(text), key)
      })
      it('has no emoji', () =>
        assert.deepEqual(
          Object.values(texts).filter((text) => /\p{Extended_Pictographic}/u.test(text)),
          [],
        ))
    })
  }

  it('has no text that nothing shows', () => {
    const built = /`([a-z-]+)\.\$\{/g
    const families = [...sources.matchAll(built)].map(([, family]) => `${family}.`)
    const shown = (key: string) =>
      sources.includes(`'${key.replace(/\.one$/, '')}'`) || families.some((family) => key.startsWith(family))
    assert.deepEqual(
      Object.keys(english).filter((key) => !shown(key)),
      [],
    )
  })
})

describe('translating', () => {
  const t = translator('en')
  it('fills in what is in braces', () => assert.equal(t('ticket.order', { order: 'ABC12' }), 'Order ABC12'))
  it('leaves braces nobody fills', () => assert.equal(t('ticket.order'), 'Order {order}'))
  it('puts braces of a guest in as they are', () =>
    assert.equal(t('ticket.order', { order: '{count}' }), 'Order {count}'))
  const counts: readonly [TextKey, number, string][] = [
    ['search.found', 1, '1 ticket'],
    ['search.found', 2, '2 tickets'],
    ['search.found', 0, '0 tickets'],
    ['search.admit-all', 1, 'Check in all 1'],
  ]
  for (const [key, count, text] of counts) it(`says “${text}”`, () => assert.equal(t(key, { count }), text))

  const locales: readonly [string | null | undefined, string][] = [
    ['de', 'de'],
    ['de-informal', 'de'],
    ['DE_AT', 'de'],
    ['fr', 'en'],
    ['', 'en'],
    [null, 'en'],
  ]
  for (const [locale, language] of locales)
    it(`speaks ${language} for ${locale}`, () => assert.equal(languageOf(locale), language))

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
    it(`chooses “${chosen}” of ${JSON.stringify(text)} in ${language}`, () =>
      assert.equal(localized(text, language), chosen))
})
