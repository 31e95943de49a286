import assert from 'node:assert/strict'
import { cleanCode } from '../../../server/domain/text/storable.ts'
import { readNumber, readPlainNumber } from '../../../server/domain/text/typed-numbers.ts'
import { readDate, readDateTime, readTime } from '../../../server/domain/text/typed-times.ts'

type Rows = readonly (readonly [typed: string, expected: string | undefined])[]

function reads(what: string, rows: Rows, read: (typed: string) => string | undefined) {
  describe(`${what} as users type it`, () => {
    for (const [typed, expected] of rows) {
      it(`reads ${JSON.stringify(typed)} as ${expected}`, () => assert.equal(read(typed), expected))
    }
  })
}

const times: Rows = [
  ['14:05', '14:05:00'],
  ['9:05', '09:05:00'],
  [' 09.05 ', '09:05:00'],
  ['0905', '09:05:00'],
  ['21:05:30', '21:05:30'],
  ['21:05:30.25', '21:05:30'],
  ['9:05 pm', '21:05:00'],
  ['9:05PM', '21:05:00'],
  ['1 pm', '13:00:00'],
  ['12 am', '00:00:00'],
  ['12:30 p.m.', '12:30:00'],
  ['9 Uhr', '09:00:00'],
  ['9.30 Uhr', '09:30:00'],
  ['0:00', '00:00:00'],
  ['23:59:59', '23:59:59'],
  ['24:00', undefined],
  ['10:60', undefined],
  ['10:00:60', undefined],
  ['13 pm', undefined],
  ['0 am', undefined],
  ['14', undefined],
  ['2560', undefined],
  ['10:5', undefined],
  ['noon', undefined],
  ['', undefined],
]
reads('a time of day', times, readTime)

const dates: Rows = [
  ['2027-02-28', '2027-02-28'],
  ['2027-2-8', '2027-02-08'],
  ['2027/02/28', '2027-02-28'],
  ['20270228', '2027-02-28'],
  ['28.02.2027', '2027-02-28'],
  ['1.2.2027', '2027-02-01'],
  ['1. 2. 2027', '2027-02-01'],
  ['1.2.27', '2027-02-01'],
  ['1.2.84', '1984-02-01'],
  ['1.2.70', '1970-02-01'],
  ['1.2.69', '2069-02-01'],
  ['2/1/2027', '2027-02-01'],
  ['28/2/2027', '2027-02-28'],
  ['2.28.2027', '2027-02-28'],
  ['2027-02-28T10:00:00Z', '2027-02-28'],
  ['2027-02-28 10:00', '2027-02-28'],
  ['0800-01-02', '0800-01-02'],
  ['2017-02-29', undefined],
  ['29.2.2017', undefined],
  ['2027-13-01', undefined],
  ['31/31/2027', undefined],
  ['2027-02/28', undefined],
  ['28-2.2027', undefined],
  ['0000-01-01', undefined],
  ['1.2.202', undefined],
  ['tomorrow', undefined],
  ['', undefined],
]
reads('a date', dates, readDate)

const dateTimes: Rows = [
  ['2027-02-28T14:05', '2027-02-28T14:05:00'],
  ['2027-02-28 14:05:30', '2027-02-28T14:05:30'],
  ['28.2.2027, 14:05 Uhr', '2027-02-28T14:05:00'],
  ['2/28/2027 2:05 pm', '2027-02-28T14:05:00'],
  ['2027-02-28', '2027-02-28T00:00:00'],
  ['2027-02-29T14:05', undefined],
  ['2027-02-28T25:00', undefined],
  ['14:05', undefined],
  ['', undefined],
]
reads('a date with a time', dateTimes, readDateTime)

const numbers: Rows = [
  ['2.56', '2.56'],
  ['12', '12'],
  ['0', '0'],
  ['-0.5', '-0.5'],
  ['-.5', '-0.5'],
  ['+7', '7'],
  ['007.50', '7.50'],
  ['3.', '3'],
  ['-0.0', '0.0'],
  ['2,56', '2.56'],
  ['1 234,5', '1234.5'],
  ["1'234.5", '1234.5'],
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  ['1,234,567', '1234567'],
  ['1.234.567', '1234567'],
  ['1.234', '1.234'],
  ['1,23,4', undefined],
  ['1,234,56', undefined],
  ['1,234.5.6', undefined],
  ['12,34.5', undefined],
  ['abc', undefined],
  ['1e5', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['--1', undefined],
  ['1-2', undefined],
  [',', undefined],
  ['.', undefined],
  ['', undefined],
]
reads('a number', numbers, (typed) => readNumber(typed, 'de'))

describe('a number with one comma', () => {
  it('is in thousands in English when three digits follow, and else decimal', () => {
    assert.equal(readNumber('1,234', 'en'), '1234')
    assert.equal(readNumber('1,234', 'en-GB'), '1234')
    assert.equal(readNumber('1,23', 'en'), '1.23')
    assert.equal(readNumber('0,234', 'en'), '0.234')
    assert.equal(readNumber('1,234', 'de'), '1.234')
  })
})

describe('a number as machines write it', () => {
  it('has a point and no other separators', () => {
    assert.equal(readPlainNumber('-12.50'), '-12.50')
    for (const text of ['1,5', '1 000', ' 1', '1.2.3', '']) assert.equal(readPlainNumber(text), undefined)
  })
})

describe('a code as a scanner sends it', () => {
  const codes: readonly (readonly [scanned: string, expected: string])[] = [
    ['abc', 'abc'],
    ['\\000001abc', 'abc'],
    ['\\000003abc', 'abc'],
    ['\\000026\\000027abc', 'abc'],
    ['\\000002abc', '\\000002abc'],
    ['abc\\000026', 'abc\\000026'],
    ['a\u001Db\nc', 'a\uFFFDb\uFFFDc'],
    ['a\u200Bb', 'a\uFFFDb'],
    ['a b+/=äß😀', 'a b+/=äß😀'],
    ['', ''],
  ]
  for (const [scanned, expected] of codes) {
    it(`is ${JSON.stringify(expected)} for ${JSON.stringify(scanned)}`, () => {
      assert.equal(cleanCode(scanned), expected)
    })
  }
})
