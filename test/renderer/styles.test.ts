import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../renderer', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => !name.startsWith('dist'),
)
const components = files.filter((name) => name.endsWith('.tsx'))
const sheets = files.filter((name) => name.endsWith('.module.css'))

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted()

describe('the styles of the screens', () => {
  it('name the classes that their component uses, and no others', () => {
    for (const sheet of sheets) {
      const component = join(root, sheet.replace('.module.css', '.tsx'))
      assert.ok(existsSync(component), `${sheet} stands beside no component`)
      const declared = found(readFileSync(join(root, sheet), 'utf8'), /\.([a-z]\w*)/gi)
      const used = found(readFileSync(component, 'utf8'), /\bstyle\.(\w+)/g)
      assert.deepEqual(used, declared, sheet)
    }
  })

  it('measure in rem and em, so that all of it grows with the letters', () => {
    const edge = /^\s*(border|outline|box-shadow|stroke|filter|transform|--line)[\w-]*:/
    for (const sheet of files.filter((name) => name.endsWith('.css')))
      for (const line of readFileSync(join(root, sheet), 'utf8').split('\n')) {
        const lengths = [...line.matchAll(/([\d.]+)px/g)].map(([, pixels]) => Number(pixels))
        const isQuery = /^@(media|container)/.test(line)
        const isEdge = edge.test(line) && !line.includes('radius')
        assert.ok(
          lengths.every((pixels) => !isQuery && (isEdge || pixels <= 2)),
          `${sheet}: ${line.trim()}`,
        )
      }
  })

  it('are the component’s own', () => {
    for (const name of components)
      for (const sheet of found(readFileSync(join(root, name), 'utf8'), /'([^']*\.module\.css)'/g))
        assert.equal(sheet, `./${name.split('/').at(-1)?.replace('.tsx', '.module.css')}`, name)
  })
})
