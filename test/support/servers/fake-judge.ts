import { randomUUID } from 'node:crypto'
import type { FoundPosition } from '../../../schema/bodies/guests.ts'
import type { EarlierCheckin, ScanResult } from '../../../schema/bodies/scan-result.ts'
import type { Direction, ScanInput } from '../../../schema/bodies/station.ts'
import { type FakeTicket, fakeQuestions, fakeTickets, foundOf, scannedOf } from '../ticketing/fake-tickets.ts'

/** Milliseconds in which the same code is the same physical scan. */
const sameScan = 3000

/** Decides about the fake tickets and remembers who passed. */
interface FakeJudge {
  judge(input: ScanInput): ScanResult
  /** Takes a check-in back; false when there is none of that nonce. */
  undo(nonce: string): boolean
  search(text: string): readonly FoundPosition[]
}

/** A judge over the fake tickets; `passed` hears of everybody who goes in or out, or is taken back. */
export function openFakeJudge(passed: (by: 1 | -1, direction: Direction) => void): FakeJudge {
  const passes = new Map<string, readonly EarlierCheckin[]>([
    ['USED-1', [pass('entry', Date.now() - 42 * 60_000)]],
  ])
  const admitted = new Map<string, FakeTicket>()
  const lately = new Map<string, { readonly at: number; readonly result: ScanResult }>()

  function judge(input: ScanInput): ScanResult {
    const plain = !input.answers && !input.ignore_unpaid && input.source !== 'hand'
    const before = plain ? lately.get(input.code) : undefined
    if (before && Date.now() - before.at < sameScan) return { ...before.result, repeated: true }
    const ticket = fakeTickets.find((each) => each.secret === input.code)
    const earlier = passes.get(input.code) ?? []
    const result = resultOf(input, ticket, earlier)
    lately.set(input.code, { at: Date.now(), result })
    if (result.status !== 'ok' || !ticket) return result
    passes.set(input.code, [pass(input.type, Date.now()), ...earlier])
    admitted.set(result.nonce, ticket)
    passed(1, input.type)
    return result
  }

  function undo(nonce: string): boolean {
    const ticket = admitted.get(nonce)
    if (!ticket) return false
    admitted.delete(nonce)
    lately.delete(ticket.secret)
    passes.set(ticket.secret, (passes.get(ticket.secret) ?? []).slice(1))
    passed(-1, 'entry')
    return true
  }

  function search(text: string): readonly FoundPosition[] {
    const wanted = text.toLowerCase()
    const found = fakeTickets.filter(({ name, order }) =>
      `${name ?? ''} ${order}`.toLowerCase().includes(wanted),
    )
    return found.map((ticket) =>
      foundOf(
        ticket,
        (passes.get(ticket.secret) ?? []).map(({ type, datetime }) => ({ list: 12, type, datetime })),
      ),
    )
  }

  return { judge, undo, search }
}

const pass = (type: Direction, at: number): EarlierCheckin => ({
  datetime: new Date(at).toISOString(),
  type,
  gate: 'North',
  device: 'Scanner 2',
  auto_checked_in: false,
})

function resultOf(
  input: ScanInput,
  ticket: FakeTicket | undefined,
  earlier: readonly EarlierCheckin[],
): ScanResult {
  const decision = decide(input, ticket, earlier)
  return {
    id: randomUUID(),
    nonce: input.nonce,
    repeated: false,
    source: input.source,
    code: input.code,
    at: new Date().toISOString(),
    type: input.type,
    reason: null,
    reason_explanation: null,
    require_attention: false,
    checkin_texts: [],
    list: { id: 12, name: 'Main gate', event: 'festival', subevent: null, include_pending: false },
    can_ignore_unpaid: false,
    owed: null,
    position: ticket ? scannedOf(ticket, earlier) : null,
    questions: [],
    can_undo: decision.status === 'ok',
    ...decision,
  }
}

type Decision = Pick<ScanResult, 'status'> & Partial<ScanResult>

const refusals: Readonly<Record<string, Partial<ScanResult>>> = {
  CANCELED: { reason: 'canceled' },
  PRODUCT: { reason: 'product' },
  BLOCKED: { reason: 'blocked' },
  TIME: { reason: 'invalid_time', reason_explanation: 'Valid from Sat, 11 Jul 2026, 10:00' },
  RULES: { reason: 'rules', reason_explanation: 'Entry starts at 16:00' },
}

/** What becomes of a scan: the beginning of the secret says it. */
function decide(
  input: ScanInput,
  ticket: FakeTicket | undefined,
  earlier: readonly EarlierCheckin[],
): Decision {
  if (!ticket) return { status: 'error', reason: 'invalid' }
  const kind = ticket.secret.split('-')[0] ?? ''
  if (input.type === 'exit') return { status: 'ok' }
  if (earlier[0]?.type === 'entry') return { status: 'error', reason: 'already_redeemed' }
  if (kind === 'UNPAID' && !input.ignore_unpaid)
    return { status: 'error', reason: 'unpaid', can_ignore_unpaid: true }
  if (refusals[kind]) return { status: 'error', ...refusals[kind] }
  const asked = kind === 'ASK' ? fakeQuestions.slice(0, 2) : kind === 'ALL' ? fakeQuestions : []
  const questions = asked.filter((question) => {
    const given = input.answers?.[String(question.id)]
    return given === undefined || (question.required && given === '') || given === 'wrong'
  })
  if (questions.length > 0) return { status: 'incomplete', questions }
  const texts = ['Check the student card', 'Hand out the blue wristband']
  return kind === 'ATT' ? { status: 'ok', require_attention: true, checkin_texts: texts } : { status: 'ok' }
}
