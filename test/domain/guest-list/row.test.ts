import assert from 'node:assert/strict'
import { codeProblem, nameParts, readQuantity, ticketCodes } from '../../../server/domain/guest-list/cells.ts'
import { planColumns } from '../../../server/domain/guest-list/columns.ts'
import { isEmail, readEmail } from '../../../server/domain/guest-list/email.ts'
import { findProduct, indexCatalogue } from '../../../server/domain/guest-list/products.ts'
import { readGuestRow } from '../../../server/domain/guest-list/row.ts'
import { cleanCell, cleanComment, looseKey } from '../../../server/domain/guest-list/text.ts'

const index = indexCatalogue({
  defaultItem: null,
  items: [
    {
      id: 1,
      names: ['Day ticket', 'Tageskarte', 'DAY'],
      variations: [
        { id: 11, names: ['Adult', 'Erwachsene'] },
        { id: 12, names: ['Child', 'Kind'] },
      ],
    },
    { id: 2, names: ['VIP', 'VIP-Karte'], variations: [] },
    { id: 3, names: ['VIP+'], variations: [] },
    { id: 4, names: ['Workshop'], variations: [{ id: 41, names: ['Morning'] }] },
    {
      id: 5,
      names: ['日票'],
      variations: [
        { id: 51, names: ['大人'] },
        { id: 52, names: ['Child'] },
      ],
    },
  ],
})
const plan = planColumns(
  ['Name', 'E-Mail', 'Ticket', 'Variation', 'Code', 'Qty', 'Order', 'Company', 'Phone', 'Comment'],
  1,
)

function read(...cells: string[]) {
  return readGuestRow(plan, cells, 7, index)
}

function problems(...cells: string[]): (readonly [string | null, string])[] {
  const row = read(...cells)
  return row.kind === 'problems' ? row.problems.map(({ column, message }) => [column, message] as const) : []
}

describe('guest list row', () => {
  it('reads everything that a row says', () => {
    assert.deepEqual(
      read(
        ' Änne\u00a0Groß ',
        'a@example.org',
        'Tageskarte',
        'kind',
        '="0012"',
        '2x',
        'B-1',
        'ACME',
        "'+49 1",
        'one\ntwo',
      ),
      {
        kind: 'guest',
        guest: {
          line: 7,
          attendee_name_parts: { _scheme: 'full', full_name: 'Änne Groß' },
          attendee_email: 'a@example.org',
          item: 1,
          variation: 12,
          code: '0012',
          quantity: 2,
          order: 'B-1',
          company: 'ACME',
          phone: '+49 1',
          comment: 'one\ntwo',
        },
      },
    )
  })

  it('reads rows that end early', () => {
    const row = read('Bob', '', 'VIP')
    assert.equal(row.kind, 'guest')
  })

  it('takes the company for the name of a guest without one', () => {
    const row = read('', '', 'VIP', '', '', '', '', 'ACME')
    assert.deepEqual(row.kind === 'guest' && row.guest.attendee_name_parts, {
      _scheme: 'full',
      full_name: 'ACME',
    })
  })

  it('tells everything that is wrong at once, with the column', () => {
    assert.deepEqual(problems('A', 'a@', 'Backstage', '', 'x'.repeat(256), 'two', '', 'c'.repeat(256)), [
      ['Company', 'The company is longer than 255 characters.'],
      ['E-Mail', '"a@" is not an e-mail address.'],
      ['Code', 'The code is longer than 255 characters.'],
      ['Qty', '"two" is not a number of tickets.'],
      ['Ticket', 'There is no ticket type "Backstage". Known: Day ticket, VIP, VIP+, Workshop, 日票.'],
    ])
  })

  it('refuses rows in which nobody can be found, are too wide or unreadable', () => {
    assert.match(problems('-', 'n/a', 'VIP')[0]?.[1] ?? '', /nobody could find this guest/)
    assert.match(
      problems('A', '', 'VIP', '', '', '', '', '', '', '', 'more')[0]?.[1] ?? '',
      /11 cells, but only 10 columns/,
    )
    assert.match(problems('M\ufffdller', '', 'VIP')[0]?.[1] ?? '', /cannot be read/)
    assert.equal(read('A', '', 'VIP', '', '', '', '', '', '', '', ' ', '\u200b').kind, 'guest')
  })

  it('refuses texts that are too long to be stored', () => {
    const parts = planColumns(['First name', 'Last name', 'Phone', 'Comment', 'Ticket'], 1)
    const lengths = (...sizes: number[]) => {
      const row = readGuestRow(parts, [...sizes.map((size) => 'x'.repeat(size)), 'VIP'], 2, index)
      return row.kind === 'problems' ? row.problems.map(({ message }) => message) : []
    }
    assert.deepEqual(lengths(120, 120, 100, 5000), [])
    assert.deepEqual(lengths(121, 121, 101, 5001), [
      'The first name is longer than 120 characters.',
      'The last name is longer than 120 characters.',
      'The phone number is longer than 100 characters.',
      'The comment is longer than 5000 characters.',
    ])
  })

  it('refuses a code that a scanner cannot send', () => {
    assert.deepEqual(problems('A', '', 'VIP', '', 'a\nb'), [
      ['Code', 'The code contains a line break or a control character.'],
    ])
    assert.deepEqual(problems('A', '', 'VIP', '', 'a\u0007b'), [
      ['Code', 'The code contains a line break or a control character.'],
    ])
    assert.deepEqual(problems('A', '', 'VIP', '', ' abc\n'), [])
  })
})

