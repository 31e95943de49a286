import assert from 'node:assert/strict'
import fc from 'fast-check'
import { baseLanguage, inLanguage } from '../../../server/domain/text/multilingual.ts'
import {
  fullName,
  hasKnownPart,
  nameSchemes,
  partsFromName,
  withScheme,
} from '../../../server/domain/text/names.ts'

const everything = {
  salutation: 'Ms',
  title: 'Dr.',
  given_name: 'Ada',
  middle_name: 'King',
  family_name: 'Lovelace',
  full_name: 'Ada King Lovelace',
  calling_name: 'Ada',
  latin_transcription: 'Eida',
  degree: 'BSc',
}

const salutedWithDegree = 'salutation_title_given_family_degree'

describe('a full name', () => {
  const schemes: Readonly<Record<string, readonly [full: string, withoutGivenName: string | null]>> = {
    given_family: ['Ada Lovelace', 'Lovelace'],
    title_given_family: ['Dr. Ada Lovelace', 'Dr. Lovelace'],
    given_middle_family: ['Ada King Lovelace', 'King Lovelace'],
    title_given_middle_family: ['Dr. Ada King Lovelace', 'Dr. King Lovelace'],
    family_given: ['Lovelace Ada', 'Lovelace'],
    family_nospace_given: ['LovelaceAda', 'Lovelace'],
    family_comma_given: ['Lovelace, Ada', 'Lovelace'],
    full: ['Ada King Lovelace', 'Ada King Lovelace'],
    calling_full: ['Ada King Lovelace', 'Ada King Lovelace'],
    full_transcription: ['Ada King Lovelace', 'Ada King Lovelace'],
    salutation_given_family: ['Ada Lovelace', 'Lovelace'],
    salutation_title_given_family: ['Dr. Ada Lovelace', 'Dr. Lovelace'],
    salutation_title_given_family_degree: ['Dr. Ada Lovelace, BSc', 'Dr. Lovelace, BSc'],
  }
  for (const [scheme, [full, withoutGivenName]] of Object.entries(schemes)) {
    it(`is joined by ${scheme}`, () => {
      assert.equal(fullName({ ...everything, _scheme: scheme }, 'full'), full)
      assert.equal(fullName(everything, scheme), full)
      assert.equal(fullName({ ...everything, given_name: ' ' }, scheme), withoutGivenName)
    })
  }

  it('is known for every scheme there is', () => {
    assert.deepEqual(Object.keys(nameSchemes).toSorted(), Object.keys(schemes).toSorted())
  })

  it('is nothing where nothing is known', () => {
    const unknown: readonly (Readonly<Record<string, string>> | null)[] = [
      null,
      {},
      { given_name: '' },
      { _scheme: 'full' },
      { _legacy: ' ' },
      { unheard: 'x' },
    ]
    for (const parts of unknown) assert.equal(fullName(parts, 'given_family'), null)
  })

  it('is the text of somebody of whom only that is known, whatever the scheme', () => {
    assert.deepEqual(partsFromName('Ada Lovelace'), { _legacy: 'Ada Lovelace' })
    assert.equal(
      fullName({ ...partsFromName(' Ada '), _scheme: 'given_family', given_name: 'X' }, 'full'),
      'Ada',
    )
  })

  it('falls back to the scheme of the event, and then to the whole name, for a scheme that is unknown', () => {
    assert.equal(fullName({ ...everything, _scheme: 'unheard' }, 'family_given'), 'Lovelace Ada')
    assert.equal(fullName({ ...everything, _scheme: 'constructor' }, 'unheard'), 'Ada King Lovelace')
  })

  const foreign: readonly (readonly [
    Readonly<Record<string, string>>,
    own: string,
    scheme: string,
    name: string,
  ])[] = [
    [{ full_name: 'Ada Löve' }, 'given_family', 'full', 'Ada Löve'],
    [{ full_name: 'Ada Löve', given_name: ' ' }, 'given_family', 'full', 'Ada Löve'],
    [{ calling_name: 'Ada', full_name: 'Ada Löve' }, 'given_family', 'calling_full', 'Ada Löve'],
    [{ given_name: 'Ada', family_name: 'Löve' }, 'full', 'given_family', 'Ada Löve'],
    [{ family_name: 'Löve' }, 'calling_full', 'given_family', 'Löve'],
    [{ salutation: 'Ms', full_name: 'Ada' }, 'salutation_given_family', 'full', 'Ada'],
    [{ title: 'Dr.', given_name: 'Ada', degree: 'BSc' }, 'full', salutedWithDegree, 'Dr. Ada, BSc'],
  ]
  for (const [parts, own, scheme, name] of foreign)
    it(`is not lost where an event asks for ${own} and gets ${JSON.stringify(parts)}`, () => {
      assert.equal(fullName(parts, own), name)
      assert.deepEqual(withScheme(parts, own), { ...parts, _scheme: scheme })
      assert.equal(fullName(withScheme(parts, own), own), name)
    })

  it('stays by the scheme that parts name, or by that of the event where it makes a name of them', () => {
    assert.equal(fullName({ full_name: 'Ada', _scheme: 'given_family' }, 'full'), null)
    assert.equal(fullName(everything, 'title_given_family'), 'Dr. Ada Lovelace')
    assert.deepEqual(withScheme({ salutation: 'Ms' }, 'full'), { salutation: 'Ms', _scheme: 'full' })
  })

  it('is the degree alone when only that is known', () => {
    assert.equal(fullName({ degree: 'BSc' }, 'salutation_title_given_family_degree'), 'BSc')
  })

  it('never has blanks at its ends and never is empty', () => {
    const keys = fc.constantFrom(...Object.keys(everything))
    const texts = fc.constantFrom('', ' ', 'Ada', ' Lovelace ', 'van der Berg')
    fc.assert(
      fc.property(
        fc.dictionary(keys, texts),
        fc.constantFrom(...Object.keys(nameSchemes)),
        (parts, scheme) => {
          const name = fullName(parts, scheme)
          if (name !== null) assert.ok(name.length > 0 && name === name.trim())
        },
      ),
    )
  })
})

