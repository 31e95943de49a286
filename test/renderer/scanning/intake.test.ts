import assert from 'node:assert/strict'
import type { Read } from '../../../renderer/scanning/entries.ts'
import { openIntake } from '../../../renderer/scanning/intake.ts'
import { calibration } from '../../../renderer/scanning/wedge.ts'
import { result } from '../samples.ts'

/** A browser's storage in memory. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  }
}

const scan = (characters: string, positions = characters) => ({ characters, positions, garbled: false })

describe('codes that come in', () => {
  function open(memory = storage()) {
    const reads: [string, string, Partial<Read>][] = []
    return {
      reads,
      intake: openIntake((code, source, more = {}) => reads.push([code, source, more]), memory),
      memory,
    }
  }

  it('are scans by keyboard, as the keyboard layout reads them', () => {
    const { intake, reads } = open()
    intake.fromKeys(scan('abz1', 'aby1'))
    assert.deepEqual(reads, [['abz1', 'keyboard', {}]])
  })
  it('are read by position once the check code has shown that this is right, also after a new start', () => {
    const first = open()
    first.intake.fromKeys(scan('GATEHOUSE.zyZY_ß', calibration))
    assert.equal(first.intake.check.value, 'corrected')
    const { intake, reads } = open(first.memory)
    intake.fromKeys(scan('abz1', 'aby1'))
    assert.deepEqual([first.reads.length, reads], [0, [['aby1', 'keyboard', {}]]])
  })
  it('are read by character again after a scanner that needs no correction', () => {
    const { intake, reads } = open()
    intake.fromKeys(scan('other', calibration))
    intake.fromKeys(scan(calibration, 'other'))
    intake.fromKeys(scan('abz1', 'aby1'))
    assert.equal(intake.check.value, 'good')
    assert.equal(reads[0]?.[0], 'abz1')
  })
  it('tell when a scanner cannot be put right', () => {
    const { intake, reads } = open()
    intake.fromKeys(scan('gatehouse????????', 'x'))
    assert.deepEqual([intake.check.value, reads.length], ['bad', 0])
  })
  it('are marked when keys made no character', () => {
    const { intake, reads } = open()
    intake.fromKeys({ ...scan('abc1'), garbled: true })
    assert.deepEqual(reads[0]?.[2], { garbled: true })
  })
  it('are scans by camera, with their symbology', () => {
    const { intake, reads } = open()
    intake.fromCamera({ text: 'abc', symbology: ']Q1' })
    assert.deepEqual(reads, [['abc', 'camera', { symbology: ']Q1' }]])
  })
  it('are no scans when camera or scanner see the check code', () => {
    const { intake, reads } = open()
    intake.fromCamera({ text: calibration, symbology: ']Q1' })
    assert.equal(intake.isCheck(result({ code: calibration })), true)
    assert.equal(intake.isCheck(result({ code: 'abc' })), false)
    assert.equal(reads.length, 0)
  })
})
