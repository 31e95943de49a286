import type { DrawerFigures } from '../../../schema/bodies/drawers.ts'
import { movementKinds } from '../../../schema/receipt-words.ts'
import { paymentName, type SlipSetting, senderLines, slipFrame } from './receipt-description.ts'
import { type Slip, type SlipPen, slipPen, slipRule } from './slip.ts'

/** What a report about a drawer is of: so far (X), or a closing (Z) with its number and what was counted. */
export interface ReportedDrawer {
  readonly figures: Partial<DrawerFigures>
  readonly currency: string
  readonly opened: string
  /** When it was closed, or now. */
  readonly until: string
  readonly cashier: string
  readonly closing: {
    /** With the node that wrote it. */
    readonly number: string
    readonly counted: string
    readonly difference: string
    readonly reason: string
  } | null
}

/** What a report says: drawn from figures that were worked out or stored, and from nothing else. */
export function reportSlip(report: ReportedDrawer, at: SlipSetting): Slip {
  const { figures, closing } = report
  const pen = slipPen(at, [figures.sales ?? '0.00', figures.expected_cash ?? '0.00'])
  const { t, centred, said, moment } = pen
  const title = closing ? t('report.z', { number: closing.number }) : t('report.x')
  const lines = [
    ...pen.wholeWidth(),
    ...senderLines(at.settings, t).flatMap(centred),
    ...centred(title),
    slipRule,
    ...said(t('receipt.till', { till: at.till })),
    ...(report.cashier === '' ? [] : said(t('receipt.cashier', { cashier: report.cashier }))),
    ...said(t('receipt.started', { when: moment(report.opened) })),
    ...said(t('receipt.ended', { when: moment(report.until) })),
    ...(figures.covered ?? []).flatMap(({ site, first, last }) =>
      said(t('report.covered', { first: `${site}-${first}`, last: `${site}-${last}` })),
    ),
    slipRule,
    ...pen.amounts(),
    ...sumLines(report, pen),
    ...(closing ? countLines(closing, pen) : []),
  ]
  return { title, ...slipFrame(at, report.until), lines }
}

function sumLines({ figures, currency }: ReportedDrawer, { t, amount, pair }: SlipPen): string[] {
  const { sales, refunds = '0.00', expected_cash = '0.00', movements = {}, training } = figures
  const receipts = pair(t('report.receipts'), String(figures.receipts ?? 0))
  // Who counts blind gets no sum before the count.
  if (sales === undefined) return receipts
  const named = (sums: Readonly<Record<string, string>> = {}, nameOf = (name: string) => name) =>
    Object.entries(sums).flatMap(([name, sum]) => pair(nameOf(name), amount(sum)))
  return [
    ...receipts,
    ...pair(t('report.sales', { currency }), amount(sales)),
    ...pair(t('report.refunds'), amount(refunds)),
    slipRule,
    ...named(figures.by_provider, (provider) => paymentName(provider, t)),
    ...movementKinds.flatMap((kind) => {
      const sum = movements[kind]
      return sum === undefined || Number(sum) === 0 ? [] : pair(t(`receipt.line.${kind}`), amount(sum))
    }),
    slipRule,
    ...(figures.taxes ?? []).flatMap(({ rate, net, tax }) => [
      ...pair(t('receipt.net', { rate: amount(rate) }), amount(net)),
      ...pair(t('receipt.tax', { rate: amount(rate) }), amount(tax)),
    ]),
    ...named(figures.by_cashier, (name) => t('report.by-cashier', { name })),
    ...(training && training.receipts > 0 ? pair(t('report.training'), amount(training.total)) : []),
    slipRule,
    ...pair(t('report.expected'), amount(expected_cash)),
  ]
}

function countLines(
  { counted, difference, reason }: NonNullable<ReportedDrawer['closing']>,
  { t, amount, pair, wholeWidth, said }: SlipPen,
): string[] {
  return [
    ...pair(t('report.counted'), amount(counted)),
    ...pair(t('report.difference'), amount(difference)),
    ...wholeWidth(),
    ...(reason === '' ? [] : said(t('receipt.reason', { reason }))),
  ]
}
