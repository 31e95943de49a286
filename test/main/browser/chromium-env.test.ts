import assert from 'node:assert/strict'
import { chromiumEnv } from '../../../main/browser/chromium.ts'

describe('the environment of Chromium', () => {
  const env = { HOME: '/home/door', LANG: 'de_DE.UTF-8' }

  it('has a locale that knows the letters of its folder', () => {
    assert.deepEqual(chromiumEnv('linux', env, '/home/Tür/browser'), {
      ...env,
      LANGUAGE: 'de_DE.UTF-8',
      LC_ALL: 'C.UTF-8',
    })
    assert.deepEqual(chromiumEnv('linux', { LC_ALL: 'C' }, '/ü'), { LANGUAGE: 'C', LC_ALL: 'C.UTF-8' })
    assert.deepEqual(chromiumEnv('linux', {}, '/ü'), { LC_ALL: 'C.UTF-8' })
  })

  it('is the station’s own where any locale does', () => {
    assert.equal(chromiumEnv('linux', env, '/home/door/browser'), env)
    assert.equal(chromiumEnv('win32', env, 'C:\\Users\\Tür'), env)
  })
})
