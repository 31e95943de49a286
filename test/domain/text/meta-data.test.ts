import assert from 'node:assert/strict'
import {
  colorOf,
  type MetaData,
  type MetaProperty,
  metaProblems,
  missingMeta,
  withoutProtected,
} from '../../../server/domain/text/meta-data.ts'

const property = (name: string, more: Partial<MetaProperty> = {}): MetaProperty => ({
  name,
  default: '',
  required: false,
  protected: false,
  choices: null,
  ...more,
})

const properties = [
  property('genre'),
  property('size', { choices: [{ key: 'S' }, { key: 'L' }] }),
  property('budget', { protected: true }),
  property('area', { required: true }),
  property('kind', { required: true, default: 'usual' }),
]

describe('meta data', () => {
  const rows: readonly [string, MetaData, MetaData, number][] = [
    ['of known properties', { genre: 'folk', size: 'L' }, {}, 0],
    ['of unknown ones', { weight: '1', toString: 'x' }, {}, 2],
    ['that is not offered', { size: 'M' }, {}, 1],
    ['that is emptied', { size: '' }, { size: 'L' }, 0],
    ['that was there before it was narrowed', { size: 'M', genre: 'folk' }, { size: 'M' }, 0],
    ['of a property that is gone', { old: 'x', genre: 'folk' }, { old: 'x' }, 0],
    ['without a property that is gone', {}, { old: 'x' }, 0],
    ['that is protected', { budget: '5' }, {}, 0],
  ]
  for (const [what, values, before, count] of rows)
    it(`${what} has ${count} problems`, () =>
      assert.equal(metaProblems(values, before, properties).length, count))

  const changes: readonly [string, MetaData, MetaData, MetaData][] = [
    ['is left out', { budget: '5', genre: 'pop' }, {}, { genre: 'pop' }],
    ['stays when it is changed', { budget: '6' }, { budget: '5' }, { budget: '5' }],
    ['stays when it is taken away', { genre: 'pop' }, { budget: '5' }, { genre: 'pop', budget: '5' }],
  ]
  for (const [what, values, before, stored] of changes)
    it(`that is protected ${what} without the right to it`, () =>
      assert.deepEqual(withoutProtected(values, before, properties), stored))

  for (const [values, missing] of [
    [{}, ['area']],
    [{ area: 'North' }, []],
    [{ area: '', kind: '' }, ['area', 'kind']],
  ] as const)
    it(`${JSON.stringify(values)} lacks ${missing.join(' and ') || 'nothing'}`, () =>
      assert.deepEqual(missingMeta(values, properties), missing))
})

describe('the colour of a product', () => {
  const rows: readonly [string, string | null][] = [
    ['#1F6fd6', '#1f6fd6'],
    [' #fa0 ', '#ffaa00'],
    ['#12345', null],
    ['red', null],
    ['#fff;}', null],
    ['', null],
  ]
  for (const [said, color] of rows)
    it(`said as "${said}" is ${color}`, () => assert.equal(colorOf({ color: said }), color))

  it('is none where none is said', () => assert.equal(colorOf({ size: 'L' }), null))
})
