import { badges } from '../badges/badges.ts'
import type { Exporter, Level } from '../format/exporter.ts'
import { accountingReport } from '../reports/accounting.ts'
import { answerFiles } from '../reports/answer-files.ts'
import { answerList } from '../reports/answer-list.ts'
import { attendeeList } from '../reports/attendees.ts'
import { checkinListTable } from '../reports/checkin-list.ts'
import { checkinListPdf } from '../reports/checkin-list-pdf.ts'
import { conflictReport } from '../reports/conflict-list.ts'
import { eventJson } from '../reports/event-json.ts'
import { giftCardList } from '../reports/gift-card-list.ts'
import { orderList } from '../reports/order-list.ts'
import { giftCardRedemptionList, paymentList } from '../reports/payment-list.ts'
import { quotaList } from '../reports/quota-list.ts'
import { scanList } from '../reports/scan-list.ts'
import { voucherList } from '../reports/voucher-list.ts'
import { waitingList } from '../reports/waiting-list.ts'

/** Every exporter. */
const exporters: readonly Exporter[] = [
  orderList,
  attendeeList,
  badges,
  checkinListTable,
  checkinListPdf,
  quotaList,
  voucherList,
  waitingList,
  giftCardList,
  giftCardRedemptionList,
  paymentList,
  answerList,
  answerFiles,
  scanList,
  conflictReport,
  accountingReport,
  eventJson,
]

/** Those of a level, by their names. */
export const exportersOf = (level: Level): readonly Exporter[] =>
  exporters.filter(({ levels }) => levels.includes(level)).toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The exporter with an identifier, or undefined. */
export const exporterOf = (level: Level, identifier: string): Exporter | undefined =>
  exporters.find((one) => one.identifier === identifier && one.levels.includes(level))
