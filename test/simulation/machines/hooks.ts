import { type LoadFnOutput, registerHooks } from 'node:module'

/**
 * A change to a source file that a run is to find out: the text that stands there once, and what stands there instead.
 */
export interface Patch {
  readonly file: string
  readonly find: string
  readonly replace: string
  /** What goes with it, where two places guard against the same. */
  readonly also?: Patch
}

/** The address of a module of ours that exports by default what another one exports by a name. */
const asDefault = (name: string, module: string): string =>
  `data:text/javascript,export { ${name} as default } from '${new URL(module, import.meta.url).href}'`

/** What the server's modules get in place of what would touch the machine. */
const standIns: readonly (readonly [specifier: string, parent: RegExp, module: string])[] = [
  ['better-sqlite3', /\/server\/storage\/sqlite\.ts$/, asDefault('SimulatedSqlite', './disk-driver.ts')],
  ['node:http', /\/server\/serve\.ts$/, './stand-in-http.ts'],
  ['node:zlib', /\/server\//, './stand-in-zlib.ts'],
  ['node:fs/promises', /\/server\//, './stand-in-files.ts'],
  ['path-to-regexp', /\/@koa\/router\//, './stand-in-paths.ts'],
]

/** Sizes that are small in a run, so that what happens at the border of two pages or portions happens. */
export const smallSizes: readonly Patch[] = [
  { file: 'server/sync/replica/pull.ts', find: 'const mostRows = 2000', replace: 'const mostRows = 8' },
  { file: 'server/sync/replica/pull.ts', find: 'const fewestRows = 100', replace: 'const fewestRows = 2' },
  { file: 'server/sync/replica/pull.ts', find: '#limit = 500', replace: '#limit = 3' },
  { file: 'server/sync/renewal/renewal.ts', find: 'wait=0&limit=2000', replace: 'wait=0&limit=4' },
  {
    file: 'server/sync/receive/applier.ts',
    find: 'const perTransaction = 10',
    replace: 'const perTransaction = 3',
  },
  { file: 'server/sync/renewal/swap.ts', find: 'const perStep = 200', replace: 'const perStep = 5' },
]

const project = new URL('../../../', import.meta.url).href

/**
 * Has the server's modules, loaded from now on, use stand-ins for disk and threads, and small sizes; and one of them,
 * changed by a patch.
 * Throws where the patch does not fit the file exactly once.
 */
export function loadServerWith(patch?: Patch): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = standIns.find(
        ([name, parent]) => name === specifier && parent.test(context.parentURL ?? ''),
      )
      return found ? next(new URL(found[2], import.meta.url).href, context) : next(specifier, context)
    },
    load(url, context, next) {
      const planted = patch ? [patch, ...(patch.also ? [patch.also] : [])] : []
      const patches = [...smallSizes, ...planted].filter(({ file }) => url === project + file)
      return patches.reduce(patched, next(url, context))
    },
  })
}

function patched(loaded: LoadFnOutput, { file, find, replace }: Patch): LoadFnOutput {
  const text = Buffer.from(loaded.source as Uint8Array).toString()
  const pieces = text.split(find)
  if (pieces.length !== 2) throw new Error(`"${find}" is ${pieces.length - 1} times in ${file}, not once.`)
  return { ...loaded, source: pieces.join(replace) }
}
