import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { billOfMaterials } from '../../../main/package/bill-of-materials.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>
}

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 13)

describe('the bill of materials', () => {
  const { components } = billOfMaterials('.')
  const names = new Set(components.map(({ name }) => name))

  it('has everything that the server and the shells depend on, with checksums', () => {
    const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const needed = Object.entries(lock.packages).filter(([folder, { dev }]) => folder !== '' && !dev)
    assert.deepEqual(
      needed.map(([folder]) => nameOf(folder)).filter((name) => !names.has(name)),
      [],
    )
    assert.deepEqual(
      components.filter(({ hashes }) => hashes.length === 0).map(({ name }) => name),
      [],
    )
  })

  it('has what the screens are built with', () => {
    const imported = globSync('renderer/**/*.{ts,tsx}', {
      exclude: ['renderer/dist/**', 'renderer/*.config.ts'],
    })
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/ from '((?:@[^/']+\/)?[^./'][^/']*)[/']/g)])
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('node:'))
    assert.ok(imported.includes('preact'))
    assert.deepEqual(
      [...new Set(imported)].filter((name) => !names.has(name)),
      [],
    )
  })

  it('has nothing that only tests and builds', () =>
    assert.deepEqual(
      ['mocha', 'vite', 'electron-builder', 'typescript', '@biomejs/biome'].filter((name) => names.has(name)),
      [],
    ))

  it('is what npm packs', () =>
    assert.match(
      readFileSync('package.json', 'utf8'),
      /"prepack": ".* && node main\/package\/bill-of-materials\.ts > bill-of-materials\.json"/,
    ))
})