describe('guest list cells', () => {
  const quantities: readonly (readonly [string, number | RegExp])[] = [
    ['', 1],
    ['1', 1],
    ['100', 100],
    ['2x', 2],
    ['2 X', 2],
    ['x2', 2],
    ['×3', 3],
    ['2,0', 2],
    ['2.00', 2],
    ['3 Tickets', 3],
    ['4 Pers.', 4],
    ['05', 5],
    ['0', /1 to 100 tickets, not 0/],
    ['101', /not 101/],
    ['-1', /not a number/],
    ['1.5', /not a number/],
    ['1.000', /not a number/],
    ['two', /not a number/],
    ['+1', /not clear/],
    ['1e2', /not a number/],
    ['٣', /not a number/],
  ]
  for (const [text, expected] of quantities) {
    it(`reads ${JSON.stringify(text)} as a quantity`, () => {
      const read = readQuantity(text)
      if (typeof expected === 'number') assert.equal(read, expected)
      else assert.match(String(read), expected)
    })
  }

  const addresses: readonly (readonly [string, string | null | undefined])[] = [
    ['a@example.org', 'a@example.org'],
    ['mailto:a@example.org', 'a@example.org'],
    ['Anna B <a.b+c@example.org>', 'a.b+c@example.org'],
    ['jörg@bücher.example', 'jörg@bücher.example'],
    ['', null],
    ['-', null],
    ['N/A', null],
    ['keine', null],
    ['a@', undefined],
    ['a', undefined],
    ['a@example', undefined],
    ['a@@example.org', undefined],
    ['.a@example.org', undefined],
    ['a..b@example.org', undefined],
    ['a.@example.org', undefined],
    ['a@example..org', undefined],
    ['a@example.org.', undefined],
    ['a@example.org, b@example.org', undefined],
    ['a b@example.org', undefined],
    [`${'a'.repeat(250)}@example.org`, undefined],
  ]
  for (const [text, expected] of addresses) {
    it(`reads ${JSON.stringify(text.slice(0, 30))} as an e-mail address`, () =>
      assert.equal(readEmail(text), expected))
  }

  it('judges long hostile addresses quickly', () => {
    assert.equal(isEmail(`a@${'a.'.repeat(100)}`), false)
    assert.equal(readEmail(`${'<'.repeat(50_000)}`), undefined)
  })

  it('gives a group its printed code once and numbers the rest', () => {
    assert.deepEqual(ticketCodes('AB', 3), ['AB', 'AB-2', 'AB-3'])
    assert.deepEqual(ticketCodes('AB', 1), ['AB'])
    assert.deepEqual(ticketCodes(null, 2), [null, null])
    const longest = 'x'.repeat(251)
    assert.equal(codeProblem(longest, longest, 100), null)
    assert.equal(ticketCodes(longest, 100).at(-1)?.length, 255)
    assert.match(codeProblem(`${longest}x`, longest, 2) ?? '', /longer than 251/)
  })

  it('recognises codes that Excel has destroyed', () => {
    for (const code of ['1.23457E+12', '1,2E+05', '4E+15'])
      assert.match(codeProblem(code, code, 1) ?? '', /Excel has rounded/)
    for (const code of ['4EAB+1', 'E+12', '12345', 'ABC-1E+1X'])
      assert.equal(codeProblem(code, code, 1), null)
  })

  it('keeps the parts of a name apart', () => {
    assert.deepEqual(nameParts('A', 'B', 'C'), { _scheme: 'given_family', given_name: 'A', family_name: 'B' })
    assert.deepEqual(nameParts('', 'B', 'C'), { _scheme: 'given_family', family_name: 'B' })
    assert.deepEqual(nameParts('A', '', ''), { _scheme: 'given_family', given_name: 'A' })
    assert.deepEqual(nameParts('', '', 'C, D'), { _scheme: 'full', full_name: 'C, D' })
    assert.deepEqual(nameParts('', '', ''), {})
  })

  const cells: readonly (readonly [string, string])[] = [
    ['plain text', 'plain text'],
    ['  a  b\t', 'a b'],
    ['\u00a0a\u202fb\u3000', 'a b'],
    ['\ufeff\u200ba\u00adb\u200d', 'ab'],
    ['="0012"', '0012'],
    [' ="a ""b""" ', 'a "b"'],
    ['=1+1', '=1+1'],
    ['u\u0308', 'ü'],
    ['a\nb', 'a b'],
    ['a\u0000b\u009f', 'ab'],
    ['\u202eabc', 'abc'],
  ]
  for (const [raw, clean] of cells)
    it(`cleans ${JSON.stringify(raw)}`, () => assert.equal(cleanCell(raw), clean))

  it('keeps the lines of a comment', () => {
    assert.equal(cleanComment(' a \n\n\n\n b\u200b\n'), 'a\n\nb')
  })

  it('compares loosely in any script', () => {
    assert.equal(looseKey('Große-Ärzte & Co. №'), looseKey('GROSSE ARZTE CO no'))
    assert.equal(looseKey('Łódź'), 'lodz')
    assert.equal(looseKey('日本 太郎'), '日本太郎')
  })
})