describe('name parts', () => {
  it('are marked with the scheme of the event once', () => {
    assert.deepEqual(withScheme({ full_name: 'Ada' }, 'full'), { full_name: 'Ada', _scheme: 'full' })
    assert.deepEqual(withScheme({ full_name: 'Ada', _scheme: 'calling_full' }, 'full'), {
      full_name: 'Ada',
      _scheme: 'calling_full',
    })
    assert.deepEqual(withScheme(partsFromName('Ada'), 'full'), { _legacy: 'Ada' })
    assert.deepEqual(withScheme({}, 'full'), {})
  })
})

describe('parts that were sent', () => {
  const sent: readonly (readonly [Readonly<Record<string, string>>, known: boolean])[] = [
    [{}, true],
    [{ unheard: ' ' }, true],
    [{ _legacy: 'Ada' }, true],
    [{ unheard: 'x', family_name: 'Löve' }, true],
    [{ salutation: 'Ms' }, true],
    [{ unheard: 'Ada' }, false],
    [{ unheard: 'Ada', family_name: '' }, false],
    [{ constructor: 'Ada', _scheme: 'full' }, false],
  ]
  for (const [parts, known] of sent)
    it(`are ${known ? '' : 'not '}those of a scheme: ${JSON.stringify(parts)}`, () => {
      assert.equal(hasKnownPart(parts), known)
    })
})

describe('a text in several languages', () => {
  const rows: readonly (readonly [Parameters<typeof inLanguage>[0], string, string])[] = [
    [{ en: 'Hall', de: 'Halle' }, 'de', 'Halle'],
    [{ en: 'Hall', de: 'Halle', 'de-informal': 'Bude' }, 'de-informal', 'Bude'],
    [{ en: 'Hall', de: 'Halle' }, 'de-informal', 'Halle'],
    [{ en: 'Hall', de: 'Halle' }, 'de_AT', 'Halle'],
    [{ en: 'Hall', de: '' }, 'de', 'Hall'],
    [{ en: 'Hall', de: 'Halle' }, 'fr', 'Hall'],
    [{ de: 'Halle' }, 'fr', 'Halle'],
    [{ de: '', es: 'Sala' }, 'fr', 'Sala'],
    [{ de: '' }, 'de', ''],
    [{}, 'en', ''],
    [null, 'en', ''],
    [undefined, 'en', ''],
    ['Hall', 'de', 'Hall'],
  ]
  for (const [text, locale, expected] of rows) {
    it(`is “${expected}” in ${locale} for ${JSON.stringify(text) ?? 'nothing'}`, () => {
      assert.equal(inLanguage(text, locale), expected)
    })
  }

  it('has a base language', () => {
    assert.deepEqual(['de', 'de-informal', 'pt_BR', ''].map(baseLanguage), ['de', 'de', 'pt', ''])
  })
})
