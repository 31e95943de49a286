import assert from 'node:assert/strict'
import { inkOn } from '../../../renderer/parts/ink.ts'

describe('the ink on a colour', () => {
  const rows: readonly [string, string][] = [
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
    ['#f2d21b', '#000000'],
    ['#7b2fb0', '#ffffff'],
    ['#0000ff', '#ffffff'],
    ['#00ff00', '#000000'],
    ['#757575', '#ffffff'],
    ['#777777', '#000000'],
  ]
  for (const [color, ink] of rows) it(`${color} is ${ink}`, () => assert.equal(inkOn(color), ink))
})
