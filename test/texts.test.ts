import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import {
  isLanguage,
  type Language,
  languageOf,
  languages,
  translators,
  writingDirection,
} from '../schema/texts/translate.ts'

type Texts = Readonly<Record<string, string>>

const all = Object.keys(languages).filter(isLanguage)

/** The two tables of each language, by the ends of their names. */
const files: ReadonlyMap<Language, Readonly<Record<string, Texts>>> = new Map(
  await Promise.all(
    all.map(
      async (language) =>
        [
          language,
          (await import(`../schema/texts/${language}.ts`)) as Readonly<Record<string, Texts>>,
        ] as const,
    ),
  ),
)

const tableOf = (language: Language, part: 'Screen' | 'Server'): Texts => {
  const tables = Object.entries(files.get(language) ?? {})
  return tables.find(([name]) => name.endsWith(`${part}Texts`))?.[1] ?? {}
}

const parts = [
  { name: 'screens', folder: 'renderer', part: 'Screen' },
  { name: 'server', folder: 'server', part: 'Server' },
] as const

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

for (const { name, folder, part } of parts)
  describe(`the texts of the ${name}`, () => {
    const english = tableOf('en', part)
    for (const language of all) {
      const own = tableOf(language, part)

      it(`lack nothing in ${language}`, () => {
        const lacking = Object.entries(english).filter(([key]) => !Object.hasOwn(own, key))
        const lines = lacking.map(([key, text]) => `${language}: ${key} = ${text}`)
        assert.ok(
          lacking.length === 0,
          `to be translated in schema/texts/${language}.ts:\n${lines.join('\n')}`,
        )
      })

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

  it('speaks English where it has no texts of a language', () =>
    assert.equal(say('ar')('found', { count: 1 }), '1 ticket'))
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
    ['xx', 'en'],
    ['ar-EG', 'ar'],
    ['toString', 'en'],
    ['', 'en'],
    [null, 'en'],
  ]
  for (const [locale, language] of locales)
    it(`speaks ${language} for ${locale}`, () => assert.equal(languageOf(locale), language))
})

describe('languages of a browser', () => {
  it('give the first that there are texts in', () => assert.equal(languageOf('xx', 'de-AT', 'ar'), 'de'))
  it('give English where there are none', () => assert.equal(languageOf('xx'), 'en'))
})

describe('the packages with Electron', () => {
  /** What Chromium calls a language of ours where it has another name for it. */
  const chromiumNames: Partial<Record<Language, string>> = { en: 'en-US' }
  it('bring Chromium’s own words in every language', () => {
    const [, named = ''] =
      /^electronLanguages: \[(.*)\]$/m.exec(readFileSync('electron-builder.yml', 'utf8')) ?? []
    assert.deepEqual(
      named.split(', '),
      all.map((language) => chromiumNames[language] ?? language),
    )
  })
})

describe('Arabic', () => {
  const say = translators({
    en: { of: '{done, number} of {total, number}' } as const,
    ar: { of: '{done, number} من {total, number}' },
  })
  it('is written to the left', () => assert.equal(writingDirection('ar'), 'rtl'))
  it('has Latin digits, as codes have', () =>
    assert.equal(say('ar')('of', { done: 12, total: 345 }), '12 من 345'))
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
