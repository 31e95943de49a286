import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_MAX_VERSION, DEFAULT_MIN_VERSION } from 'node:tls'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|cts|mjs|html)$/.test(name) && !/node_modules|^dist/.test(name))
    .map((name) => join(folder, name))
    .sort()

const server = sourcesBelow('server')
const all = [...server, ...['schema', 'main', 'renderer'].flatMap(sourcesBelow)]

/** The lines of files in which something stands, with their files. */
const linesWith = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line) => (pattern.test(line) ? [`${file}: ${line.trim()}`] : [])),
  )

/** What stands in the first group of a pattern, each once, sorted. */
const named = (files: readonly string[], pattern: RegExp): string[] => [
  ...new Set(files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, name]) => String(name)))),
]

describe('the sources, as far as safety can be read in them', () => {
  it('are all looked at', () => {
    assert.ok(server.length > 300 && all.length > 450, `${server.length} of ${all.length}`)
  })

  it('make no program of texts', () => {
    assert.deepEqual(linesWith(all, /(?<![\w.])eval\(|new Function\(|node:vm|setTimeout\(\s*['"`]/), [])
  })

  it('start other programs in the shell of a station, to make packages, to tell systemd and to print, by a list of arguments', () => {
    const telling = 'server/commands/systemd.ts'
    const printing = 'server/station/printing/transports/run-program.ts'
    assert.deepEqual(linesWith(server, /node:child_process|node:cluster/), [
      `${telling}: import { spawn } from 'node:child_process'`,
      `${printing}: import { spawn } from 'node:child_process'`,
    ])
    assert.deepEqual(linesWith([printing], /\bspawn\(/), [
      `${printing}: const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })`,
    ])
    assert.deepEqual(linesWith([telling], /\bspawn\(/), [
      `${telling}: const child = spawn('systemd-notify', [word], { stdio: 'ignore' })`,
    ])
    const users = linesWith(all, /from 'node:child_process'/)
    assert.deepEqual(
      users.filter(
        (line) =>
          !line.startsWith(telling) &&
          !line.startsWith(printing) &&
          !/^main\/(?:[\w-]+\/)?[\w-]+\.m?[tj]s: import \{( type \w+,)? spawn \} from/.test(line) &&
          !/^main\/package\/[\w-]+\.ts: import \{ execFileSync \} from/.test(line),
      ),
      [],
    )
    assert.ok(users.length > 0)
    assert.deepEqual(linesWith(all, /\bshell: true|\bexecSync\(|\bexecFile\(/), [])
  })

  it('put no values into the text of statements', () => {
    // A statement is written behind the tag that makes parameters of what stands in it.
    const untagged = /(?<!sql)(?<!>)`\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\b[^`]*\$\{/g
    const found = server.filter((file) => read(file).search(untagged) >= 0)
    // These put names of ours together, of tables that only one engine has.
    const known = ['server/storage/search.ts', 'server/storage/sqlite-search.ts']
    assert.deepEqual(
      found.filter((file) => !known.includes(file)),
      [],
    )
    assert.deepEqual(linesWith(server, /['"]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*['"]\s*\+/), [])
  })

  it('make regular expressions of words of ours alone', () => {
    // One escapes the slugs of events, and none of the others puts anything into one that somebody has sent; look at more
    // before they are listed.
    const users = server.filter((file) => /new RegExp\(/.test(read(file)))
    assert.deepEqual(users, [
      'server/domain/guest-list/rows.ts',
      'server/domain/orders/bank-references.ts',
      'server/exporters/format/csv-file.ts',
      'server/exporters/tickets/text-writer.ts',
      'server/exporters/tickets/ticket-sheet-png.ts',
      'server/http/forward.ts',
      'server/http/profiles.ts',
      'server/station/staff-acts.ts',
    ])
  })

  it('use no cryptography but what is listed in docs/security.md', () => {
    const imported = named(all, /import \{([^}]*)\} from 'node:crypto'/g)
      .flatMap((names) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => !name.startsWith('type '))
    assert.deepEqual(
      [...new Set(imported)].toSorted(),
      [
        ...['createCipheriv', 'createDecipheriv', 'createHash', 'createHmac', 'createPrivateKey'],
        ...[
          'createPublicKey',
          'generateKeyPairSync',
          'hash',
          'randomBytes',
          'randomInt',
          'randomUUID',
          'scrypt',
          'sign',
        ],
        ...['timingSafeEqual', 'verify'],
      ].toSorted(),
    )
    assert.deepEqual(named(all, /\bcreate(?:Cipher|Decipher)iv\('([^']+)'/g), ['aes-256-gcm'])
    assert.deepEqual(named(all, /\b(?:hash|createHash|createHmac)\('([^']+)'/g), ['sha256', 'sha1'])
    assert.deepEqual(
      linesWith(all, /'sha1'/).map((line) => line.replace(/:.*/, '')),
      ['server/services/bank-imports/bank-imports.ts'],
    )
    // Ed25519 takes no name of a hash.
    assert.deepEqual(linesWith(all, /\b(sign|verify)\('/), [])
    const words = read('docs/security.md')
    for (const algorithm of ['scrypt', 'SHA-256', 'HMAC-SHA256', 'Ed25519', 'AES-256-GCM', 'TOTP'])
      assert.ok(words.includes(algorithm), algorithm)
  })

  it('take chance from the operating system where it has to be guessed by nobody', () => {
    assert.deepEqual(linesWith(server, /Math\.random/), [])
    const env = read('server/env.ts')
    assert.match(env, /randomBytes: takeRandomBytes,/)
    assert.match(env, /import \{ randomBytes, randomUUID \} from 'node:crypto'/)
    assert.match(env, /\n {4}portion = randomBytes\(portionSize\)\n/)
  })

  it('speak TLS 1.2 and 1.3 only, and believe no certificate that is not good', () => {
    assert.deepEqual([DEFAULT_MIN_VERSION, DEFAULT_MAX_VERSION], ['TLSv1.2', 'TLSv1.3'])
    const loosened =
      /rejectUnauthorized|NODE_TLS_REJECT|minVersion|secureProtocol|checkServerIdentity|ignoreTLS|ciphers:/
    assert.deepEqual(linesWith(all, loosened), [])
  })

  it('write no HTML into a page but as text', () => {
    const raw = /innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|srcdoc/
    assert.deepEqual(linesWith([...sourcesBelow('renderer'), ...sourcesBelow('main')], raw), [])
    const own = linesWith(
      server.filter((file) => file !== 'server/pages/html.ts'),
      /new Html\(/,
    )
    assert.deepEqual(own, [])
  })

  it('take no messages of other windows', () => {
    assert.deepEqual(
      linesWith(sourcesBelow('renderer'), /window\.on?message|addEventListener\('message'/),
      [],
    )
  })

  it('load nothing from elsewhere into a page', () => {
    const foreign = /(src|href|url|import)\s*[=(]\s*\(?['"]?(https?:)?\/\//
    assert.deepEqual(linesWith(sourcesBelow('renderer'), foreign), [])
  })

  it('hold no secret', () => {
    const secrets =
      /-----BEGIN [A-Z ]*PRIVATE KEY|gatehouse_team_[a-z0-9]{20}|whsec_[A-Za-z0-9+/]{20}|password\s*[:=]\s*'[^'{}$]{6,}'/
    const found = linesWith(all, secrets).filter((line) => !/^server\/pages\/words-/.test(line))
    assert.deepEqual(found, [])
  })
})
