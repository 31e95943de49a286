import { execFileSync } from 'node:child_process'

/** What the built screens hold of libraries; what these depend on belongs to it. */
export const screenLibraries: readonly string[] = ['preact', '@preact/signals', 'zxing-wasm']

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly hashes: readonly object[]
  readonly properties: readonly { readonly name: string; readonly value: string }[]
}

/** What a program is made of, as CycloneDX says it. */
export interface BillOfMaterials {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** `npm sbom --omit=dev` leaves out what tools need as well, such as ajv, so everything is asked for and sorted here. */
const everything = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']

const isTool = ({ properties }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')

/**
 * The libraries that the server, the shells and the screens are made of, with the checksums that the lock in a folder
 * has of them.
 */
export function billOfMaterials(folder: string): BillOfMaterials {
  const printed = execFileSync('npm', everything, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // On Windows npm is a script of the shell.
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const bill: BillOfMaterials = JSON.parse(printed)
  const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const parts = new Set<string>()
  const add = (ref: string): void => {
    if (parts.has(ref)) return
    parts.add(ref)
    for (const needed of needs.get(ref) ?? []) add(needed)
  }
  for (const component of bill.components)
    if (!isTool(component) || screenLibraries.includes(component.name)) add(component['bom-ref'])
  return {
    ...bill,
    components: bill.components.filter((component) => parts.has(component['bom-ref'])),
    dependencies: bill.dependencies.map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((needed) => parts.has(needed)),
    })),
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(billOfMaterials('.'), null, 2)}\n`)
