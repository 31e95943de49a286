#!/usr/bin/env node
// Does what electron-builder asks fpm to do for a deb, by Debian's own dpkg-deb: fpm is not in Debian, and cannot be
// fetched where there is no way to GitHub.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const options = new Map()
const depends = []
const mappings = []
const args = process.argv.slice(2)
while (args.length > 0) {
  const arg = args.shift()
  if (arg === '-d' || arg === '--depends') depends.push(args.shift())
  else if (arg === '--force' || arg === '--debug') continue
  else if (arg.startsWith('-')) options.set(arg, args.shift())
  else mappings.push(arg.split('='))
}

const stage = mkdtempSync(join(tmpdir(), 'gatehouse-deb-'))
for (const [from, to] of mappings) {
  const target = join(stage, to)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(from, target, { recursive: true, verbatimSymlinks: true })
}
mkdirSync(join(stage, 'DEBIAN'))
chmodSync(stage, 0o755)
const field = (name) => options.get(`--${name}`)
const [synopsis, ...description] = field('description').split('\n')
const control = [
  `Package: ${field('name')}`,
  `Version: ${field('version')}`,
  `Architecture: ${field('architecture')}`,
  `Maintainer: ${field('maintainer')}`,
  `Depends: ${depends.join(', ')}`,
  `Description: ${synopsis}`,
  ...description.map((line) => ` ${line.trim()}`),
]
writeFileSync(join(stage, 'DEBIAN', 'control'), `${control.join('\n')}\n`)
cpSync(field('after-install'), join(stage, 'DEBIAN', 'postinst'))
cpSync(field('after-remove'), join(stage, 'DEBIAN', 'postrm'))
execFileSync('chmod', ['755', join(stage, 'DEBIAN', 'postinst'), join(stage, 'DEBIAN', 'postrm')])
execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z1', '--build', stage, field('package')])
rmSync(stage, { recursive: true })
