import assert from 'node:assert/strict'
import {
  type MetaData,
  type MetaProperty,
  metaProblems,
  missingMeta,
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
  const rows: readonly [string, MetaData, MetaData, boolean, number][] = [
    ['of known properties', { genre: 'folk', size: 'L' }, {}, false, 0],
    ['of unknown ones', { weight: '1', toString: 'x' }, {}, true, 2],
    ['that is not offered', { size: 'M' }, {}, true, 1],
    ['that is emptied', { size: '' }, { size: 'L' }, true, 0],
    ['that was there before it was narrowed', { size: 'M', genre: 'folk' }, { size: 'M' }, true, 0],
    ['of a property that is gone', { old: 'x', genre: 'folk' }, { old: 'x' }, true, 0],
    ['without a property that is gone', {}, { old: 'x' }, false, 0],
    ['that is protected, by somebody who may', { budget: '5' }, {}, true, 0],
    ['that is protected, by somebody who may not', { budget: '5' }, {}, false, 1],
    ['that is protected and taken away', {}, { budget: '5' }, false, 1],
    ['that is protected and stays', { budget: '5', genre: 'pop' }, { budget: '5' }, false, 0],
  ]
  for (const [what, values, before, may, count] of rows)
    it(`${what} has ${count} problems`, () =>
      assert.equal(metaProblems(values, before, properties, may).length, count))

  for (const [values, missing] of [
    [{}, ['area']],
    [{ area: 'North' }, []],
    [{ area: '', kind: '' }, ['area', 'kind']],
  ] as const)
    it(`${JSON.stringify(values)} lacks ${missing.join(' and ') || 'nothing'}`, () =>
      assert.deepEqual(missingMeta(values, properties), missing))
})
