import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const part = /^say "npm audit"$.*?^fi$/ms.exec(readFileSync('.ci/run', 'utf8'))?.[0] ?? ''

/** What the check of dependencies counts where npm says that. */
function counted(report: object, status: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'))
  try {
    writeFileSync(join(folder, 'report'), JSON.stringify(report, null, 2))
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat ${folder}/report\nexit ${status}\n`, { mode: 0o755 })
    const script = `set -u -o pipefail; say() { :; }; work=${folder}; passed=0; failed=0\n${part}\necho "$passed $failed"`
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env })
    return stdout.trim().split('\n').at(-1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the check of dependencies', () => {
  it('fails for a weakness that is known', () =>
    assert.equal(counted({ auditReportVersion: 2, vulnerabilities: { koa: {} } }, 1), '0 1'))
  it('passes where none is known', () =>
    assert.equal(counted({ auditReportVersion: 2, vulnerabilities: {} }, 0), '1 0'))
  it('neither passes nor fails where the registry does not answer', () =>
    assert.equal(counted({ message: '405 Method Not Allowed', error: {} }, 1), '0 0'))
})