describe('guest list products', () => {
  const products: readonly (readonly [product: string, variation: string, expected: string])[] = [
    ['Day ticket', 'Adult', '1/11'],
    ['  day TICKET', 'erwachsene', '1/11'],
    ['Tageskarte', 'Child', '1/12'],
    ['Day ticket - Child', '', '1/12'],
    ['Tageskarte – Kind', '', '1/12'],
    ['Day ticket (Adult)', '', '1/11'],
    ['DAY: adult', '', '1/11'],
    ['day-ticket/kind', '', '1/12'],
    ['Day ticket - Child', 'Kind', '1/12'],
    ['Adult', '', '1/11'],
    ['VIP', '', '2/null'],
    ['vip karte', '', '2/null'],
    ['VIP+', '', '3/null'],
    ['vip-', '', 'could be: VIP, VIP+'],
    ['Workshop', '', '4/41'],
    ['日票', '大人', '5/51'],
    ['日票 大人', '', '5/51'],
    ['Child', '', 'could be: Day ticket (Child), 日票 (Child)'],
    ['Day ticket', '', 'needs one of its variations: Adult, Child.'],
    ['Day ticket', 'Senior', 'has no variation "Senior". Known: Adult, Child.'],
    ['VIP', 'Adult', '"VIP" has no variations'],
    ['Day ticket - Child', 'Adult', 'says Day ticket (Child), the variation says "Adult"'],
    ['', 'Morning', '4/41'],
    ['', '', 'The ticket type is missing. Known: Day ticket,'],
    ['Backstage', '', 'There is no ticket type "Backstage". Known: Day ticket,'],
    ['constructor', '', 'There is no ticket type'],
    ['+', '', 'There is no ticket type "+"'],
  ]
  for (const [product, variation, expected] of products) {
    it(`finds "${product}" with "${variation}"`, () => {
      const found = findProduct(index, product, variation)
      if ('problem' in found) assert.ok(found.problem.includes(expected), found.problem)
      else assert.equal(`${found.item}/${found.variation}`, expected)
    })
  }

  it('gives rows without a product the default one', () => {
    const withDefault = indexCatalogue({ ...index.catalogue, defaultItem: 1 })
    assert.deepEqual(findProduct(withDefault, '', 'Kind'), { item: 1, variation: 12 })
    assert.deepEqual(findProduct(withDefault, 'VIP', ''), { item: 2, variation: null })
    assert.ok('problem' in findProduct(withDefault, '', ''))
  })

  it('names only some of many products', () => {
    const many = indexCatalogue({
      defaultItem: null,
      items: Array.from({ length: 30 }, (_, id) => ({ id, names: [`P${id}`], variations: [] })),
    })
    const found = findProduct(many, 'Q', '')
    assert.match('problem' in found ? found.problem : '', /P0, .*P11 and 18 more\.$/)
  })
})
