import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/** Leases of which more was given on than there is, or for longer. */
const givenOnTooMuch = `SELECT w.id FROM quota_lease w JOIN quota_lease p ON p.organizer = w.organizer AND p.parent = w.id
  GROUP BY w.id, w.size, w.used, w.until
  HAVING max(p.until) > w.until OR (max(w.size, w.used) < w.used
    + sum(CASE WHEN p.state = 'expired' THEN 0 ELSE max(0, p.size - p.used) END))`

/** Whether a device at an entrance, in wrong hands, has caused nothing but scans of its own. */
export function checkThieves(run: Run, central: Held, others: readonly Held[]): void {
  const { record, scenario, stolen, plan } = run
  const sites = [...stolen.values()].map(({ site }) => site)
  const wrong = (what: string, rows: readonly object[]): void => {
    if (rows.length > 0) record.wrongs.push(`a thief ${what}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const isPutBack = plan.steps.some(({ kind }) => kind === 'restore')
  // A lease that a restored server has forgotten is nobody's any more: what is reported of it is taken and changes nothing.
  const without = isPutBack ? "AND kind <> 'lease'" : ''
  for (const held of [central, ...others])
    wrong(
      `was believed at ${held.name}`,
      held.all(
        `SELECT kind, status, result FROM seen_fact WHERE nonce LIKE 'thief%' AND kind <> 'checkin'
           AND (kind <> 'order' OR status <> 'quarantined') ${without}`,
      ),
    )
  wrong('sold', central.all("SELECT code FROM orders WHERE code LIKE 'THIEF%'"))
  wrong('undid', central.all("SELECT id FROM checkin WHERE error_explanation = 'thief'"))
  wrong(
    'scanned as another',
    central.all(
      "SELECT id, device, site FROM checkin WHERE nonce LIKE 'thief%' AND (device IS NULL OR device NOT IN (SELECT id FROM device WHERE name LIKE 'thief%'))",
    ),
  )
  wrong(
    'took money',
    central.all('SELECT value FROM gift_card WHERE id = ? AND value <> 5000', scenario.card),
  )
  wrong('gave an answer', central.all("SELECT id FROM order_position WHERE answers LIKE '%thief%'"))
  wrong(
    'took an answer',
    central.all(
      "SELECT id FROM order_position WHERE secret LIKE 'secretTHIEF%' AND answers NOT LIKE '%vegan%'",
    ),
  )
  wrong(
    'took over a device',
    central.all(
      "SELECT name, security_profile FROM device WHERE name LIKE 'thief%' AND security_profile <> 'gate'",
    ),
  )
  wrong(
    'leased',
    central.all("SELECT id, used FROM quota_lease WHERE id IN (4711, 4712, 4713) OR until >= '2031'"),
  )
  wrong(
    'holds a lease',
    central.all(
      "SELECT id FROM quota_lease WHERE device IN (SELECT id FROM device WHERE name LIKE 'thief%')",
    ),
  )
  // A server that was put back has forgotten what honest stations sold from a lease, and they sell from it again.
  if (!isPutBack)
    for (const held of [central, ...others]) {
      wrong(
        `sold from a lease at ${held.name}`,
        held.all('SELECT id, used FROM quota_lease WHERE used > size'),
      )
      wrong(`has leases given on at ${held.name} that are not there`, held.all(givenOnTooMuch))
    }
  wrong(
    'changed what is no scan',
    central.all(
      `SELECT action FROM audit WHERE actor_kind = 'device' AND actor IN (SELECT id FROM device WHERE name LIKE 'thief%')
       AND action NOT LIKE 'ticketsvc.event.checkin%' AND action NOT IN ('ticketsvc.device.initialized', 'ticketsvc.device.joined')`,
    ),
  )
  const refused = central.all<{ site: number; reason: string }>(
    "SELECT json_extract(fact, '$.fact.site') AS site, json_extract(fact, '$.reason') AS reason FROM quarantine WHERE json_extract(fact, '$.reason') IS NOT NULL",
  )
  wrong(
    'is blamed for what an honest station reports',
    refused.filter(({ site }) => !sites.includes(site)),
  )
  if (refused.length > 0) record.reached.add('a sale of a thief was refused')
}
