import type { Patch } from './machines/hooks.ts'

/** A fault that is planted to see whether it is found. */
export interface Mutant extends Patch {
  readonly name: string
}

/** The planted faults: each is one that a program like this could well have. */
export const mutants: readonly Mutant[] = [
  {
    name: 'facts are queued after the commit',
    file: 'server/resource/open-transactions.ts',
    find: 'if (facts.length > 0) await queueFacts(tx, node.world, node.site, facts)',
    replace:
      'if (facts.length > 0) setImmediate(() => void node.database.transaction((later) => queueFacts(later, node.world, node.site, facts)).catch(() => undefined))',
  },
  {
    name: 'a fact reported again is applied again',
    file: 'server/sync/receive/known-facts.ts',
    find: 'if (facts.length === 0) return new Map()',
    replace: 'if (facts.length >= 0) return new Map()',
  },
  {
    name: 'silence is taken for an answer',
    file: 'server/sync/outbox/push-request.ts',
    find: "    return { kind: 'silent' }\n",
    replace:
      "    return { kind: 'answered', results: facts.map(({ nonce }) => ({ nonce, status: 'applied' })) }\n",
  },
  {
    name: 'a hub passes on only what comes in numbers',
    file: 'server/sync/receive/receive.ts',
    find: 'if (forwarded.length > 0)',
    replace: 'if (forwarded.length > 1)',
  },
  {
    name: 'a hub does not pass changed rows down',
    file: 'server/sync/replica/apply-changes.ts',
    find: "    tx.changed({ organizer, event: eventOf(shape, row) }, name, idOf(shape, row), 'put')",
    replace:
      "    if (fresh.includes(row)) tx.changed({ organizer, event: eventOf(shape, row) }, name, idOf(shape, row), 'put')",
  },
  {
    name: 'a new copy lacks what was not reported yet',
    file: 'server/sync/renewal/swap.ts',
    find: "const own = ['outbox', 'seen_fact',",
    replace: "const own = ['seen_fact',",
  },
  {
    name: 'a new copy counts its ids from the beginning',
    file: 'server/sync/renewal/swap.ts',
    find: 'if (from.site !== to.site) return',
    replace: 'if (from.site === to.site) return',
  },
  {
    name: 'a restored server gets no report again',
    file: 'server/sync/outbox/outbox.ts',
    find: "const neverReported = sql`state = 'waiting', ",
    replace: 'const neverReported = sql`organizer = 0, ',
  },
  {
    name: 'an old copy keeps its number',
    file: 'server/services/devices/sites.ts',
    find: "    site_seq >= (await newestReported(tx, organizer, site)) &&\n    (role === 'hub') === (end !== null) &&\n    !(await isReportedTwice(tx, organizer, site))\n",
    replace: "    (role === 'hub') === (end !== null)\n",
    also: {
      file: 'server/sync/upstream/joining.ts',
      find: '  return fact !== undefined\n',
      replace: '  return fact === null\n',
    },
  },
  {
    name: 'whoever came through central may come again',
    file: 'server/domain/checkin/checkin.ts',
    find: "priorCheckins.every((checkin) => checkin.type === 'exit')) return true",
    replace:
      "priorCheckins.every((checkin) => checkin.type === 'exit' || checkin.device === null)) return true",
  },
  {
    name: 'an entry after the second one is refused no more',
    file: 'server/domain/checkin/checkin.ts',
    find: "if (entry && !mayEnter(list, priorCheckins)) return 'already_redeemed'",
    replace:
      "if (entry && priorCheckins.length < 2 && !mayEnter(list, priorCheckins)) return 'already_redeemed'",
  },
  {
    name: 'what was sold does not use a lease up',
    file: 'server/domain/quotas/leases.ts',
    find: 'Math.max(lease.used, own + soldOfParts)',
    replace: 'soldOfParts',
  },
  {
    name: 'a hub goes on selling what a restored server has forgotten',
    file: 'server/services/quotas/lease-rows.ts',
    find: "typeof parent === 'number' &&\n",
    replace: "typeof parent === 'string' &&\n",
  },
  {
    name: 'a revoked device is thanked and forgotten',
    file: 'server/sync/receive/quarantine.ts',
    find: "    rows.push([organizer, nonce, device, tx.now, text, 'waiting', site, site_seq, bytes, shown])\n",
    replace: '    void [text, site, site_seq, shown, rows]\n',
  },
  {
    name: 'a revoked device forgets before it has reported',
    file: 'server/sync/node/maintenance.ts',
    find: ' || (await countAll(database)).waiting > 0) return',
    replace: ') return',
    also: {
      file: 'server/sync/node/maintenance.ts',
      find: '    if ((await countAll(database)).waiting > 0) return session?.push?.wake()\n',
      replace: '',
    },
  },
  {
    name: 'a clock that is set back leaves fractions',
    file: 'server/sync/clock/clock.ts',
    find: 'offset = Math.round(offset - jump)',
    replace: 'offset -= jump',
  },
  {
    name: 'contradictions of one kind are one',
    file: 'server/services/checkin/conflict-rows.ts',
    find: `\${kind}/\${key}`,
    replace: `\${kind}`,
  },
  {
    name: 'undoing is told to nobody',
    file: 'server/services/checkin/annul.ts',
    find: "const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'annulment', payload })",
    replace: 'const fact = null\n  void payload',
  },
  {
    name: 'revoked codes stay on central',
    file: 'server/sync/feed/replicated.ts',
    find: 'resources.filter((one) => one.replicate)]',
    replace: "resources.filter((one) => one.replicate && one.name !== 'revoked_secret')]",
  },
  {
    name: 'rows of one transaction have one number',
    file: 'server/resource/change-feed.ts',
    find: '      first + index,\n',
    replace: '      first + (index === 1 ? 0 : index),\n',
  },
  {
    name: 'following goes on one change too far',
    file: 'server/sync/feed/changes.ts',
    find: `AND event = \${event} AND seq > \${at.seq} ORDER BY seq LIMIT`,
    replace: `AND event = \${event} AND seq > \${at.seq + (at.seq % 7 === 3 ? 1 : 0)} ORDER BY seq LIMIT`,
  },
  {
    name: 'a device at an entrance sells',
    file: 'server/sync/receive/fact-rules.ts',
    find: 'order: [wholeOrder, sells, ',
    replace: 'order: [wholeOrder, ',
  },
  {
    name: 'a hub gives more of a lease on than is left of it',
    file: 'server/sync/receive/lease.ts',
    find: '  if (!isLeft && outstandingOf(part) > 0) return usedUp\n',
    replace: '  void [isLeft, usedUp]\n',
  },
  {
    name: 'a hub gives leases to devices of others',
    file: 'server/sync/receive/lease.ts',
    find: 'if (!hub || !isOfHub(hub, siteOf(holder.id)) || !isBelow(hub, reported.site)) return notTheirs',
    replace: 'if (!hub) return notTheirs\n  void [isOfHub, siteOf, isBelow]',
  },
  {
    name: 'a device at an entrance spends from gift cards',
    file: 'server/sync/receive/fact-rules.ts',
    find: 'gift_card: [sells, ',
    replace: 'gift_card: [',
  },
  {
    name: 'a sale is stored, and its answer afterwards',
    file: 'server/resource/asked.ts',
    find: 'transactions.write(work, { isUrgent, finish })\n  answers.settle()\n',
    replace: 'transactions.write(work, { isUrgent })\n',
  },
  {
    name: 'a till that has sold writes no receipt',
    file: 'server/services/order-actions/order-create.ts',
    find: '    await receiptsOf(tx, at, sold, draft)\n',
    replace: '',
  },
  {
    name: 'a new copy forgets how many receipts a till has written',
    file: 'server/sync/renewal/swap.ts',
    find: "const ofTills = [\n  'till_count',\n",
    replace: 'const ofTills = [\n',
  },
  {
    name: 'a till numbers its receipts and does not chain them',
    file: 'server/services/drawer/till-count.ts',
    find: 'SELECT number, hash FROM till_count',
    replace: "SELECT number, '' AS hash FROM till_count",
  },
  {
    name: 'cash that was moved is not expected in its drawer',
    file: 'server/domain/drawer/drawer-count.ts',
    find: 'totalAmount((drawer.training ? receipts : real).map(({ payments }) => cashIn(payments)))',
    replace: 'totalAmount(sales.map(({ payments }) => cashIn(payments)))',
  },
  {
    name: 'receipts of cash that was moved are not reported',
    file: 'server/services/drawer/write-receipt.ts',
    find: "  tx.fact(place, till, { kind: 'receipt', payload: { row } })",
    replace: "  if (row.type !== 'movement') tx.fact(place, till, { kind: 'receipt', payload: { row } })",
  },
  {
    name: 'a refund is passed up without its key',
    file: 'server/http/forward.ts',
    find: "  'x-idempotency-key',\n",
    replace: '',
  },
]
