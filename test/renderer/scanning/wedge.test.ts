import assert from 'node:assert/strict'
import {
  type Burst,
  calibrated,
  calibrates,
  calibration,
  codeOf,
  hear,
  type Key,
  quiet,
  usCharacter,
  type WedgeScan,
} from '../../../renderer/scanning/wedge.ts'

/** Presses keys with the given gaps in milliseconds and returns the scans that were heard. */
function press(
  text: string,
  gaps: number | readonly number[],
  more: Partial<Key> = {},
  end = 'Enter',
): readonly string[] {
  const keys = [...text, ...(end ? [end] : [])]
  const scans: string[] = []
  let burst: Burst = quiet
  let at = 5000
  keys.forEach((key, index) => {
    at += index === 0 ? 0 : typeof gaps === 'number' ? gaps : (gaps[index - 1] ?? 0)
    const heard = hear(burst, {
      key,
      code: '',
      shift: false,
      command: false,
      inField: false,
      place: null,
      ...more,
      at,
    })
    burst = heard.burst
    if (heard.scan) scans.push(heard.scan.characters)
  })
  return scans
}

describe('keyboard wedge', () => {
  const heard: readonly [string, readonly string[]][] = [
    ['a fast scanner', press('ABC123', 2)],
    ['a scanner on a busy machine: one gap of half a second', press('ABC123', [2, 549, 2, 2, 2, 2])],
    ['slow keys where no field has the focus', press('ABC123', 400)],
    ['a fast scanner while a field has the focus', press('ABC123', 10, { inField: true })],
    [
      'a scan in a field with one long gap',
      press('ABC123456789', [3, 300, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], { inField: true }),
    ],
    ['a scan that ends with Tab', press('ABC123', 2, {}, 'Tab')],
    ['a code with spaces', press('AB C1', 2)],
    ['four characters', press('AB12', 2)],
    ['an announced code in a field, however slow', press(']Q1ABC', 200, { inField: true })],
  ]
  for (const [what, scans] of heard) it(`hears ${what}`, () => assert.equal(scans.length, 1))

  const ignored: readonly [string, readonly string[]][] = [
    ['typing in a field', press('weber', 120, { inField: true })],
    ['fast typing in a field', press('weber', 60, { inField: true })],
    ['three characters', press('AB1', 2)],
    ['Enter alone', press('', 2)],
    ['keys with Control or Alt held', press('ABC123', 2, { command: true })],
    ['a code without an end', press('ABC123', 2, {}, '')],
  ]
  for (const [what, scans] of ignored) it(`ignores ${what}`, () => assert.deepEqual(scans, []))

  it('forgets what was typed before a second of silence', () =>
    assert.deepEqual(press('xxABC123', [2, 1001, 2, 2, 2, 2, 2, 2]), ['ABC123']))

  /** One key: what it is, how many milliseconds after the one before, where, or the pointer instead. */
  type Step = readonly [key: string, gap: number, place?: string]
  const typed = (text: string, gap: number, place: string): readonly Step[] =>
    [...text].map((key) => [key, gap, place])
  /** The scans in a sequence of keys; `+` marks one that followed a person's typing. */
  function scansOf(steps: readonly Step[]): readonly string[] {
    let burst: Burst = quiet
    let at = 5000
    return steps.flatMap(([name, gap, place = 'page']) => {
      at += gap
      const key = { key: name, code: '', shift: false, command: false, at, place }
      const heard = hear(burst, { ...key, inField: place === 'field' })
      burst = heard.burst
      return heard.scan ? [`${heard.afterTyping ? '+' : ''}${heard.scan.characters}`] : []
    })
  }

  const sequences: readonly [string, readonly Step[], readonly string[]][] = [
    [
      'no scan in typed text, an arrow to a row, and Enter on it',
      [...typed('marta', 110, 'field'), ['ArrowDown', 100, 'field'], ['Enter', 100, 'row']],
      [],
    ],
    [
      'no scan in typed text and Enter elsewhere',
      [...typed('marta', 110, 'field'), ['Enter', 100, 'row']],
      [],
    ],
    [
      'a scan after text in a field that was left',
      [...typed('mar', 110, 'field'), ...typed('ABC123', 4, 'page'), ['Enter', 4]],
      ['ABC123'],
    ],
    [
      'a scan after one letter in a field that was left',
      [...typed('m', 110, 'field'), ['A', 200, 'page'], ...typed('BC123', 4, 'page'), ['Enter', 4]],
      ['ABC123'],
    ],
    ...['Escape', 'Backspace', 'F2', 'ArrowLeft'].map(
      (name): [string, readonly Step[], readonly string[]] => [
        `a scan after keys and ${name}`,
        [...typed('mar', 110, 'page'), [name, 100], ...typed('AB12', 4, 'page'), ['Enter', 4]],
        ['AB12'],
      ],
    ),
    ...['Shift', 'AltGraph', 'CapsLock', 'Control'].map(
      (name): [string, readonly Step[], readonly string[]] => [
        `one scan although the scanner presses ${name}`,
        [...typed('AB', 4, 'page'), [name, 4], ...typed('12', 4, 'page'), ['Enter', 4]],
        ['AB12'],
      ],
    ),
    [
      'one scan although the focus moves meanwhile, even after a long gap',
      [
        ...typed('ABC', 4, 'page'),
        ['1', 300, 'field'],
        ...typed('23456789', 4, 'field'),
        ['Enter', 4, 'field'],
      ],
      ['ABC123456789'],
    ],
    [
      'the scan that follows typing into the same field',
      [
        ...typed('mar', 110, 'field'),
        ['A', 400, 'field'],
        ...typed('BC123', 4, 'field'),
        ['Enter', 4, 'field'],
      ],
      ['+ABC123'],
    ],
    ...['page', 'field'].map((place): [string, readonly Step[], readonly string[]] => [
      `the scan that follows a single key (${place})`,
      [['x', 0, place], ['A', 400, place], ...typed('BC123', 4, place), ['Enter', 4, place]],
      ['+ABC123'],
    ]),
    [
      'the short scan that follows a single key where no text is typed',
      [['x', 0], ['A', 200], ...typed('B12', 4, 'page'), ['Enter', 4]],
      ['+AB12'],
    ],
    [
      'the scan that follows slow keys where no text is typed',
      [...typed('xyz', 300, 'page'), ['A', 200], ...typed('B12', 4, 'page'), ['Enter', 4]],
      ['+AB12'],
    ],
    [
      'the whole of an announced scan that stumbles after its first character',
      [[']', 0], ['Q', 300], ...typed('1ABC123', 4, 'page'), ['Enter', 4]],
      [']Q1ABC123'],
    ],
    [
      'no scan in a single letter and a quick word in a field',
      [['m', 0, 'field'], ['a', 400, 'field'], ...typed('rta', 40, 'field'), ['Enter', 300, 'field']],
      [],
    ],
    [
      'no scan of five fast keys after typing',
      [
        ...typed('mar', 110, 'field'),
        ['A', 400, 'field'],
        ...typed('BC12', 4, 'field'),
        ['Enter', 4, 'field'],
      ],
      [],
    ],
    [
      'no scan in typing with a pause for thought',
      [
        ...typed('mar', 110, 'field'),
        ['t', 400, 'field'],
        ...typed('a weber', 90, 'field'),
        ['Enter', 90, 'field'],
      ],
      [],
    ],
    [
      'the whole of a scan that stumbles after some characters',
      [
        ...typed('ABC', 4, 'field'),
        ['1', 300, 'field'],
        ...typed('23456789', 4, 'field'),
        ['Enter', 4, 'field'],
      ],
      ['ABC123456789'],
    ],
  ]
  for (const [what, steps, scans] of sequences)
    it(`hears ${what}`, () => assert.deepEqual(scansOf(steps), scans))

  it('keeps a scan out of the buttons: its keys after the first and its end', () => {
    const key = (name: string, at: number): Key => ({
      key: name,
      code: '',
      shift: false,
      command: false,
      at,
      inField: false,
      place: null,
    })
    let burst = quiet
    const swallowed = ['A', ' ', 'B', 'C', 'Enter'].map((name, index) => {
      const one = hear(burst, key(name, 5000 + index * 3))
      burst = one.burst
      return one.swallow
    })
    assert.deepEqual(swallowed, [false, true, true, true, true])
  })

  it('lets the Enter of a person through', () => {
    const { swallow } = hear(quiet, {
      key: 'Enter',
      code: 'Enter',
      shift: false,
      command: false,
      at: 9000,
      inField: false,
      place: null,
    })
    assert.equal(swallow, false)
  })

  it('marks a scan with dead keys as garbled', () => {
    let burst = quiet
    for (const [index, key] of ['A', 'Dead', 'B', 'C'].entries())
      burst = hear(burst, {
        key,
        code: '',
        shift: false,
        command: false,
        at: 5000 + index,
        inField: false,
        place: null,
      }).burst
    assert.equal(burst.garbled, true)
    assert.equal(burst.characters, 'ABC')
  })

  it('bounds what it remembers', () => {
    let burst = quiet
    for (let index = 0; index < 5000; index++)
      burst = hear(burst, {
        key: 'A',
        code: 'KeyA',
        shift: true,
        command: false,
        at: 5000 + index,
        inField: false,
        place: null,
      }).burst
    assert.equal(burst.count, 4096)
  })
})

