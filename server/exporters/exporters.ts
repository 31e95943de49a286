import { accountingReport } from './accounting.ts'
import { answerFiles } from './answer-files.ts'
import { answerList } from './answer-list.ts'
import { attendeeList } from './attendees.ts'
import { badges } from './badges.ts'
import { checkinListTable } from './checkin-list.ts'
import { checkinListPdf } from './checkin-list-pdf.ts'
import { conflictList } from './conflict-list.ts'
import { eventJson } from './event-json.ts'
import type { Exporter, Level } from './exporter.ts'
import { giftCardList } from './gift-card-list.ts'
import { orderList } from './order-list.ts'
import { giftCardRedemptionList, paymentList } from './payment-list.ts'
import { quotaList } from './quota-list.ts'
import { scanList } from './scan-list.ts'
import { voucherList } from './voucher-list.ts'
import { waitingList } from './waiting-list.ts'

/** Every exporter. */
export const exporters: readonly Exporter[] = [
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
  conflictList,
  accountingReport,
  eventJson,
]

/** Those of a level, by their names. */
export const exportersOf = (level: Level): readonly Exporter[] =>
  exporters.filter(({ levels }) => levels.includes(level)).toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The exporter with an identifier, or undefined. */
export const exporterOf = (level: Level, identifier: string): Exporter | undefined =>
  exporters.find((one) => one.identifier === identifier && one.levels.includes(level))
