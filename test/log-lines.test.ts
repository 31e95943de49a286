import assert from 'node:assert/strict'
import { openLog } from '../server/log.ts'

describe('lines of the log', () => {
  it('are lost where they are not taken, and nothing else is', () => {
    let tried = 0
    const log = openLog('info', {
      write() {
        tried += 1
        throw new Error('ENOSPC')
      },
    })
    log.info('scan')
    log.error('failed', { why: 'x' })
    assert.equal(tried, 2)
  })

  it('cannot be made up by what strangers send', () => {
    const forged = 'x\n{"level":30,"event":"ready"}\r\n\u2028\u001b[2K"}'
    let text = ''
    const log = openLog('info', {
      write(part: string) {
        text += part
      },
    })
    log.error('failed', { path: forged, [forged]: 1 })
    log.info('stopped')
    const lines = text.split('\n').filter((line) => line !== '')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).event),
      ['failed', 'stopped'],
    )
    assert.equal(JSON.parse(lines[0] ?? '').path, forged)
    assert.ok(!text.includes('\u001b') && !text.includes('\r'))
  })
})
