import type { Run } from '../run.ts'
import { checkDoubleEntries } from './conflicts.ts'
import { checkFacts, checkQueues } from './facts.ts'
import { checkQuotas } from './quotas.ts'
import { openAll } from './reading.ts'
import { checkReplicas } from './replicas.ts'
import { checkSales } from './sales.ts'
import { checkSites } from './sites.ts'
import { checkThieves } from './thieves.ts'
import { checkTills } from './tills.ts'

/** Whether everything that was promised holds once nothing stands in the way any more. */
export async function checkEverything(run: Run): Promise<void> {
  const [central, ...others] = openAll(run)
  if (!central) throw new Error('There is no central.')
  try {
    const following = checkQueues(run, others)
    checkFacts(run, central, others)
    checkDoubleEntries(run, central)
    checkSales(run, central, others)
    await checkTills(run, central, others)
    checkQuotas(run, central, others)
    checkReplicas(run, central, following)
    checkSites(run, central, following)
    checkThieves(run, central, others)
    if (
      central.all("SELECT 1 FROM quarantine WHERE json_extract(fact, '$.reason') IS NULL LIMIT 1").length > 0
    )
      run.record.reached.add('a revoked device reported into quarantine')
    if (central.all("SELECT 1 FROM quota_lease WHERE state = 'expired' LIMIT 1").length > 0)
      run.record.reached.add('a lease ended')
    for (const { disk } of run.world.machines.values())
      if (disk.hasOverflown) run.record.reached.add('a disk was full')
    for (const held of [central, ...others]) {
      const dangling = held.all<object>('PRAGMA foreign_key_check')
      if (dangling.length > 0)
        run.record.wrongs.push(`${held.name} has rows that point at nothing: ${JSON.stringify(dangling[0])}`)
    }
  } finally {
    for (const held of [central, ...others]) held.close()
  }
}
