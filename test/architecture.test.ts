import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => /\.(ts|tsx|cts)$/.test(name) && !name.includes('node_modules') && !name.startsWith('dist'),
    )
    .map((name) => join(folder, name))

const sources = ['schema', 'server', 'main', 'renderer'].flatMap(sourcesBelow)

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const statement =
  /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(statement)].map(([, typeOnly, named, lazy]) => {
    const to = named ?? lazy ?? ''
    return {
      from: file,
      to: to.startsWith('.') ? relative(root, resolve(root, dirname(file), to)) : to,
      typeOnly: typeOnly !== undefined,
    }
  })

const isOurs = (to: string): boolean => /^(schema|server|main|renderer|test)\//.test(to)

/** Who may import what of ours. The first line that fits a file counts; a file may always import its own folder. */
const allowed: readonly [file: RegExp, targets: RegExp][] = [
  [/^schema\//, /^schema\//],
  [/^server\/domain\//, /^(schema|server\/domain)\//],
  [/^server\/storage\//, /^server\/storage\//],
  [/^server\/resource\//, /^(schema|server\/(resource|storage))\/|^server\/(errors|trace)\.ts$/],
  [/^server\/services\//, /^(schema|server\/(domain|resource|storage|services))\/|^server\/errors\.ts$/],
  [
    /^server\/(sync|jobs|exporters)\//,
    /^(schema|server\/(domain|resource|storage|services|sync|jobs|exporters|pages))\/|^server\/(errors|env|log|trace)\.ts$/,
  ],
  [/^server\/pages\//, /^(schema|server\/(domain|pages))\//],
  [
    /^server\/(http|routes)\//,
    /^(schema|server\/(domain|resource|storage|services|sync|jobs|exporters|http|pages|routes))\/|^server\/[\w-]+\.ts$/,
  ],
  [
    /^server\/station\//,
    /^(schema|server\/(domain|resource|storage|services|sync|jobs|exporters|http|pages|routes|station))\/|^server\/[\w-]+\.ts$/,
  ],
  [/^server\//, /^(schema|server)\//],
  [/^main\//, /^(schema|main)\//],
  [/^renderer\//, /^(schema|renderer)\/|^main\//],
]

/**
 * The rooms of a layer in their strict order: a file may import from the rooms before its own, never from one behind it.
 * What stands in the layer's own folder puts the rooms together and is imported by none of them.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'schema/resources': [
    'events',
    'catalogue',
    'layouts',
    'devices',
    'orders',
    'carts',
    'payments',
    'drawer',
    'media',
    'checkin',
    'notifications',
    'accounts',
  ],
  'server/domain': [
    'text',
    'questions',
    'rules',
    'checkin',
    'signed-tickets',
    'quotas',
    'pricing',
    'orders',
    'drawer',
    'terminals',
    'printers',
    'accounts',
    'notifications',
    'guest-list',
    'demo',
    'updates',
  ],
  'server/services': [
    'input',
    'events',
    'codes',
    'catalogue',
    'layouts',
    'devices',
    'quotas',
    'vouchers',
    'pricing',
    'orders',
    'media',
    'checkin',
    'notifications',
    'invoices',
    'accounts',
    'payments',
    'drawer',
    'printing',
    'carts',
    'event-setup',
    'order-actions',
    'bank-imports',
    'operations',
    'import',
    'organizer-move',
  ],
  'server/sync': ['clock', 'upstream', 'outbox', 'receive', 'feed', 'replica', 'renewal', 'node', 'updates'],
  'server/exporters': ['format', 'tickets', 'printing', 'receipts', 'invoices', 'tills', 'reports', 'run'],
  'server/routes': [
    'input',
    'events',
    'catalogue',
    'layouts',
    'operations',
    'devices',
    'quotas',
    'vouchers',
    'carts',
    'drawer',
    'payments',
    'orders',
    'media',
    'checkin',
    'notifications',
    'accounts',
    'sync',
  ],
  main: ['common', 'scanners', 'server', 'updates', 'electron', 'browser', 'package'],
  renderer: [
    'text',
    'api',
    'upstream',
    'scanning',
    'staff',
    'parts',
    'sign-in',
    'printing',
    'camera',
    'questions',
    'station',
    'statistics',
    'setup',
    'display',
    'box-office',
    'kiosk',
    'entrance',
  ],
}

/** As many files as a reader of a room can keep in view. */
const roomSize = 25

describe('the architecture', () => {
  it('keeps the rooms of a layer in their order', () => {
    const placeIn = (layer: string, file: string): number | undefined => {
      if (!file.startsWith(`${layer}/`)) return undefined
      const [room = '', inside] = file.slice(layer.length + 1).split('/')
      return inside === undefined ? Number.POSITIVE_INFINITY : (rooms[layer]?.indexOf(room) ?? -1)
    }
    const wrong = Object.keys(rooms).flatMap((layer) =>
      sources.flatMap(importsOf).filter(({ from, to }) => {
        const [own, other] = [placeIn(layer, from), placeIn(layer, to)]
        return own !== undefined && other !== undefined && other > own
      }),
    )
    assert.deepEqual(wrong, [])
    const unknown = sources.filter((file) => Object.keys(rooms).some((layer) => placeIn(layer, file) === -1))
    assert.deepEqual(unknown, [])
  })

  it('has no room with more files than a reader keeps in view', () => {
    const sizes = Map.groupBy([...sources, ...sourcesBelow('test')], dirname)
    const halls = [...sizes].filter(([, files]) => files.length > roomSize).map(([room]) => room)
    assert.deepEqual(halls, [])
  })

  it('lets nobody import what the table does not allow', () => {
    const wrong = sources.flatMap(importsOf).filter(({ from, to, typeOnly }) => {
      if (!isOurs(to)) return false
      const rule = allowed.find(([file]) => file.test(from))
      const typesOfMain = from.startsWith('renderer/') && to.startsWith('main/') && !typeOnly
      return typesOfMain || !rule?.[1].test(to)
    })
    assert.deepEqual(wrong, [])
    assert.ok(sources.length > 150, `only ${sources.length} sources were found`)
  })

  it('keeps the web framework to routes, HTTP and the application', () => {
    const wrong = sources
      .flatMap(importsOf)
      .filter(({ to }) => /^(koa|@koa\/)/.test(to))
      .filter(({ from, typeOnly }) => {
        const place = /^server\/(http|routes|station)\/|^server\/app\.ts$|^server\/resource\/routes\.ts$/
        return !place.test(from) && !(typeOnly && /^server\/resource\//.test(from))
      })
    assert.deepEqual(wrong, [])
  })

  it('keeps rows without a type to the engine', () => {
    const users = sourcesBelow('server').filter((file) =>
      /\bRowData\b/.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(
      users.filter((file) => !file.startsWith('server/resource/')),
      [],
    )
  })

  it('keeps Electron to the window files', () => {
    const users = sources
      .flatMap(importsOf)
      .filter(({ to, typeOnly }) => to === 'electron' && !typeOnly)
      .map(({ from }) => from)
    assert.ok(
      users.every((file) => file.startsWith('main/')),
      users.join(),
    )
  })

  it('reads the clock, chance, timers and the network in the environment alone', () => {
    const forbidden =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(Timeout|Interval)\b|(?<![.\w])fetch\(|\bperformance\.now\b/
    const wrong = sourcesBelow('server')
      .filter((file) => file !== 'server/env.ts')
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, index) => (forbidden.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
      )
    assert.deepEqual(wrong, [])
  })

  it('has no file that wants to be two', () => {
    const isTableOfTexts = (file: string): boolean => /^schema\/texts\/[a-z]{2}\.ts$/.test(file)
    const long = sources.filter(
      (file) => !isTableOfTexts(file) && readFileSync(join(root, file), 'utf8').split('\n').length > 260,
    )
    assert.deepEqual(long, [])
  })

  it('gives an exported name one home', () => {
    const declared =
      /^export (?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm
    const homes = sources.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(declared)].map(([, name]) => ({ name, file })),
    )
    // Overloads of a function are declared in the same file.
    const several = [...Map.groupBy(homes, ({ name }) => name)]
      .map(([name, all]) => [name, ...new Set(all.map(({ file }) => file))])
      .filter((one) => one.length > 2)
    assert.deepEqual(several, [])
  })

  it('passes on nothing that another file exports', () => {
    const passing = sources.filter((file) =>
      /^export\b[^;\n'"]*?\s(?:\*|\}) ?(?:as \w+ )?from\s/m.test(
        readFileSync(join(root, file), 'utf8').replaceAll(/\{[^{}]*\}/g, '{ }'),
      ),
    )
    assert.deepEqual(passing, [])
  })

  it('has no import in a circle between files', () => {
    const edges = new Map<string, string[]>()
    for (const file of sources)
      edges.set(
        file,
        importsOf(file)
          .filter((one) => isOurs(one.to))
          .map((one) => one.to),
      )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      if (done.has(file) || trail.includes(file)) return
      for (const next of edges.get(file) ?? []) visit(next, [...trail, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
    assert.deepEqual(circles, [])
  })

  it('has tests in every file of tests', () => {
    // A run with such a file ends with an error that names no test.
    const empty = sourcesBelow('test').filter(
      (file) => file.endsWith('.test.ts') && !/^\s*describe\(/m.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(empty, [])
  })

  it('leaves nothing open in the tree', () => {
    const words = new RegExp(
      ['TO', 'DO|FIX', 'ME|\\.skip\\(|\\.on', 'ly\\('].join('').replaceAll('DO|FIX', 'DO|FIX'),
    )
    const all = [...sources, ...sourcesBelow('test')].filter((file) => !file.endsWith('architecture.test.ts'))
    const wrong = all.filter((file) => words.test(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(wrong, [])
  })
})
