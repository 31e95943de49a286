const { existsSync } = require('node:fs')

const isFull = Boolean(process.env.GATEHOUSE_TEST_FULL)

const isInstalled = (program) =>
  ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(`${folder}/${program}`))

module.exports = {
  spec: ['test/**/*.test.ts'],
  ignore: [
    // What takes longest and is shown in smaller pieces elsewhere.
    ...(isFull ? [] : ['test/**/*.full.slow.test.ts']),
    // What asks a server that somebody else has started.
    ...(process.env.GATEHOUSE_TEST_POSTGRES ? [] : ['test/**/*.postgres.slow.test.ts']),
    // What mounts disks, which only root may.
    ...(process.getuid?.() === 0 ? [] : ['test/**/*.root.full.slow.test.ts']),
    // What builds images for containers, where there is what does.
    ...(['debootstrap', 'buildah', 'podman', 'runc'].every(isInstalled)
      ? []
      : ['test/**/*.container.full.slow.test.ts']),
    ...(process.env.GATEHOUSE_REFERENCE_URL ? [] : ['test/**/*.reference.slow.test.ts']),
  ],
  import: ['./test/support/mocha/compile-cache.ts', './test/support/mocha/register-fake-electron.ts'],
  require: [
    './test/support/mocha/chance.ts',
    './test/support/mocha/cheap-hashes.ts',
    './test/support/engines/server-postgres.ts',
    './test/support/mocha/route-status.ts',
    './test/browser/support/last-words.ts',
  ],
  reporter: './test/support/mocha/reporter.ts',
  parallel: true,
  jobs: 4,
  failZero: true,
  forbidOnly: true,
  timeout: 180_000,
}
