import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The image that the Dockerfile begins with. */
const baseImage = 'docker.io/library/node:24-bookworm-slim'

const certificates = 'etc/ssl/certs/ca-certificates.crt'

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** Where npm is, as the modules of Node that a machine has for all. */
const npmFolder = (): string => dirname(dirname(run('readlink', ['-f', run('which', ['npm'])])))

/** Puts Node and npm of this machine where the image of Node has them, with whom npm trusts here. */
function addNode(root: string): void {
  const modules = join(root, 'usr/local/lib/node_modules')
  const programs = join(root, 'usr/local/bin')
  mkdirSync(modules, { recursive: true })
  cpSync(npmFolder(), join(modules, 'npm'), { recursive: true })
  copyFileSync(process.execPath, join(programs, 'node'))
  writeFileSync(
    join(programs, 'npm'),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
  )
  for (const name of ['node', 'npm']) chmodSync(join(programs, name), 0o755)
  mkdirSync(dirname(join(root, certificates)), { recursive: true })
  copyFileSync(`/${certificates}`, join(root, certificates))
}

/**
 * Makes a stand-in for the image that the Dockerfile begins with, which registries of images have: the same Debian without
 * its extras, and the Node that runs the tests.
 */
export function makeBaseImage(): void {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-base-'))
  const root = join(folder, 'root')
  try {
    run('debootstrap', ['--variant=minbase', 'bookworm', root])
    addNode(root)
    const container = run('buildah', ['from', 'scratch'])
    run('sh', ['-c', 'tar -C "$1" -c . | tar -x -C "$2"', 'sh', root, run('buildah', ['mount', container])])
    run('buildah', ['config', '--env', `NODE_EXTRA_CA_CERTS=/${certificates}`, container])
    run('buildah', ['commit', '--quiet', container, baseImage])
    run('buildah', ['rm', container])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
