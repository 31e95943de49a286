import assert from 'node:assert/strict'
import { dataFailure, listenFailure, sentence } from '../../server/commands/failures.ts'
import { impossible, invalid, Refusal } from '../../server/errors.ts'
import { StorageError } from '../../server/storage/database.ts'

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error('inside'), { code, ...more })

const folder = '/srv/gate house'
const server = 'postgres://gate:secret@db.example.org:5433/gate'

describe('what a command says when it fails', () => {
  const cases: readonly (readonly [cause: unknown, address: string, words: RegExp])[] = [
    [
      coded('EACCES'),
      folder,
      /^The data folder \/srv\/gate house cannot be used: you have no right to it\. .*--data/,
    ],
    [coded('EROFS'), folder, /a disk that cannot be written to\. Choose another/],
    [coded('ENOSPC'), folder, /^The disk of the data folder .* is full\. Make room/],
    [new StorageError('full', coded('SQLITE_FULL')), folder, /is full\. Make room/],
    [coded('SQLITE_NOTADB'), folder, /gatehouse\.sqlite is not a database\. Move it away/],
    [coded('SQLITE_CORRUPT_VTAB'), folder, /is damaged\. .* put a backup in its place/],
    [coded('SQLITE_READONLY_DBMOVED'), folder, /cannot be opened and written to\. Look at the rights/],
    [coded('SQLITE_IOERR_FSYNC'), folder, /does not work as it should\. Try another disk/],
    [
      new StorageError('busy', coded('SQLITE_BUSY_SNAPSHOT')),
      folder,
      /in use by another program .* Try again/,
    ],
    [coded('SQLITE_NOTADBASE'), folder, /^inside$/],
    [
      coded('ECONNREFUSED'),
      server,
      /^The database server at db\.example\.org:5433 cannot be used: nothing answers/,
    ],
    [coded('28P01'), server, /the user or the password is wrong/],
    [new StorageError('full', coded('53100')), server, /its disk is full\. Make room there/],
    [coded('3D000'), server, /has no such database\. Make it with createdb/],
    [
      new StorageError('busy', coded('55P03')),
      server,
      /^Somebody else is changing the same data\. Try again/,
    ],
    [impossible('There is no event "x".'), folder, /^There is no event "x"\.$/],
    [new Error('something else'), folder, /^something else$/],
    ['only a text', folder, /^only a text$/],
  ]
  for (const [cause, address, words] of cases)
    it(`is ${words} for ${cause instanceof Error ? `${cause.message} ${'code' in cause ? cause.code : ''}` : cause}`, () => {
      const said = sentence(dataFailure(cause, address))
      assert.match(said, words)
      assert.doesNotMatch(said, /secret/)
    })

  it('names the fields that are wrong', () => {
    assert.equal(
      sentence(invalid({ gate: ['No such gate.'], name: ['Too long.'] })),
      'gate: No such gate. name: Too long.',
    )
    assert.equal(sentence(invalid({ non_field_errors: ['One.', 'Two.'] })), 'One. Two.')
    assert.equal(sentence(invalid(['Plain.'])), 'Plain.')
  })

  it('takes several failures together where they have no common words', () => {
    assert.equal(sentence(new AggregateError([new Error('one'), new Error('two')])), 'one two')
  })

  const listening: readonly (readonly [cause: unknown, words: RegExp])[] = [
    [coded('EADDRINUSE', { syscall: 'listen', port: 8000 }), /^Port 8000 is in use already/],
    [coded('EACCES', { syscall: 'listen', port: 80 }), /no right to use port 80\. Choose one above 1023/],
    [coded('EADDRNOTAVAIL', { syscall: 'listen', address: '10.9.9.9' }), /not have the address 10\.9\.9\.9/],
    [coded('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'nowhere' }), /not have the address nowhere/],
  ]
  for (const [cause, words] of listening)
    it(`is ${words} when a server cannot listen`, () => {
      const refusal = listenFailure(cause)
      assert.ok(refusal instanceof Refusal)
      assert.match(sentence(refusal), words)
    })

  it('leaves a failure that has nothing to do with listening to others', () => {
    assert.equal(listenFailure(coded('EACCES', { syscall: 'mkdir' })), undefined)
    assert.equal(listenFailure(coded('EMFILE', { syscall: 'listen' })), undefined)
  })
})