describe('keyboard layouts', () => {
  const table: readonly [string, boolean, string][] = [
    ['KeyZ', false, 'z'],
    ['KeyZ', true, 'Z'],
    ['Digit2', true, '@'],
    ['Numpad7', true, '7'],
    ['Minus', false, '-'],
    ['Slash', true, '?'],
    ['BracketRight', false, ']'],
    ['F5', false, ''],
  ]
  for (const [code, shift, character] of table)
    it(`reads ${shift ? 'Shift and ' : ''}${code} as “${character}”`, () =>
      assert.equal(usCharacter(code, shift), character))

  const german: WedgeScan = { characters: 'GATEHOUSE.zyZY_ß', positions: calibration, garbled: false }
  it('finds a scanner that types as this computer reads', () =>
    assert.equal(calibrated({ ...german, characters: calibration, positions: 'other' }), 'characters'))
  it('finds a scanner that types US keys on a German computer', () =>
    assert.equal(calibrated(german), 'positions'))
  it('knows the calibration code although it is beyond repair', () => {
    const scan = { characters: 'gatehouse-zyzy?ßß', positions: 'xx', garbled: true }
    assert.equal(calibrated(scan), null)
    assert.equal(calibrates(scan), true)
  })
  it('takes no ticket for the calibration code', () =>
    assert.equal(calibrates({ characters: 'GATE-5', positions: 'GATE-5', garbled: false }), false))
  it('takes the AIM identifier off the code', () =>
    assert.deepEqual(codeOf({ characters: ']Q1abc', positions: '', garbled: false }, 'characters'), {
      code: 'abc',
      symbology: ']Q1',
    }))
})
