import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOption } from '../../server/commands/options.ts'
import { secretOf } from '../../server/commands/secrets.ts'
import { temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse secrets')

describe('a secret of the environment', () => {
  const written = (text: string): string => {
    const file = join(folder(), 'secret')
    writeFileSync(file, text)
    return file
  }

  it('is what the variable says, or the file that another one names, without the end of its line', () => {
    assert.equal(secretOf('TOKEN', { TOKEN: 'plain' }), 'plain')
    assert.equal(secretOf('TOKEN', {}), undefined)
    assert.equal(secretOf('TOKEN', { TOKEN_FILE: written('from a file\n') }), 'from a file')
    assert.equal(secretOf('TOKEN', { TOKEN: '', TOKEN_FILE: written('x') }), 'x')
    assert.equal(secretOf('TOKEN', { TOKEN: 'plain', TOKEN_FILE: '' }), 'plain')
  })

  it('is refused with a sentence where the file is missing or empty, or both are set', () => {
    for (const [env, words] of [
      [{ TOKEN_FILE: join(folder(), 'none') }, /TOKEN_FILE names, cannot be read \(ENOENT\)/],
      [{ TOKEN_FILE: written(' \n') }, /is empty/],
      [{ TOKEN: 'a', TOKEN_FILE: written('b') }, /not both/],
    ] as const)
      assert.throws(() => secretOf('TOKEN', env), words)
  })
})

describe('the address of the database', () => {
  const withVariable = (address: string, read: () => string): string => {
    process.env.GATEHOUSE_DATABASE = address
    try {
      return read()
    } finally {
      delete process.env.GATEHOUSE_DATABASE
    }
  }
  const named = 'postgres://user:secret@host/name'

  it('comes from the environment where the command line names no data', () => {
    assert.equal(
      withVariable(named, () => addressOption({})),
      named,
    )
    assert.equal(
      withVariable(named, () => addressOption({ data: '/there' })),
      '/there',
    )
    assert.equal(
      withVariable(named, () => addressOption({ database: 'postgres://other/name' })),
      'postgres://other/name',
    )
  })

  it('is refused without being shown where it is none of PostgreSQL', () =>
    assert.throws(
      () => withVariable('secret', () => addressOption({})),
      /GATEHOUSE_DATABASE is not an address like postgres:/,
    ))
})
