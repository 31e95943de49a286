import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { germanScreenTexts, germanServerTexts } from '../schema/texts/de.ts'
import { englishScreenTexts, englishServerTexts } from '../schema/texts/en.ts'
import { type Language, languageOf, translators } from '../schema/texts/translate.ts'

type Texts = Readonly<Record<string, string>>

const tables: readonly {
  readonly name: string
  readonly folder: string
  readonly texts: Readonly<Record<Language, Texts>>
}[] = [
  { name: 'screens', folder: 'renderer', texts: { en: englishScreenTexts, de: germanScreenTexts } },
  { name: 'server', folder: 'server', texts: { en: englishServerTexts, de: germanServerTexts } },
]

const root = join(import.meta.dirname, '..')

const sourcesIn = (folder: string): readonly (readonly [file: string, source: string])[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('dist'))
    .map((file) => [join(folder, file), readFileSync(join(root, folder, file), 'utf8')])

/** Kinds of what is in braces, as the parser of messages numbers them. */
const kinds = { argument: 1, select: 5, plural: 6 }

interface Element {
  readonly type: number
  readonly value?: unknown
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>
}

const elementsOf = (elements: readonly Element[]): readonly Element[] =>
  elements.flatMap((one) => [
    one,
    ...Object.values(one.options ?? {}).flatMap(({ value }) => elementsOf(value)),
  ])

const parsed = (message: string, language: string): readonly Element[] =>
  elementsOf(new IntlMessageFormat(message, language, {}, { ignoreTag: true }).getAst())

const isArgument = ({ type }: Element): boolean => type >= kinds.argument && type <= kinds.plural

const argumentsOf = (message: string, language: string): readonly string[] => [
  ...new Set(
    parsed(message, language)
      .filter(isArgument)
      .map(({ type, value }) => `${value} ${type}`)
      .toSorted(),
  ),
]

for (const { name, folder, texts } of tables)
  describe(`the texts of the ${name}`, () => {
    const { en: english } = texts
    for (const [language, own] of Object.entries(texts)) {
      it(`have the keys of English, in its order, in ${language}`, () =>
        assert.deepEqual(Object.keys(own), Object.keys(english)))

      it(`parse, and use the values of English, in ${language}`, () => {
        for (const [key, message] of Object.entries(own))
          assert.deepEqual(argumentsOf(message, language), argumentsOf(english[key] ?? '', 'en'), key)
      })

      it(`have a form for every plural of ${language}`, () => {
        const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
        for (const [key, message] of Object.entries(own))
          for (const { type, options = {} } of parsed(message, language))
            if (type === kinds.plural)
              for (const category of pluralCategories) assert.ok(options[category], `${key} ${category}`)
      })

      it(`are neither empty nor have an emoji in ${language}`, () =>
        assert.deepEqual(
          Object.keys(own).filter((key) => !own[key]?.trim() || /\p{Extended_Pictographic}/u.test(own[key])),
          [],
        ))
    }

    it('name their values as the type of the translator reads them', () => {
      for (const [key, message] of Object.entries(english))
        for (const element of parsed(message, 'en').filter(isArgument)) {
          assert.match(String(element.value), /^[a-z_]+$/, key)
          const opening = `{${element.value}${element.type === kinds.argument ? '}' : ', '}`
          assert.ok(message.includes(opening), `${key} ${opening}`)
        }
    })

    it('are all used', () => {
      const sources = sourcesIn(folder)
        .map(([, source]) => source)
        .join('\n')
      const families = [...sources.matchAll(/`([a-z._-]+\.)\$\{/g)].map(([, family = '']) => family)
      assert.deepEqual(
        Object.keys(english).filter(
          (key) => !sources.includes(`'${key}'`) && !families.some((family) => key.startsWith(family)),
        ),
        [],
      )
    })
  })

describe('a translator', () => {
  const say = translators({
    en: {
      plain: "It's {name}",
      found: '{count, plural, one {1 ticket} other {{count} tickets}}',
      size: '{size, number, ::.#} GB of {total, number}',
    },
    de: {
      plain: 'Das ist {name}',
      found: '{count, plural, one {1 Ticket} other {{count} Tickets}}',
      size: '{size, number, ::.#} GB von {total, number}',
    },
  })

  it('fills values in', () => assert.equal(say('en')('plain', { name: 'Ada' }), "It's Ada"))
  it('puts braces and tags of a guest in as they are', () =>
    assert.equal(say('en')('plain', { name: '{count} <b>' }), "It's {count} <b>"))
  for (const [count, text] of [
    [1, '1 Ticket'],
    [0, '0 Tickets'],
    [1200, '1200 Tickets'],
  ] as const)
    it(`says “${text}”`, () => assert.equal(say('de')('found', { count }), text))
  it('writes numbers as the language does', () => {
    assert.equal(say('en')('size', { size: 1.26, total: 1200 }), '1.3 GB of 1,200')
    assert.equal(say('de')('size', { size: 3, total: 1200 }), '3 GB von 1.200')
  })
  it('wants the values of a text, by its type', () => {
    // @ts-expect-error: the name is missing
    assert.throws(() => say('en')('plain'))
    // @ts-expect-error: a plural needs a number
    say('en')('found', { count: '1' })
    // @ts-expect-error: there is no such text
    assert.throws(() => say('en')('nothing'))
  })

  const locales: readonly [string | null | undefined, string][] = [
    ['de', 'de'],
    ['de-informal', 'de'],
    ['DE_AT', 'de'],
    ['fr', 'en'],
    ['toString', 'en'],
    ['', 'en'],
    [null, 'en'],
  ]
  for (const [locale, language] of locales)
    it(`speaks ${language} for ${locale}`, () => assert.equal(languageOf(locale), language))
})

describe('sentences in several languages', () => {
  it('are nowhere but in the texts and in the data of the demo', () => {
    const elsewhere = ['renderer', 'server', 'main']
      .flatMap(sourcesIn)
      .filter(([file, source]) => !/\bdemo\b/.test(file) && /\bde: ?['"`]|\b(english|german)\b/.test(source))
    assert.deepEqual(
      elsewhere.map(([file]) => file),
      [],
    )
  })
})
